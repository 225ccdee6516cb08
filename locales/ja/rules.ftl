# 設定の許可ルール一覧。

rules-title = 許可ルール
rules-about = 拒否は確認に、確認は許可に優先します。どのルールにも当てはまらないものは、入力欄の範囲の設定に従います。
rules-no_session = フォルダーのルールは、そこで開始したセッションを表示しているときに並びます
rules-of_user = 自分のルール
rules-of_folder = フォルダー { $folder } のルール
rules-of_session = このセッションを閉じるまでのルール
rules-open = { $file } を開く
rules-none = ルールなし
rules-problem = これが直るまで、ルールや範囲の設定では何も許可されません：{ $problem }
rules-remove = ルールを削除：{ $rule }

rules-effect-allow = 許可
rules-effect-ask = 確認
rules-effect-deny = 拒否

rules-about-tools = ツール { $tools }
rules-about-mcp_tool = MCP サーバー { $server } のツール { $tool }
rules-about-mcp_server = MCP サーバー { $server } の全ツール
rules-about-command = { $words } で始まるコマンド
rules-about-line = このコマンドのみ：{ $line }
rules-about-host = { $host } からの取得
rules-about-paths = { $paths } に触れるものすべて

rules-on_paths = 対象ファイル：{ $paths }
rules-in_folder = フォルダー：{ $folder }
rules-unchanged = 次のファイルが変わらない間のみ：{ $files }
rules-ends = あと { $duration } で終了
rules-ended = 期限切れ
rules-stored = { $duration }前に保存

rules-script_gate-heading = Unity
rules-script_gate = スクリプトゲート
rules-script_gate-about = このフォルダーでは、Assets のスクリプトの書き込みを UapStaging 経由に限ります。手順はエージェントに伝えます。

# 新しいルールの入力欄。
rules-new = 新しいルール
rules-kind-command = コマンド
rules-kind-line = 完全一致
rules-kind-tool = ツール
rules-kind-mcp = MCP ツール
rules-kind-path = ファイル
rules-kind-host = ホスト
rules-pattern = 対象
rules-hint-command = git push
rules-hint-line = make test
rules-hint-tool = Edit
rules-hint-mcp = server/tool または server/*
rules-hint-path = secrets/**
rules-hint-host = docs.rs または *.docs.rs
rules-scope-user = すべてのフォルダーで有効
rules-scope-folder = このフォルダーで、ルールファイルを共有する全員に有効
rules-this = このルール
rules-add = ルールを追加
