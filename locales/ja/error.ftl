# 何が起きたか、どうすればよいか。原因を先に、パスなど長い値を後に。

error-code = コード { $code }
error-details = 詳細

# エージェントの起動。
error-program_missing = { $program } が見つかりません
error-program_missing-searched = 検索した場所：
error-program_missing-next = インストールするか、別のエージェントを選択してください
error-start_failed = { $agent } を起動できません：{ $message }
error-start_failed-next = コマンドを確認するか、別のエージェントを選択してください
error-start_timeout = { $agent } が { $duration } 以内に応答しませんでした
error-protocol_version = { $agent } のプロトコルのバージョン { $version } には対応していません
error-protocol_version-next = エージェントまたはこのプログラムを更新してください

# エージェントの終了。
error-died-exit_code = エージェントが終了コード { $code } で終了しました
error-died-signal = エージェントがシグナル { $signal } で終了しました
error-died-unknown = エージェントが終了しました
error-died-closed = エージェントが接続を閉じました
error-died-stderr = 最後の出力
error-died-next = 続けるには再起動してください
error-restart_limit = { $agent } が { $count } 回続けて終了したため、自動では再起動しません
error-session_lost = セッションを読み込み直せなかったため、新しいセッションを開始しました

# 実行中のセッション。
error-prompt_failed = エージェントがエラーを返しました：{ $message }
error-prompt_failed-next = もう一度送信するか、エージェントを再起動してください
error-sign_in_needed = { $agent } へのサインインが必要です：{ $message }
error-sign_in-next = 下のカードでサインインすると続行します
error-not_confirmed = エージェントが { $duration } 以内に停止を確認しませんでした
error-option_failed = 設定が受け付けられませんでした：{ $message }
error-line_too_long = { $limit } を超えるメッセージを受信したため、破棄しました

# このプログラム。
error-settings_read = 読み取れない設定は既定値のままです：{ $path }
error-settings_write = 設定を保存できません：{ $path }
error-rules_write = ルールファイルを変更できませんでした（{ $reason }）：{ $path }
error-dialog = フォルダーの選択画面を開けません。パスを入力してください。
error-no_editor = { $name } が見つかりません。メニューで別のエディタを選ぶか、コマンドを PATH に追加してください。
error-font = コードの表示に使えないファイルのため、内蔵フォントを使います：{ $path }
error-file_can_be_run = システムが実行する可能性があるため、このファイルは開きません。メニューでエディタを選ぶと読めます：{ $path }
error-open_link = リンクを開けません：{ $url }

# 添付とターミナル。
error-file_not_saved = ファイルを書き込めませんでした：{ $path }。別の場所を選んでください。
error-file_unreadable = このファイルは添付できません：{ $name }
error-no_pictures = このエージェントは画像を受け取れません
error-picture_too_large = この画像は大きすぎます：{ $name }
error-no_terminal = ターミナルが見つかりません。次のコマンドを実行してください：{ $command }
