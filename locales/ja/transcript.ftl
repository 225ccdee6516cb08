# セッションのブロック。

transcript-you = あなた
transcript-latest = 最新
transcript-latest-count = 最新（新着 { $count } 件）
transcript-latest-tooltip = 最新の位置へ移動
transcript-links-leads_to = このリンクの行き先は { $host }
transcript-links-open_it = 開く
transcript-links-copy = アドレスをコピー
transcript-links-open = { $url } を開く

transcript-thought = 思考
transcript-thought-running = 思考中
transcript-abandoned = 書き直し前
transcript-abandoned-hover = ここでモデルとの接続が切れたため、エージェントがこの部分を最初から書き直した

transcript-plan = 計画
transcript-plan-progress = { $total } 件中 { $done } 件完了
transcript-plan-pending = 未着手
transcript-plan-in_progress = 進行中
transcript-plan-completed = 完了
transcript-plan-priority_high = 優先度：高

transcript-attachment = 添付
transcript-image = 画像
transcript-image-named = 画像 { $name }
transcript-image-failed = 画像を表示できません
transcript-unsupported = 表示できない種類の内容：{ $kind }

# ツール呼び出し。
transcript-tool = ツール呼び出し
transcript-tool-pending = 待機中
transcript-tool-running = 実行中
transcript-tool-waiting = 回答待ち
transcript-tool-done = 完了
transcript-tool-failed = 失敗
transcript-tool-no_result = 結果なし
transcript-tool-stopped = エージェントとともに停止
transcript-tool-steps = { $count } ステップ
transcript-tool-updated = { $duration } 前に更新
transcript-tool-exit_code = 終了コード { $code }
transcript-tool-truncated = 出力の一部はエージェントが省略
transcript-hits-show_all = { $count } 件の一致をすべて表示
transcript-tool-cancelled = キャンセル済み
transcript-tool-denied = 拒否済み
transcript-tool-not_asked = エージェントが確認なしで実行
transcript-tool-input = 入力
transcript-tool-output = 出力
transcript-tool-terminal = ターミナル
transcript-tool-raw = 元データ
transcript-tool-raw_cut = 続きがあります。コピーするとすべて取得できます
transcript-tool-no_output = 出力なし
transcript-tool-kind-read = 読み取り
transcript-tool-kind-edit = 編集
transcript-tool-kind-delete = 削除
transcript-tool-kind-move = 移動
transcript-tool-kind-search = 検索
transcript-tool-kind-execute = 実行
transcript-tool-kind-fetch = 取得
transcript-tool-kind-switch_mode = モード切り替え
transcript-tool-plan = 計画の提案
transcript-tool-question = あなたへの質問

# 差分。
transcript-diff-new_file = 新規ファイル
transcript-diff-unchanged = 変更のない { $count } 行
transcript-changes = { $count } 個のファイルを変更
transcript-diff-binary = テキストではないファイル
transcript-diff-side_by_side = 左右に並べる
transcript-diff-unified = 1 列で表示
transcript-diff-nothing = 変更なし
transcript-diff-line_endings = 改行コードのみの変更
transcript-diff-show_all = ファイル全体を表示
transcript-diff-fold = 変更箇所のみ表示
transcript-diff-deleted_file = 削除されたファイル
transcript-diff-comparing = 長いテキストを比較しています…
transcript-diff-stop = 中止
transcript-diff-stopped = 比較していません
transcript-diff-compare = 比較する

# 完了したツール呼び出しをまとめた行。
transcript-group = { $count } ステップ · { $duration }
transcript-group-failed = 失敗 { $count } 件

# ターンの終わり方。
transcript-ended-cancelled = ユーザーが停止
transcript-ended-max_tokens = トークン数の上限で停止しました。メッセージを送ると続行します。
transcript-ended-max_turn_requests = 1 ターンの要求回数の上限で停止しました。メッセージを送ると続行します。
transcript-ended-refusal = エージェントが続行を断りました
transcript-ended-by_agent = エージェントが停止
transcript-ended-unknown = ターンが終了しました：{ $reason }

# 印。
transcript-late = ターンの終了後に到着
transcript-stray_lines = メッセージではない出力が { $count } 行ありました。ログで確認できます。
transcript-unrecognized = 未知の種類の更新を受信しました：{ $kind }
transcript-mode_changed = モードを { $mode } に変更
transcript-model_changed = モデルを { $model } に変更
transcript-option_changed = { $option } を { $value } に変更

# ブロックの間のメモ。
transcript-note-denied = 拒否しました：{ $title }
transcript-note-withdrawn = エージェントが要求を取り下げました：{ $title }
transcript-note-restarting = エージェントを再起動しています（{ $attempt }/{ $most } 回目）
transcript-note-restored = エージェントが復帰し、セッションを読み込みました
transcript-note-forgotten = エージェントはここまでの会話を忘れています

# コピーと長い内容。
transcript-copy_block = Markdown としてコピー
transcript-copy_all = 会話全体を Markdown としてコピー
transcript-copy_message = メッセージをコピー
transcript-copy_selection = コピー
transcript-text_menu = テキスト
transcript-copy_details = 詳細をコピー
transcript-code-copy = コードをコピー
transcript-code-numbers-show = 行番号を表示
transcript-code-numbers-hide = 行番号を隠す
transcript-right_to_left = 右から左への文字は順序が正しくないことがあります。コピーは元のままです。
transcript-output-copy = 出力をコピー
transcript-output-show_all = 全 { $count } 行を表示
transcript-output-show_less = 折りたたむ

# コンテキストやアカウントに起きたこと。
transcript-compacted = 会話を要約しました
transcript-compacted-before = 会話を要約しました（要約前 { $before } トークン）
transcript-compacted-both = 会話を要約しました：{ $before } トークンから { $after } へ
transcript-compacted-manual = 指示により会話を要約しました
transcript-compacted-manual-before = 指示により会話を要約しました（要約前 { $before } トークン）
transcript-compacted-manual-both = 指示により会話を要約しました：{ $before } トークンから { $after } へ
transcript-retrying = 再試行しています（{ $attempt } 回目）：{ $message }
transcript-retrying-of = 再試行しています（{ $most } 回中 { $attempt } 回目）：{ $message }
transcript-retrying-silent = 再試行しています（{ $attempt } 回目）
transcript-retrying-silent_of = 再試行しています（{ $most } 回中 { $attempt } 回目）
transcript-quota = アカウントの利用枠「{ $name }」を { $percent } % 使用済み
transcript-quota-resets = アカウントの利用枠「{ $name }」を { $percent } % 使用済み（{ $duration }後にリセット）

transcript-note-denied_by_rule = 実行しませんでした：{ $title }（{ $because }）
transcript-note-ran_unasked = 確認なしで実行されたツール呼び出し: { $count } 件
transcript-note-never_asks = { $agent } は確認なしでツールを実行します
transcript-note-own_tools_never_ask = { $agent } は確認なしでコマンドの実行とファイルの変更を行います
