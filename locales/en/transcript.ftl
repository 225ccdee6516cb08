# Blocks of a session.

transcript-you = You
transcript-latest = Latest
transcript-latest-count = Latest, { $count } new
transcript-latest-tooltip = Jump to the latest
transcript-links-leads_to = This link leads to { $host }
transcript-links-open_it = Open
transcript-links-copy = Copy address
transcript-links-open = Open { $url }

transcript-thought = Thought
transcript-thought-running = Thinking
transcript-abandoned = Begun anew
transcript-abandoned-hover = The connection to the model broke off here, and the agent began this part again

transcript-plan = Plan
transcript-plan-progress = { $done } of { $total } done
transcript-plan-pending = To do
transcript-plan-in_progress = In progress
transcript-plan-completed = Done
transcript-plan-priority_high = High priority

transcript-attachment = Attachment
transcript-image = Image
transcript-image-named = Image { $name }
transcript-image-failed = The image cannot be shown
transcript-unsupported = Content of a kind that cannot be shown: { $kind }

# Tool calls.
transcript-tool = Tool call
transcript-tool-pending = Pending
transcript-tool-running = Running
transcript-tool-waiting = Waiting for you
transcript-tool-done = Done
transcript-tool-failed = Failed
transcript-tool-no_result = No result
transcript-tool-stopped = Stopped with the agent
transcript-tool-steps = { $count ->
    [one] 1 step
   *[other] { $count } steps
}
transcript-tool-cancelled = Cancelled
transcript-tool-updated = updated { $duration } ago
transcript-tool-exit_code = Exit code { $code }
transcript-tool-truncated = The agent left out some of the output
transcript-hits-show_all = Show all { $count } matches
transcript-tool-denied = Denied
transcript-tool-not_asked = The agent ran this without asking
transcript-tool-input = Input
transcript-tool-output = Output
transcript-tool-terminal = Terminal
transcript-tool-raw = Raw
transcript-tool-raw_cut = There is more; copying gives all of it
transcript-tool-no_output = No output
transcript-tool-kind-read = Read
transcript-tool-kind-edit = Edit
transcript-tool-kind-delete = Delete
transcript-tool-kind-move = Move
transcript-tool-kind-search = Search
transcript-tool-kind-execute = Run
transcript-tool-kind-fetch = Fetch
transcript-tool-kind-switch_mode = Switch mode
transcript-tool-plan = Proposed plan
transcript-tool-question = Question to you

# A diff.
transcript-diff-new_file = New file
transcript-diff-unchanged = { $count ->
    [one] 1 unchanged line
   *[other] { $count } unchanged lines
}
transcript-changes = { $count ->
    [one] 1 file changed
   *[other] { $count } files changed
}
transcript-diff-binary = A file that is no text
transcript-diff-side_by_side = Side by side
transcript-diff-unified = One column
transcript-diff-nothing = Nothing changed
transcript-diff-line_endings = Only line endings changed
transcript-diff-show_all = Show the whole file
transcript-diff-fold = Show changes only
transcript-diff-deleted_file = Deleted file
transcript-diff-comparing = Comparing two long texts…
transcript-diff-stop = Stop
transcript-diff-stopped = Not compared
transcript-diff-compare = Compare

# Several finished tool calls folded into one row.
transcript-group = { $count ->
    [one] 1 step · { $duration }
   *[other] { $count } steps · { $duration }
}
transcript-group-failed = { $count } failed

# How a turn ended.
transcript-ended-cancelled = Stopped by you
transcript-ended-max_tokens = Stopped at the limit of tokens. Send a message to continue.
transcript-ended-max_turn_requests = Stopped at the limit of requests in one turn. Send a message to continue.
transcript-ended-refusal = The agent refused to continue
transcript-ended-by_agent = Stopped by the agent
transcript-ended-unknown = The turn ended: { $reason }

# Marks.
transcript-late = Arrived after the turn had ended
transcript-stray_lines = { $count ->
    [one] The agent printed a line that is no message. It is in the log.
   *[other] The agent printed { $count } lines that are no messages. They are in the log.
}
transcript-unrecognized = The agent sent an update of an unknown kind: { $kind }
transcript-mode_changed = Mode is now { $mode }
transcript-model_changed = Model is now { $model }
transcript-option_changed = { $option } is now { $value }

# Notes between blocks.
transcript-note-denied = You refused: { $title }
transcript-note-withdrawn = The agent took its request back: { $title }
transcript-note-restarting = The agent is started again, attempt { $attempt } of { $most }
transcript-note-restored = The agent is back and has loaded the session
transcript-note-forgotten = The agent has forgotten what is above

# Copying, and long content.
transcript-copy_message = Copy message
transcript-copy_selection = Copy
transcript-text_menu = Text
transcript-copy_block = Copy as Markdown
transcript-copy_all = Copy transcript as Markdown
transcript-copy_details = Copy details
transcript-code-copy = Copy code
transcript-code-numbers-show = Show line numbers
transcript-code-numbers-hide = Hide line numbers
transcript-right_to_left = Text written from right to left may be out of order; copying keeps it.
transcript-output-copy = Copy output
transcript-output-show_all = Show all { $count } lines
transcript-output-show_less = Show less

# What happened to the context and the account meanwhile.
transcript-compacted = Conversation summarized
transcript-compacted-before = Conversation summarized, from { $before } tokens
transcript-compacted-both = Conversation summarized: { $before } tokens became { $after }
transcript-compacted-manual = Conversation summarized at your request
transcript-compacted-manual-before = Conversation summarized at your request, from { $before } tokens
transcript-compacted-manual-both = Conversation summarized at your request: { $before } tokens became { $after }
transcript-retrying = The agent tries again, attempt { $attempt }: { $message }
transcript-retrying-of = The agent tries again, { $attempt } of { $most }: { $message }
transcript-retrying-silent = The agent tries again, attempt { $attempt }
transcript-retrying-silent_of = The agent tries again, { $attempt } of { $most }
transcript-quota = Account quota “{ $name }” is { $percent } % used
transcript-quota-resets = Account quota “{ $name }” is { $percent } % used, resets in { $duration }

transcript-note-denied_by_rule = Not run: { $title }. { $because }
transcript-note-ran_unasked = { $count ->
    [one] 1 tool call ran without being asked
   *[other] { $count } tool calls ran without being asked
}
transcript-note-never_asks = { $agent } runs tools without ever asking
transcript-note-own_tools_never_ask = { $agent } runs commands and changes files without asking
