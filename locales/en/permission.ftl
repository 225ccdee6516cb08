# The card between transcript and composer.

permission-asks = { $agent } asks to use { $tool }
permission-asks-untitled = { $agent } asks for permission
permission-asks-read = { $agent } asks to read a file
permission-asks-edit = { $agent } asks to change a file
permission-asks-delete = { $agent } asks to delete something
permission-asks-move = { $agent } asks to move something
permission-asks-search = { $agent } asks to search
permission-asks-execute = { $agent } asks to run a command
permission-asks-fetch = { $agent } asks to fetch something from the network
permission-asks-switch_mode = { $agent } asks to switch its mode
permission-asks-plan = { $agent } proposes a plan
permission-waiting = { $count ->
    [one] 1 more waiting
   *[other] { $count } more waiting
}
permission-details-show = Show details
permission-details-hide = Hide details
permission-show_all = Show all { $count } characters
permission-settling = Not clickable for a moment, since it just appeared
permission-changed = The agent changed this request
permission-elsewhere = { $agent } waits for you in “{ $session }”
permission-elsewhere-show = Show

# Shown in place of an option that the agent gave no name.
permission-option-allow_once = Allow once
permission-option-allow_always = Always allow
permission-option-reject_once = Reject
permission-option-reject_always = Always reject
permission-option-plan_yes = Carry out the plan
permission-option-plan_no = Keep planning
permission-option-unnamed = Answer “{ $option }”
permission-option-unknown = An answer of a kind that is not known here

# What an option of that kind means beyond this request.
permission-scope-allow_always = Also applies to later requests
permission-scope-reject_always = Also rejects later requests

# What became of a request.

# A refusal with words.
permission-reason = Deny and say why…
permission-reason-field = Say why, or what to do instead
permission-reason-send = Deny with this reason
permission-reason-plan = Reject and say what to change…
permission-reason-plan-field = Say what to change
permission-reason-plan-send = Reject and send this
permission-reason-as_message = This agent takes no words with an answer, so they are sent as your next message

# A rule that allows this and the like from now on.
permission-always = Allow from now on…
permission-always-heading = In { $folder }, allow without asking:
permission-always-mcp_tool = The tool { $tool } of the MCP server { $server }, whatever it is given
permission-always-tool = The tool { $tool }, whatever it is given
permission-always-tool_in_folder = { $tool } on files in { $folder }
permission-always-command = Commands that begin with { $words }
permission-always-line = Exactly this command: { $line }
permission-always-host = Fetching from { $host }
permission-always-session = This session
permission-always-day = 1 day
permission-always-ever = Always
permission-always-home-user = In my rules
permission-always-home-folder = In this folder’s rules
permission-always-nowhere = Written to no file, and over when the session is closed
permission-always-file = Written to { $file }
permission-always-bound = Holds while this stays as it is: { $files }
permission-always-store = Allow and remember

# A rule that refuses this and the like from now on; the words of its choices are those above.
permission-never = Deny from now on…
permission-never-heading = In { $folder }, deny without asking:
permission-never-store = Deny and remember
permission-wire_name = Name on the wire: { $name }

# A folder that no agent has been started in.
permission-trust-heading = Trust this folder before { $agent } starts in it?
permission-trust-yes = Trust and start
permission-trust-other = Choose another folder…
permission-trust-nothing = Nothing was found here that an agent would act on by itself
permission-trust-files = An agent would act on these by itself:
permission-trust-mcp_servers = starts MCP servers
permission-trust-settings = changes settings or permissions
permission-trust-hooks = runs commands
permission-trust-instructions = gives instructions
permission-trust-environment = sets variables
permission-trust-server = MCP server { $name }: { $line }
permission-trust-hook = At { $event }: { $command }
permission-trust-variable = Sets { $name }
permission-trust-more = { $count } more in this file
