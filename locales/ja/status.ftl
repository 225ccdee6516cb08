# ステータスバー。

status-name = 状態
status-not_started = 未起動
status-starting = 起動中
status-starting-slow = 起動中（{ $duration } 経過）
status-signing_in = サインイン中
status-sign_in_needed = サインインが必要
status-ready = 準備完了
status-working = 作業中
status-compacting = 会話を要約中
status-working-tool = { $tool }、{ $duration }
status-working-duration = 作業中、{ $duration }
status-thinking = 思考中
status-thinking-duration = 思考中、{ $duration }
status-still_reporting = 報告が続いています
status-waiting = 回答待ち
status-cancelling = 停止処理中
status-cancelling-unconfirmed = エージェントが停止を確認していません
status-loading = セッションを読み込み中
status-restarting = 再起動中（{ $limit } 回中 { $attempt } 回目）
status-stopped = エージェント停止
status-failed = エージェントのエラー

status-folder = フォルダー { $path }
status-branch = ブランチ { $name }

# コンテキストメーター。
status-context = コンテキスト
status-context-percent = { $percent } %
status-context-tooltip = コンテキストウィンドウ：{ $size } トークン中 { $used } を使用
status-context-compacted = 圧縮済み
status-context-compacted-tooltip = 会話は要約されました。コンテキストの使用量はまだ報告されていません
status-context-uncertain = { $size } 中 { $used } トークン(エージェントが報告する上限が一定していません)
status-context-high = コンテキストウィンドウの残りがわずか：{ $size } トークン中 { $used } を使用
status-context-unknown = エージェントはコンテキストウィンドウを報告していません
status-context-used = コンテキスト { $used }
status-context-used_tooltip = コンテキストに { $used } トークン（上限は報告されていません）
status-context-over = 超過：{ $size } 中 { $used }
status-context-over_tooltip = コンテキストウィンドウを超えています：{ $size } トークン中 { $used }
status-context-source = { $agent } が { $age } 前に報告
status-tokens = { $count } トークン
status-tokens-tooltip = 入力 { $input }、出力 { $output }
status-cost = { $amount } { $currency }
status-cost-tooltip = エージェントが報告したこのセッションの費用
status-usage = 使用量
status-usage-tokens = このセッションのトークン
status-usage-input = 入力
status-usage-output = 出力
status-usage-cache_read = キャッシュから読み取り
status-usage-cache_write = キャッシュへ書き込み
status-usage-total = 合計
status-usage-cost = 費用
status-usage-no_turn = まだ使用なし：終了したターンがありません
status-usage-not_reported = エージェントはトークン数を報告していません
