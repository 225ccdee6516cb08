# 選べるエージェント：検索、起動、サインイン。

backend-choose = エージェントを選択
backend-never_asks = 確認なしでツールを実行
backend-own_tools_never_ask = 確認なしでコマンドの実行とファイルの変更を行う
backend-looking = エージェントを検索中…
backend-new_session_with = 新規セッションのエージェント
backend-not_installed = 未インストール
backend-custom = カスタムコマンド…
backend-custom-name = 名前
backend-custom-command = コマンド
backend-custom-command_hint = プログラムと引数（シェルと同じ書き方、シェルは使用しない）
backend-custom-add = 追加
backend-custom-remove = { $name } を削除
backend-install-hint = 次のコマンドを実行してから再検索：
backend-install-tooltip = インストール：{ $command }
backend-searched = 検索した場所
backend-look_again = 再検索
backend-log-show = ログを表示
backend-restart = エージェントを再起動

# 同梱のエージェント。
backend-demo = デモ
backend-demo-short = アカウントもネットワークも不要のお試し
backend-demo-explanation = 記録済みのセッションを再生し、ウィンドウの動きを試せます。アカウントもネットワークも不要で、ディスクの内容は変わりません。
backend-demo-hint = 何か入力すると次の場面へ、/ で場面を選択

# サインインのカード。
backend-sign_in-heading = { $agent } へのサインインが必要です
backend-sign_in-with = { $method } でサインイン
backend-sign_in-agent = エージェントがサインイン画面を開きます（多くはブラウザー）
backend-sign_in-terminal = ターミナルで次のコマンドを実行してサインインし、再試行：
backend-sign_in-env_var = { $name } を設定してからこのプログラムを起動し直してください
backend-sign_in-waiting = 「{ $method }」の完了待ち（{ $duration }）
backend-sign_in-failed = サインインに失敗しました：{ $message }
backend-sign_in-again = サインインしたので再試行
backend-sign_in-open_terminal = ターミナルを開く
backend-sign_in-timed_out = 時間内にサインインが完了しませんでした。もう一度お試しください。
backend-sign_in-no_method = ここで使えるサインイン方法がありません。エージェントの説明書を確認してください。
