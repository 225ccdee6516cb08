# ウィンドウ：ヘッダー、メニュー、セッション一覧、共通の語。

app-name = Agent Panel
app-menu = メニュー
app-backend = エージェント
app-backend-current = エージェント：{ $agent }
app-backend-tooltip = エージェントとセッション
app-model = モデル
app-mode = モード
app-mode-unasked = 確認しない場合あり
app-mode-unasked-about = このモードでは、確認なしで実行されることがあります
app-level = レベル
app-options = セッションの設定
app-search = 検索
app-search-nothing_found = 見つかりません
app-about = Agent Panel について
app-about-text = Agent Panel { $version }：Agent Client Protocol に対応するコーディングエージェントのためのウィンドウです。ライセンスは MIT または Apache-2.0。フォント：Inter、JetBrains Mono、Noto Sans JP、Noto Sans Symbols 2（OFL-1.1）。アイコン：Phosphor（MIT）。
app-drop = ファイルをドロップして添付、フォルダーをドロップして作業フォルダーに設定
app-new_session = 新規セッション
app-session-untitled = 無題のセッション
app-session-title = セッション：{ $title }
app-session-close = { $title } を閉じる
app-sessions = セッション
app-sessions-show = セッション一覧を表示
app-sessions-hide = セッション一覧を隠す
app-sessions-empty = セッションはまだありません
app-save-title = 保存
app-quit = 終了

# ボタンの語。
app-action-cancel = キャンセル
app-action-close = 閉じる
app-action-copy = コピー
app-action-copied = コピーしました
app-action-open = 開く
app-action-open_raw = 元データを表示
app-action-hide_raw = 元データを隠す
app-action-expand = 展開
app-action-collapse = 折りたたむ
app-action-expand_all = すべて展開
app-action-collapse_all = すべて折りたたむ
app-action-show_all = { $count } 件すべて表示
app-action-dismiss = 閉じる
app-action-retry = 再試行
app-action-more = その他

# 操作のキーも示すツールチップ。
app-tooltip = { $label }（{ $keys }）

# セッションの作業フォルダー。
app-folder = フォルダー
app-folder-ask = どのフォルダーで作業しますか？
app-folder-ask_hint = エージェントはこのフォルダーのファイルを読み書きします。フォルダーはいつでも変更できます。
app-folder-choose = フォルダーを選択…
app-folder-recent = 最近のフォルダー
app-folder-path = フォルダーのパス
app-folder-path_hint = パスを入力またはドロップ
app-folder-use = このフォルダーを使う
app-folder-missing = フォルダーが見つかりません：{ $path }
app-folder-next_session = 次のセッションから使用

# 最初のプロンプトの前。
app-empty-heading = { $agent } に何を頼みますか？
app-empty-hint = 作業フォルダー：{ $folder }

# 所要時間。
app-duration-ms = { $ms } ミリ秒
app-duration-seconds = { $seconds } 秒
app-duration-minutes = { $minutes } 分 { $seconds } 秒
app-duration-hours = { $hours } 時間 { $minutes } 分
app-duration-days = { $days } 日 { $hours } 時間
app-duration-only_minutes = { $minutes } 分
app-duration-short = 1 分未満
