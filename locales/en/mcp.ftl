# The card that answers /mcp.

mcp-copy = Copy as text

# Its first line: how many servers, and in which state.
mcp-counts = { $count ->
    [one] 1 MCP server
   *[other] { $count } MCP servers
}
mcp-counts-none = No MCP servers
mcp-counts-connected = { $count } connected
mcp-counts-failed = { $count } failed
mcp-counts-other = { $count } other

# Who told the state.
mcp-source-agent = Reported by { $agent }
mcp-source-probe = Asked by Agent Panel
mcp-source-not_reported = Passed to { $agent }, which does not report their state

# The state of a server.
mcp-state-connected = connected
mcp-state-failed = failed
mcp-state-pending = pending
mcp-state-needs_auth = needs sign-in
mcp-state-unknown = not reported

mcp-tools = { $count ->
    [one] 1 tool
   *[other] { $count } tools
}
mcp-tools-show = Show the tools of { $name }
mcp-tools-hide = Hide the tools of { $name }
mcp-tool-wire_name = The agent calls it { $name }
mcp-tool-read_only = read-only
mcp-tool-destructive = destructive
mcp-tool-mark_hint = As the server says of its own tool

# The card as text.
mcp-line = - { $name }: { $state }
mcp-line-tools = - { $name }: { $state } ({ $tools })
mcp-line-tool = { $name } ({ $mark })

# Connecting again.
mcp-reconnect = Reconnect
mcp-reconnect-server = Reconnect { $name }
mcp-reconnect-running = Reconnecting…
mcp-reconnect-restart = Restart the session to reconnect
mcp-reconnect-restart_hint = This agent cannot reconnect a single server. It is started again, and the conversation stays.
mcp-reconnect-no_agent = Not possible while the agent is not running
mcp-reconnect-busy = Not possible while a turn runs

# Signing in to a server.
mcp-sign_in = Sign in to this server in the agent’s own terminal window, then reconnect
mcp-sign_in-open = Open terminal
mcp-sign_in-open_server = Open terminal to sign in to { $name }

# Notes.
mcp-none_yet = Nothing is known of MCP servers yet: the session is not open
mcp-reconnecting = Reconnecting to { $name }
mcp-reconnected = { $name } is connected again
mcp-reconnect_failed = { $name } could not be reconnected: { $message }
mcp-servers_changed = The MCP servers have changed. The agent gets them when it is started again
mcp-servers_changed-restart = Restart the agent
mcp-not_passed = { $name } was not passed to the agent, which takes no servers of this kind
mcp-not_added = { $name } could not be connected: { $message }

# The page of the person's servers.
mcp-page = MCP servers
mcp-page-hint = Agents are passed the servers that are on, in this order, with every new session
mcp-page-empty = No servers yet
mcp-page-add = Add a server…
mcp-page-import = Import from other tools…
mcp-page-edit = Edit
mcp-page-edit_server = Edit { $name }
mcp-page-remove = Remove
mcp-page-remove_server = Remove { $name }
mcp-page-remove_sure = Remove { $name } for good

# One server.
mcp-server-name = Name
mcp-server-command = Command
mcp-server-args = Arguments
mcp-server-arg = Argument { $number }
mcp-server-arg_add = Add an argument
mcp-server-arg_remove = Remove argument { $number }
mcp-server-url = Address
mcp-server-variables = Environment variables
mcp-server-variable = { $name } = { $value }
mcp-server-variable_name = Name of the variable
mcp-server-variable_value = Value of the variable
mcp-server-variable_add = Add a variable
mcp-server-headers = Headers
mcp-server-header = { $name }: { $value }
mcp-server-header_name = Name of the header
mcp-server-header_value = Value of the header
mcp-server-header_add = Add a header
mcp-server-pair_remove = Remove line { $number }
mcp-server-values_show = Show values
mcp-server-values_hide = Hide values
mcp-server-save = Save
mcp-server-no_name = A name is needed
mcp-server-no_command = A command is needed
mcp-server-no_url = An address is needed
mcp-server-bad_url = The address has to begin with http:// or https:// and name a host
mcp-server-bad_variable = No system takes a variable with this name or value: { $name }
mcp-server-bad_header = No request takes a header with this name or value: { $name }
mcp-server-taken = Another server has this name, or one that agents cannot tell from it
mcp-server-reserved = This name belongs to the Unity editor’s own server

# Approving what was not written here.
mcp-approve = Approve
mcp-approve-server = Approve { $name }
mcp-approve-off = Turn it off
mcp-approve-heading = The MCP server { $name } is new or was changed outside of this window. Agents are not passed it before you approve it
mcp-approve-needed = New or changed outside of this window. Agents are not passed it before you approve it

# The ops server of a Unity editor.
mcp-unity-heading = A Unity editor has this project open. Pass its server to agents in this folder?
mcp-unity-pass = Pass it on
mcp-unity-later = Not now
mcp-unity-switch = Pass the Unity editor’s server to agents in this folder
mcp-unity-not_running = The editor does not have the project open, or its panel package is missing

# Importing. Nothing is ever written to these files.
mcp-import-hint = The files stay as they are. Look at what each server runs before you add it
mcp-import-nothing = No servers were found in the files of Claude, Codex, Gemini, Qwen, Cursor, VS Code or .mcp.json
mcp-import-known = Already in the list
mcp-import-add = Add
mcp-import-add_server = Add { $name }
mcp-import-of_server = { $name }: { $problem }
mcp-import-unreadable = This file cannot be used: { $reason }
mcp-import-syntax = Line { $line } is not as it should be: { $reason }
mcp-import-wrong_type = { $field } has to be { $expected }
mcp-import-expected-text = text
mcp-import-expected-text_list = a list of texts
mcp-import-expected-text_table = names with texts
mcp-import-expected-table = names with values
mcp-import-nothing_to_reach = there is neither a command nor an address
mcp-import-unknown_transport = the transport { $transport } is not known
mcp-import-variable = the variable { $name } is passed on as it is written
mcp-import-ignored = { $field } has no counterpart here
mcp-import-not_local = an editor’s server has to be on this machine
