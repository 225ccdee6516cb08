# The list of permission rules in the settings.

rules-title = Permission rules
rules-about = Deny beats ask, and ask beats allow. What no rule names is up to the level in the composer.
rules-no_session = The rules of a folder are shown with a session in it that has been started
rules-of_user = My rules
rules-of_folder = Rules of the folder { $folder }
rules-of_session = Until this session is closed
rules-open = Open { $file }
rules-none = No rules
rules-problem = Until this is mended, no rule and no level allows anything: { $problem }
rules-remove = Remove rule: { $rule }

rules-effect-allow = Allow
rules-effect-ask = Ask
rules-effect-deny = Deny

rules-about-tools = The tools { $tools }
rules-about-mcp_tool = The tool { $tool } of the MCP server { $server }
rules-about-mcp_server = All tools of the MCP server { $server }
rules-about-command = Commands that begin with { $words }
rules-about-line = Exactly this command: { $line }
rules-about-host = Fetching from { $host }
rules-about-paths = Whatever touches { $paths }

rules-on_paths = On files: { $paths }
rules-in_folder = In { $folder }
rules-unchanged = While this stays as it is: { $files }
rules-ends = Ends in { $duration }
rules-ended = Has ended
rules-stored = Stored { $duration } ago

rules-script_gate-heading = Unity
rules-script_gate = Script gate
rules-script_gate-about = In this folder, scripts under Assets are written only through UapStaging. The agent is told how.

# The form for a new rule.
rules-new = New rule
rules-kind-command = Command
rules-kind-line = Exact command
rules-kind-tool = Tool
rules-kind-mcp = MCP tool
rules-kind-path = Files
rules-kind-host = Host
rules-pattern = What it is about
rules-hint-command = git push
rules-hint-line = make test
rules-hint-tool = Edit
rules-hint-mcp = server/tool, or server/*
rules-hint-path = secrets/**
rules-hint-host = docs.rs, or *.docs.rs
rules-scope-user = Holds in all folders
rules-scope-folder = Holds in this folder, for all who use its rules file
rules-this = This rule
rules-add = Add rule
