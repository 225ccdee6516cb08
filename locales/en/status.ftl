# The status bar.

status-not_started = Not started
status-starting = Starting
status-starting-slow = Still starting, { $duration }
status-signing_in = Signing in
status-sign_in_needed = Sign-in needed
status-ready = Ready
status-trust_needed = Trust this folder first
status-compacting = Summarizing the conversation
status-working-tool = { $tool }, { $duration }
status-working-duration = Working, { $duration }
status-thinking-duration = Thinking, { $duration }
status-still_reporting = Still reporting
status-waiting = Waiting for you
status-cancelling = Cancelling
status-cancelling-unconfirmed = The agent did not confirm the stop
status-stopped = Agent stopped
status-failed = Agent failed

status-folder = Folder { $path }

# The context meter.
status-context = Context
status-context-percent = { $percent } %
status-context-percent_uncertain = about { $percent } %
status-context-tooltip = Context window: { $used } of { $size } tokens used
status-context-compacted = compacted
status-context-compacted-tooltip = The conversation was summarized; the agent has not said yet how full the context is
status-context-uncertain = The agent reports different sizes of the window, so the share is uncertain
status-context-high = Context window nearly full: { $used } of { $size } tokens used
status-context-unknown = The agent has not reported its context window
status-context-used = { $used } in context
status-context-used_tooltip = { $used } tokens in the context; the agent has not said how many fit
status-context-over = over: { $used } of { $size }
status-context-over_tooltip = More than the context window holds: { $used } of { $size } tokens
status-context-source = Reported by { $agent } { $age } ago
status-tokens = { $count } tokens
status-cost-tooltip = Cost of this session as the agent reports it
status-usage = Usage
status-usage-tokens = Tokens
status-usage-turn = This turn
status-usage-last_turn = Last turn
status-usage-session = Session
status-usage-input = Input
status-usage-output = Output
status-usage-cache_read = Read from cache
status-usage-cache_write = Written to cache
status-usage-total = Together
status-usage-cost = Cost
status-usage-cost_in = Cost in { $currency }
status-usage-no_turn = Nothing used yet: no turn has ended
status-usage-not_reported = { $agent } reports no token counts

# Quotas of the account.
status-quota = Account quotas
status-quota-resets = resets in { $duration }
status-quota-reset = has been reset
