# プロトコルログ。

protocol-title = プロトコルログ
protocol-counts = { $all } 件中 { $wanted } 件のフレーム
protocol-paused = 一時停止中
protocol-pause = 一時停止
protocol-continue = 再開
protocol-copy = 表示中のフレームをコピー
protocol-copy_frame = フレームをコピー
protocol-export = 表示中のフレームを記録として保存（秘密情報は除く）
protocol-close = プロトコルログを閉じる
protocol-way-all = 両方向
protocol-way-to_agent = エージェントへ
protocol-way-from_agent = エージェントから
protocol-method = メソッド
protocol-text = テキスト
protocol-span = このブロックと同時のもののみ
protocol-none = フレームはまだありません
protocol-show = フレームを表示
