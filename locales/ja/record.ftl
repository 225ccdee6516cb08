# 設定の、ツール呼び出しの判断の記録。

record-title = 記録
record-reading = 記録を読み込み中…
record-count = { $count } 件の判断
record-cut = ファイルの新しい部分のみ表示（すべては「agent-panel audit」で出力）
record-broken = 読み取れない行：{ $count } 行
record-unreadable = 記録を読み取れません：{ $reason }
record-refresh = 読み直す
record-search = ツール、エージェント、フォルダー、ルール
record-all = すべて
record-asked = 確認あり
record-auto_allow = 自動で許可
record-auto_deny = 自動で拒否
record-not_asked = 確認なし
record-you_allowed = あなたが許可
record-you_denied = あなたが拒否
record-withdrawn = 取り下げ
record-cancelled = キャンセル
record-agent_gone = エージェント終了
record-unsure = ツール不確か
record-ago = { $duration }前
