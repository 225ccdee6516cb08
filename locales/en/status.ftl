# The status bar.

status-name = Status
status-not_started = Not started
status-starting = Starting
status-starting-slow = Still starting, { $duration }
status-signing_in = Signing in
status-sign_in_needed = Sign-in needed
status-ready = Ready
status-working = Working
status-working-tool = { $tool }, { $duration }
status-working-duration = Working, { $duration }
status-thinking = Thinking
status-waiting = Waiting for you
status-cancelling = Cancelling
status-cancelling-unconfirmed = The agent did not confirm the stop
status-loading = Loading session
status-restarting = Restarting, attempt { $attempt } of { $limit }
status-stopped = Agent stopped
status-failed = Agent failed

status-folder = Folder { $path }
status-branch = Branch { $name }

# The context meter.
status-context = Context
status-context-percent = { $percent } %
status-context-tooltip = Context window: { $used } of { $size } tokens used
status-context-high = Context window nearly full: { $used } of { $size } tokens used
status-tokens = { $count } tokens
status-tokens-tooltip = { $input } in, { $output } out
status-cost = { $amount } { $currency }
status-cost-tooltip = Cost of this session as the agent reports it
