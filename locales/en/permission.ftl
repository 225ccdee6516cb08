# The card between transcript and composer.

permission-heading = Permission needed
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
permission-waiting = { $count ->
    [one] 1 more waiting
   *[other] { $count } more waiting
}
permission-command = Command
permission-path = Path
permission-details-show = Show details
permission-details-hide = Hide details
permission-show_all = Show all { $count } characters
permission-keys_hint = Focus the card, then press an option’s number
permission-settling = Not clickable for a moment, since it just appeared
permission-changed = The agent changed this request
permission-elsewhere = { $agent } waits for you in “{ $session }”
permission-elsewhere-show = Show
permission-no_options = The agent offered no answer. Stop the turn to go on.

# Shown in place of an option that the agent gave no name.
permission-option-allow_once = Allow once
permission-option-allow_always = Always allow
permission-option-reject_once = Reject
permission-option-reject_always = Always reject
permission-option-unnamed = Answer “{ $option }”
permission-option-unknown = An answer of a kind that is not known here

# What an option of that kind means beyond this request.
permission-scope-allow_always = Also applies to later requests
permission-scope-reject_always = Also rejects later requests

# What became of a request.
permission-answered = Answered: { $option }
permission-answered-denied = Denied: { $tool }
permission-answered-cancelled = Not answered, since the turn was stopped
permission-answered-policy = Answered by your rules: { $option }
permission-answer_dropped = This request was closed before the answer, so the answer was not sent
