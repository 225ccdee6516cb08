# ステータスバー。

status-not_started = 未起動
status-starting = 起動中
status-starting-slow = 起動中（{ $duration } 経過）
status-signing_in = サインイン中
status-sign_in_needed = サインインが必要
status-ready = 準備完了
status-trust_needed = 先にフォルダーを信頼してください
status-compacting = 会話を要約中
status-working-tool = { $tool }、{ $duration }
status-working-duration = 作業中、{ $duration }
status-thinking-duration = 思考中、{ $duration }
status-still_reporting = 報告が続いています
status-waiting = 回答待ち
status-cancelling = 停止処理中
status-cancelling-unconfirmed = エージェントが停止を確認していません
status-stopped = エージェント停止
status-failed = エージェントのエラー

status-folder = フォルダー { $path }

# コンテキストメーター。
status-context = コンテキスト
status-context-percent = { $percent } %
status-context-percent_uncertain = 約 { $percent } %
status-context-tooltip = コンテキストウィンドウ：{ $size } トークン中 { $used } を使用
status-context-compacted = 圧縮済み
status-context-compacted-tooltip = 会話は要約されました。コンテキストの使用量はまだ報告されていません
status-context-uncertain = エージェントが報告する上限が一定しないため、割合は目安です
status-context-high = コンテキストウィンドウの残りがわずか：{ $size } トークン中 { $used } を使用
status-context-unknown = エージェントはコンテキストウィンドウを報告していません
status-context-used = コンテキスト { $used }
status-context-used_tooltip = コンテキストに { $used } トークン（上限は報告されていません）
status-context-over = 超過：{ $size } 中 { $used }
status-context-over_tooltip = コンテキストウィンドウを超えています：{ $size } トークン中 { $used }
status-context-source = { $agent } が { $age }前に報告
status-tokens = { $count } トークン
status-cost-tooltip = エージェントが報告したこのセッションの費用
status-usage = 使用量
status-usage-tokens = トークン
status-usage-turn = このターン
status-usage-last_turn = 前回のターン
status-usage-session = セッション
status-usage-input = 入力
status-usage-output = 出力
status-usage-cache_read = キャッシュから読み取り
status-usage-cache_write = キャッシュへ書き込み
status-usage-total = 合計
status-usage-cost = 費用
status-usage-cost_in = 費用（{ $currency }）
status-usage-no_turn = まだ使用なし：終了したターンがありません
status-usage-not_reported = { $agent } はトークン数を報告しません

# アカウントの利用枠。
status-quota = アカウントの利用枠
status-quota-resets = { $duration }後にリセット
status-quota-reset = リセット済み
