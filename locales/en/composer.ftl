# The field at the bottom, and what is sent from it.

composer-message = Message
composer-placeholder = Message { $agent }
composer-placeholder-working = Queue another message
composer-placeholder-unavailable = Start the agent to send a message
composer-placeholder-sign_in = Sign in to send a message

composer-send = Send
composer-queue = Queue
composer-stop = Stop
composer-force_stop = Force stop
composer-attach = Attach…
composer-attachment-remove = Remove { $name }

# What the keys do, under the field.
composer-hint-send = { $send } sends, { $newline } starts a new line
composer-hint-queue = { $send } queues the message until this turn ends

# Messages that wait for the turn to end.
composer-queued = { $count ->
    [one] 1 message queued
   *[other] { $count } messages queued
}
composer-queued-hint = Sent when this turn ends
composer-queued-edit = Edit queued message
composer-queued-remove = Remove queued message

# Slash commands that the agent offers.
composer-commands = Commands
composer-commands-none = No matching command
composer-commands-hint = { $up }/{ $down } choose, { $complete } completes, { $close } closes
