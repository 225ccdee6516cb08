# Why a tool call is asked, or was answered without asking.

reason-level = Asked at the level “{ $level }”
reason-allowed = Allowed by the level “{ $level }”
reason-rule-allow = Allowed by your rule: { $rule } ({ $file })
reason-rule-allow_session = Allowed by what you granted for this session: { $rule }
reason-rule-ask = Your rule wants it asked: { $rule } ({ $file })
reason-rule-deny = Denied by your rule: { $rule } ({ $file })
reason-wipes = Denied always, since it removes the root, the home folder or the working folder: { $command }
reason-script_gate = Denied by the script gate, since scripts under Assets go through UapStaging: { $path }
reason-broken_rules = Nothing is allowed by a rule or the level until this file is mended: { $file } ({ $problem })
reason-needs_person = This is a question to you, so no rule and no level answers it
reason-mismatch = What the agent says of this call doesn’t agree. It may be { $readings }
reason-or = { $one } or { $other }
reason-not_established = Only the agent’s own words say which tool this is
reason-unknown_command = The call doesn’t say which command it runs
reason-outside_folder = Outside of the working folder: { $path }
reason-unresolved_path = It can’t be told where this really is: { $path }
reason-unknown_files = It can’t be told which files this touches
reason-unknown_host = It can’t be told which host this goes to
reason-no_allow_once = It may run, but the agent offers no single answer that allows it once

reason-protected-own = Protected, since it holds settings or rules of this program: { $path }
reason-protected-git = Protected, since it belongs to Git: { $path }
reason-protected-agent_config = Protected, since it sets up an agent or an editor: { $path }
reason-protected-startup = Protected, since it runs by itself: { $path }
reason-protected-secrets = Protected, since it holds keys or passwords: { $path }

# Why a shell line is always asked.
reason-shell-empty = The command is empty
reason-shell-too_long = The command is too long to be checked
reason-shell-unparsed = The command can’t be read as a shell would read it
reason-shell-odd_character = The command holds control or invisible characters
reason-shell-substitution = The command runs another one inside itself
reason-shell-expansion = The command uses variables or file name patterns
reason-shell-dynamic_command = The program is only known when the command runs
reason-shell-compound = The command holds a loop, a condition or a function
reason-shell-assignment = The command sets a variable for a program
reason-shell-runs_code = “{ $program }” runs whatever it is given
reason-shell-writes_file = The command writes to { $file }
reason-shell-unknown_shell = Commands of this shell can’t be checked

# A rules file that can't be read.
reason-problem-not_readable = not readable: { $message }
reason-problem-version = no version 1
reason-problem-field = { $place }: “{ $field }” is missing, unknown or of the wrong kind
reason-problem-subject = { $place }: not about exactly one thing
reason-problem-pattern = { $place }: not a pattern: { $pattern }
reason-problem-too_wide = { $place }: “{ $command }” would run anything
reason-problem-expiry = { $place }: the end has no date, time and offset
