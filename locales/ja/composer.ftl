# 画面下の入力欄と、そこから送るもの。

composer-message = メッセージ
composer-placeholder = { $agent } へのメッセージ
composer-placeholder-working = 次のメッセージを送信待ちに追加
composer-placeholder-unavailable = エージェントの起動後に送信されます
composer-placeholder-sign_in = サインイン後に送信されます

composer-send = 送信
composer-queue = 送信待ちに追加
composer-stop = 停止
composer-force_stop = 強制停止
composer-attach = 添付…
composer-attachment-remove = { $name } を外す
composer-picture = 画像

# 入力欄の下に出すキーの説明。
composer-hint-queue = このターンの終了後に送信

# ターンの終了を待つメッセージ。
composer-queued-hint = このターンの終了後に送信
composer-queued-message = 送信待ち：{ $message }
composer-queued-more = ほか { $count } 件が送信待ち
composer-queued-remove = 送信待ちの「{ $message }」を削除

# エージェントが提供するスラッシュコマンド。
composer-commands = コマンド
composer-commands-none = 該当するコマンドなし
composer-commands-clear = 新しいセッションを開始
composer-commands-compact = 会話を要約してコンテキストを空ける
composer-commands-mcp = MCP サーバーとツールを表示
