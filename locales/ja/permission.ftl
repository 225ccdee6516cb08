# 会話と入力欄のあいだのカード。

permission-heading = 許可の確認
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
permission-waiting = ほか { $count } 件が待機中
permission-command = コマンド
permission-path = パス
permission-details-show = 詳細を表示
permission-details-hide = 詳細を隠す
permission-show_all = 全 { $count } 文字を表示
permission-keys_hint = カードにフォーカスして選択肢の番号キーで回答
permission-settling = 表示直後のため、少しのあいだ操作できません
permission-changed = エージェントがこの要求を変更しました
permission-elsewhere = { $agent } が「{ $session }」で回答を待っています
permission-elsewhere-show = 表示
permission-no_options = 回答の選択肢がありません。続けるにはターンを停止してください。

# 名前のない選択肢の代わりに表示。
permission-option-allow_once = 今回だけ許可
permission-option-allow_always = 常に許可
permission-option-reject_once = 拒否
permission-option-reject_always = 常に拒否
permission-option-unnamed = 「{ $option }」と回答
permission-option-unknown = 種類の分からない回答

# その選択肢がこの要求のほかに及ぶ範囲。
permission-scope-allow_always = 以後の要求にも適用
permission-scope-reject_always = 以後の要求も拒否

# 要求の結果。
permission-answered = 回答：{ $option }
permission-answered-denied = 拒否：{ $tool }
permission-answered-cancelled = ターンの停止により未回答
permission-answered-policy = ルールによる自動回答：{ $option }
permission-answer_dropped = 要求がすでに閉じられていたため、回答は送信されませんでした
