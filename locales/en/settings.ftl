# Settings.

settings-name = Settings
settings-open = Settings…
settings-close = Close settings
settings-language = Language
settings-language-system = System
settings-theme = Theme
settings-theme-system = System
settings-theme-dark = Dark
settings-theme-light = Light
settings-editor = Open files with
settings-editor-system = System
settings-text_size = Text size
settings-text_size-larger = Larger text
settings-text_size-smaller = Smaller text
settings-text_size-reset = Default text size
settings-send_key = Send with
settings-send_key-enter = Enter
settings-send_key-ctrl_enter = Ctrl+Enter
settings-thoughts = Show thoughts
settings-default_backend = Agent at start
settings-default_folder = Folder at start
settings-file = Settings file
settings-file-show = Show the settings file
