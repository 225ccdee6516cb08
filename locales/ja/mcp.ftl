# /mcp に答えるカード。

mcp-copy = テキストとしてコピー

# 1 行目：サーバーの数と状態。
mcp-counts = MCP サーバー { $count } 件
mcp-counts-none = MCP サーバーなし
mcp-counts-connected = 接続済み { $count } 件
mcp-counts-failed = 失敗 { $count } 件
mcp-counts-other = その他 { $count } 件

# 状態の出どころ。
mcp-source-agent = { $agent } からの報告
mcp-source-probe = Agent Panel が直接確認
mcp-source-not_reported = { $agent } に渡し済み（状態の報告なし）

# サーバーの状態。
mcp-state-connected = 接続済み
mcp-state-failed = 失敗
mcp-state-pending = 接続中
mcp-state-needs_auth = サインインが必要
mcp-state-unknown = 報告なし

mcp-tools = ツール { $count } 個
mcp-tools-show = { $name } のツールを表示
mcp-tools-hide = { $name } のツールを隠す
mcp-tool-wire_name = エージェントでの名前：{ $name }
mcp-tool-read_only = 読み取り専用
mcp-tool-destructive = 破壊的
mcp-tool-mark_hint = サーバー自身による申告

# テキストとしてのカード。
mcp-line = - { $name }：{ $state }
mcp-line-tools = - { $name }：{ $state }（{ $tools }）
mcp-line-tool = { $name }（{ $mark }）

# 再接続。
mcp-reconnect = 再接続
mcp-reconnect-server = { $name } に再接続
mcp-reconnect-running = 再接続中…
mcp-reconnect-restart = セッションを再起動して再接続
mcp-reconnect-restart_hint = このエージェントはサーバー単位で再接続できません。エージェントを再起動し、会話は保たれます。
mcp-reconnect-no_agent = エージェントが動いていないため再接続できません
mcp-reconnect-busy = ターンの実行中は再接続できません

# サーバーへのサインイン。
mcp-sign_in = エージェントのターミナル画面でこのサーバーにサインインしてから、再接続してください
mcp-sign_in-open = ターミナルを開く
mcp-sign_in-open_server = ターミナルを開いて { $name } にサインイン

# メモ。
mcp-none_yet = セッションが開いていないため、MCP サーバーの状態はまだ分かりません
mcp-reconnecting = { $name } に再接続しています
mcp-reconnected = { $name } に再接続しました
mcp-reconnect_failed = { $name } に再接続できませんでした：{ $message }
mcp-servers_changed = MCP サーバーの設定が変わりました。エージェントを再起動すると反映されます
mcp-servers_changed-restart = エージェントを再起動
mcp-not_passed = { $name } は渡されませんでした。このエージェントはこの種類のサーバーに対応していません
mcp-not_added = { $name } に接続できませんでした：{ $message }

# サーバー設定の画面。
mcp-page = MCP サーバー
mcp-page-hint = オンのサーバーが、この順番で新しいセッションごとにエージェントへ渡されます
mcp-page-empty = サーバーはまだありません
mcp-page-add = サーバーを追加…
mcp-page-import = ほかのツールから取り込む…
mcp-page-edit = 編集
mcp-page-edit_server = { $name } を編集
mcp-page-remove = 削除
mcp-page-remove_server = { $name } を削除
mcp-page-remove_sure = { $name } を完全に削除

# サーバー 1 件。
mcp-server-name = 名前
mcp-server-command = コマンド
mcp-server-args = 引数
mcp-server-arg = 引数 { $number }
mcp-server-arg_add = 引数を追加
mcp-server-arg_remove = 引数 { $number } を削除
mcp-server-url = アドレス
mcp-server-variables = 環境変数
mcp-server-variable = { $name } = { $value }
mcp-server-variable_name = 変数名
mcp-server-variable_value = 変数の値
mcp-server-variable_add = 変数を追加
mcp-server-headers = ヘッダー
mcp-server-header = { $name }: { $value }
mcp-server-header_name = ヘッダー名
mcp-server-header_value = ヘッダーの値
mcp-server-header_add = ヘッダーを追加
mcp-server-pair_remove = { $number } 行目を削除
mcp-server-values_show = 値を表示
mcp-server-values_hide = 値を隠す
mcp-server-save = 保存
mcp-server-no_name = 名前を入力してください
mcp-server-no_command = コマンドを入力してください
mcp-server-no_url = アドレスを入力してください
mcp-server-bad_url = アドレスは http:// か https:// で始まり、ホスト名を含む必要があります
mcp-server-bad_variable = この名前または値の環境変数は使えません：{ $name }
mcp-server-bad_header = この名前または値のヘッダーは使えません：{ $name }
mcp-server-taken = 同じ名前、またはエージェントが区別できない名前のサーバーがあります
mcp-server-reserved = この名前は Unity エディター専用です

# ここで書かれていないものの承認。
mcp-approve = 承認
mcp-approve-server = { $name } を承認
mcp-approve-off = オフにする
mcp-approve-heading = MCP サーバー { $name } は新規か、このウィンドウの外で変更されています。承認するまでエージェントには渡されません
mcp-approve-needed = 新規か、このウィンドウの外で変更されています。承認するまでエージェントには渡されません

# Unity エディターの ops サーバー。
mcp-unity-heading = Unity エディターがこのプロジェクトを開いています。エディターのサーバーを、このフォルダーのエージェントに渡しますか？
mcp-unity-pass = 渡す
mcp-unity-later = 今はしない
mcp-unity-switch = Unity エディターのサーバーを、このフォルダーのエージェントに渡す
mcp-unity-not_running = エディターがプロジェクトを開いていないか、パネルのパッケージがありません

# 取り込み。これらのファイルには何も書き込みません。
mcp-import-hint = ファイルは変更されません。追加する前に、各サーバーが何を実行するかを確認してください
mcp-import-nothing = Claude、Codex、Gemini、Qwen、Cursor、VS Code、.mcp.json のファイルにサーバーは見つかりませんでした
mcp-import-known = 追加済み
mcp-import-add = 追加
mcp-import-add_server = { $name } を追加
mcp-import-of_server = { $name }：{ $problem }
mcp-import-unreadable = このファイルは使えません：{ $reason }
mcp-import-syntax = { $line } 行目が正しくありません：{ $reason }
mcp-import-wrong_type = { $field } は{ $expected }でなければなりません
mcp-import-expected-text = 文字列
mcp-import-expected-text_list = 文字列のリスト
mcp-import-expected-text_table = 名前と文字列の組
mcp-import-expected-table = 名前と値の組
mcp-import-nothing_to_reach = コマンドもアドレスもありません
mcp-import-unknown_transport = 通信方式 { $transport } には対応していません
mcp-import-variable = 変数 { $name } は書かれたまま渡されます
mcp-import-ignored = { $field } に相当する設定はありません
mcp-import-not_local = エディターのサーバーはこのコンピューター上になければなりません
