# The field at the bottom, and what is sent from it.

composer-message = Message
composer-placeholder = Message { $agent }
composer-placeholder-working = Queue another message
composer-placeholder-unavailable = Sent after the agent has started
composer-placeholder-sign_in = Sent after you sign in

composer-send = Send
composer-queue = Queue
composer-stop = Stop
composer-force_stop = Force stop
composer-attach = Attach…
composer-attachment-remove = Remove { $name }
composer-picture = Picture

# What the keys do, under the field.
composer-hint-queue = Sent when this turn ends

# Messages that wait for the turn to end.
composer-queued-hint = Sent when this turn ends
composer-queued-message = Queued: { $message }
composer-queued-more = { $count } more queued
composer-queued-remove = Remove queued message “{ $message }”

# Slash commands that the agent offers.
composer-commands = Commands
composer-commands-none = No matching command
composer-commands-clear = Start a new session
composer-commands-compact = Summarize the conversation to free context
composer-commands-mcp = Show MCP servers and their tools
