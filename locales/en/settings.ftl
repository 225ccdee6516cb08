# Settings.

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
settings-code_font = Code font
settings-code_font-bundled = Use the bundled code font
settings-send_key = Send with
settings-send_key-enter = Enter
