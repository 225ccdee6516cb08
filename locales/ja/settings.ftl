# 設定。

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
settings-code_font = コードのフォント
settings-code_font-bundled = 内蔵フォントに戻す
settings-send_key = 送信キー
settings-send_key-enter = Enter
