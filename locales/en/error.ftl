# What went wrong, and what to do. The cause first, paths and other long values last.

error-code = Code { $code }
error-details = Details

# Starting an agent.
error-program_missing = { $program } was not found
error-program_missing-searched = Places searched:
error-program_missing-next = Install it or choose another agent
error-start_failed = { $agent } could not be started: { $message }
error-start_failed-next = Check its command, or choose another agent
error-start_timeout = { $agent } did not answer within { $duration }
error-protocol_version = { $agent } speaks version { $version } of the protocol, which is not supported
error-protocol_version-next = Update the agent, or this program

# The death of an agent.
error-died-exit_code = The agent ended with exit code { $code }
error-died-signal = The agent was ended by signal { $signal }
error-died-unknown = The agent ended
error-died-closed = The agent closed the connection
error-died-stderr = Its last lines
error-died-next = Restart it to go on
error-restart_limit = { $agent } ended { $count } times in a row, so it is not restarted by itself
error-session_lost = The agent could not load the session again. A new one was started.

# A running session.
error-prompt_failed = The agent answered with an error: { $message }
error-prompt_failed-next = Send the message again, or restart the agent
error-sign_in_needed = { $agent } needs you to sign in: { $message }
error-sign_in-next = Sign in below, then the session goes on
error-not_confirmed = The agent did not confirm the stop within { $duration }
error-option_failed = The agent did not accept the setting: { $message }
error-line_too_long = The agent sent a message of more than { $limit }, which was dropped

# This program.
error-settings_read = Some settings could not be read and keep their defaults: { $path }
error-settings_write = Settings could not be saved: { $path }
error-rules_write = The rules file was not changed ({ $reason }): { $path }
error-dialog = The folder dialog could not be opened. Type the path instead.
error-no_editor = { $name } was not found. Choose another editor in the menu, or put its command on the PATH.
error-font = Code can’t be shown in this file, so the bundled font is used: { $path }
error-file_can_be_run = The system might run this file, so it is not opened. Choose an editor in the menu to read it: { $path }
error-open_link = The link could not be opened: { $url }

# Attachments and terminals.
error-file_not_saved = This file could not be written: { $path }. Choose another place.
error-file_unreadable = This file cannot be attached: { $name }
error-no_pictures = This agent takes no pictures
error-picture_too_large = This picture is too large: { $name }
error-no_terminal = No terminal was found. Run this command in one: { $command }
