# プロトコルの記録。

protocol-title = 通信ログ
protocol-show = 通信ログを表示
protocol-title-block = 生のフレーム
protocol-count = { $total } 件中 { $shown } 件
protocol-block = 生のフレーム
protocol-close = ログを閉じる
protocol-export = 記録として書き出す
protocol-export-tooltip = 絞り込んだ内容を、鍵やトークンを除いて保存します。agent-panel replay で再生できます。
protocol-copy = 絞り込んだ内容をコピー
protocol-pause = 一時停止
protocol-resume = 再開
protocol-all = すべてのフレーム
protocol-both = すべて
protocol-sent = 送信
protocol-received = 受信
protocol-filter = 絞り込み
protocol-filter-hint = メソッド名または文字列
protocol-empty = 残っているフレームはありません。
protocol-nothing_found = 一致するフレームはありません。
protocol-stray = メッセージではない行
protocol-answer = #{ $id } への応答
protocol-error = #{ $id } のエラー
protocol-detail-close = このフレームを隠す
protocol-detail-copy = このフレームをコピー
protocol-detail-cut = 先頭だけを表示しています。コピーすると、残っている全体が入ります。
