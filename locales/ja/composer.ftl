# 画面下の入力欄と、そこから送るもの。

composer-message = メッセージ
composer-placeholder = { $agent } へのメッセージ
composer-placeholder-working = 次のメッセージを送信待ちに追加
composer-placeholder-unavailable = エージェントを起動すると送信できます
composer-placeholder-sign_in = サインインすると送信できます

composer-send = 送信
composer-queue = 送信待ちに追加
composer-stop = 停止
composer-force_stop = 強制停止
composer-attach = 添付…
composer-attachment-remove = { $name } を外す

# 入力欄の下に出すキーの説明。
composer-hint-send = { $send } で送信、{ $newline } で改行
composer-hint-queue = { $send } でこのターンの終了後に送信

# ターンの終了を待つメッセージ。
composer-queued = 送信待ち { $count } 件
composer-queued-hint = このターンの終了後に送信
composer-queued-edit = 送信待ちのメッセージを編集
composer-queued-remove = 送信待ちのメッセージを削除

# エージェントが提供するスラッシュコマンド。
composer-commands = コマンド
composer-commands-none = 該当するコマンドなし
composer-commands-hint = { $up }/{ $down } で選択、{ $complete } で補完、{ $close } で閉じる
