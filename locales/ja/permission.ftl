# 会話と入力欄のあいだのカード。

permission-asks = { $agent } が { $tool } の使用許可を求めています
permission-asks-untitled = { $agent } が許可を求めています
permission-asks-read = { $agent } がファイルの読み取り許可を求めています
permission-asks-edit = { $agent } がファイルの変更許可を求めています
permission-asks-delete = { $agent } が削除の許可を求めています
permission-asks-move = { $agent } が移動の許可を求めています
permission-asks-search = { $agent } が検索の許可を求めています
permission-asks-execute = { $agent } がコマンドの実行許可を求めています
permission-asks-fetch = { $agent } がネットワークからの取得許可を求めています
permission-asks-switch_mode = { $agent } がモードの切り替え許可を求めています
permission-asks-plan = { $agent } が計画を提案しています
permission-waiting = ほか { $count } 件が待機中
permission-details-show = 詳細を表示
permission-details-hide = 詳細を隠す
permission-show_all = 全 { $count } 文字を表示
permission-settling = 表示直後のため、少しのあいだ操作できません
permission-changed = エージェントがこの要求を変更しました
permission-elsewhere = { $agent } が「{ $session }」で回答を待っています
permission-elsewhere-show = 表示

# 名前のない選択肢の代わりに表示。
permission-option-allow_once = 今回だけ許可
permission-option-allow_always = 常に許可
permission-option-reject_once = 拒否
permission-option-reject_always = 常に拒否
permission-option-plan_yes = 計画を実行
permission-option-plan_no = 計画を続ける
permission-option-unnamed = 「{ $option }」と回答
permission-option-unknown = 種類の分からない回答

# その選択肢がこの要求のほかに及ぶ範囲。
permission-scope-allow_always = 以後の要求にも適用
permission-scope-reject_always = 以後の要求も拒否

# 要求の結果。

# 言葉を添えた拒否。
permission-reason = 理由を添えて拒否…
permission-reason-field = 理由や代わりにしてほしいことを入力
permission-reason-send = この理由で拒否
permission-reason-plan = 変更点を伝えて差し戻す…
permission-reason-plan-field = 変更してほしい点を入力
permission-reason-plan-send = この内容で差し戻す
permission-reason-as_message = このエージェントは回答に言葉を添えられないため、次のメッセージとして送信します

# 今後も許可するルール。
permission-always = 今後も許可…
permission-always-heading = { $folder } で確認なしに許可：
permission-always-mcp_tool = MCP サーバー { $server } のツール { $tool }（引数は問わない）
permission-always-tool = ツール { $tool }（引数は問わない）
permission-always-tool_in_folder = { $folder } のファイルへの { $tool }
permission-always-command = { $words } で始まるコマンド
permission-always-line = このコマンドのみ：{ $line }
permission-always-host = { $host } からの取得
permission-always-session = このセッション
permission-always-day = 1 日
permission-always-ever = ずっと
permission-always-home-user = 自分のルール
permission-always-home-folder = フォルダーのルール
permission-always-nowhere = ファイルには保存せず、セッションを閉じると終了
permission-always-file = 保存先：{ $file }
permission-always-bound = 次のファイルが変わらない間のみ有効：{ $files }
permission-always-store = 許可して記憶

# 今後は拒否するルール。選択肢の言葉は上と共通。
permission-never = 今後は拒否…
permission-never-heading = { $folder } で確認なしに拒否：
permission-never-store = 拒否して記憶
permission-wire_name = 通信上の名前：{ $name }

# まだエージェントを起動していないフォルダー。
permission-trust-heading = { $agent } を起動する前に、このフォルダーを信頼しますか?
permission-trust-yes = 信頼して開始
permission-trust-other = 別のフォルダーを選ぶ…
permission-trust-nothing = エージェントが自動的に読み込むものは見つかりませんでした
permission-trust-files = エージェントは次のファイルを自動的に読み込みます:
permission-trust-mcp_servers = MCP サーバーを起動
permission-trust-settings = 設定や権限を変更
permission-trust-hooks = コマンドを実行
permission-trust-instructions = 指示を与える
permission-trust-environment = 環境変数を設定
permission-trust-server = MCP サーバー { $name }：{ $line }
permission-trust-hook = { $event } で実行：{ $command }
permission-trust-variable = { $name } を設定
permission-trust-more = このファイルにはほかに { $count } 件
