# The agents to choose from: finding, starting and signing in.

backend-choose = Choose an agent
backend-never_asks = Runs tools without ever asking
backend-own_tools_never_ask = Runs commands and changes files without asking
backend-looking = Looking for agents…
backend-new_session_with = New session with
backend-not_installed = Not installed
backend-custom = Custom command…
backend-custom-name = Name
backend-custom-command = Command
backend-custom-command_hint = Program and arguments, as in a shell but run without one
backend-custom-add = Add
backend-custom-remove = Remove { $name }
backend-install-hint = Run this command, then look again:
backend-install-tooltip = Install with: { $command }
backend-searched = Places searched
backend-look_again = Look again
backend-log-show = Show log
backend-restart = Restart agent

# The agent that comes with the program.
backend-demo = Demo
backend-demo-short = Try the window: no account, no network
backend-demo-explanation = Plays a recorded session, so that you can try the window. No account, no network, and nothing on your disk is changed.
backend-demo-hint = Type anything for the next scene, or / to choose one

# The sign-in card.
backend-sign_in-heading = { $agent } needs you to sign in
backend-sign_in-with = Sign in with { $method }
backend-sign_in-agent = The agent opens its own sign-in, often in a browser
backend-sign_in-terminal = Sign in with this command in a terminal, then try again:
backend-sign_in-env_var = Set { $name } and start the program again
backend-sign_in-waiting = Waiting for “{ $method }” to finish, { $duration }
backend-sign_in-failed = Sign-in failed: { $message }
backend-sign_in-again = I have signed in, try again
backend-sign_in-open_terminal = Open terminal
backend-sign_in-timed_out = The sign-in was not finished in time. Try again.
backend-sign_in-no_method = The agent offers no way to sign in here. See its documentation.
