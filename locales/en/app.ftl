# The window: header, menus, list of sessions, and words used everywhere.

app-name = Agent Panel
app-menu = Menu
app-backend = Agent
app-backend-current = Agent: { $agent }
app-backend-tooltip = Agents and sessions
app-model = Model
app-mode = Mode
app-mode-unasked = doesn’t always ask
app-mode-unasked-about = In this mode the agent runs things that you were never asked about
app-level = Level
app-options = Session options
app-search = Search
app-search-nothing_found = Nothing found
app-about = About Agent Panel
app-about-text = Agent Panel { $version }: one window for any coding agent that speaks the Agent Client Protocol. Licensed under MIT or Apache-2.0. Fonts: Inter, JetBrains Mono, Noto Sans JP, Noto Sans Symbols 2 (OFL-1.1); icons: Phosphor (MIT).
app-drop = Drop files to attach them, or a folder to work in it
app-new_session = New session
app-session-untitled = Untitled session
app-session-title = Session: { $title }
app-session-close = Close { $title }
app-sessions = Sessions
app-sessions-show = Show sessions
app-sessions-hide = Hide sessions
app-sessions-empty = No sessions yet
app-save-title = Save
app-quit = Quit

# Words on buttons.
app-action-cancel = Cancel
app-action-close = Close
app-action-copy = Copy
app-action-copied = Copied
app-action-open = Open
app-action-open_raw = Open raw
app-action-hide_raw = Hide raw
app-action-expand = Expand
app-action-collapse = Collapse
app-action-expand_all = Expand all
app-action-collapse_all = Collapse all
app-action-show_all = Show all { $count }
app-action-dismiss = Dismiss
app-action-retry = Try again
app-action-more = More

# A tooltip that also names the keys of an action.
app-tooltip = { $label } ({ $keys })

# The folder that a session works in.
app-folder = Folder
app-folder-ask = Which folder should it work in?
app-folder-ask_hint = The agent reads and changes files there. You can change the folder at any time.
app-folder-choose = Choose folder…
app-folder-recent = Recent folders
app-folder-path = Folder path
app-folder-path_hint = Type or drop a path
app-folder-use = Use this folder
app-folder-missing = There is no folder at { $path }
app-folder-next_session = Used by the next session

# Before the first prompt.
app-empty-heading = What should { $agent } work on?
app-empty-hint = It works in { $folder }

# Durations, as short as a person needs them.
app-duration-ms = { $ms } ms
app-duration-seconds = { $seconds } s
app-duration-minutes = { $minutes } min { $seconds } s
app-duration-hours = { $hours } h { $minutes } min
app-duration-days = { $days } d { $hours } h
app-duration-only_minutes = { $minutes } min
app-duration-short = <1 min
