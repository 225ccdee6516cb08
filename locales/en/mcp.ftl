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
