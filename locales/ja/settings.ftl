# 設定。

settings-name = 設定
settings-open = 設定…
settings-close = 設定を閉じる
settings-language = 言語
settings-language-system = システム
settings-theme = テーマ
settings-theme-system = システム
settings-theme-dark = ダーク
settings-theme-light = ライト
settings-editor = ファイルを開くアプリ
settings-editor-system = システム
settings-text_size = 文字サイズ
settings-text_size-larger = 文字を大きく
settings-text_size-smaller = 文字を小さく
settings-text_size-reset = 標準の文字サイズ
settings-send_key = 送信キー
settings-send_key-enter = Enter
settings-send_key-ctrl_enter = Ctrl+Enter
settings-thoughts = 思考を表示
settings-default_backend = 起動時のエージェント
settings-default_folder = 起動時のフォルダー
settings-file = 設定ファイル
settings-file-show = 設定ファイルの場所を開く
