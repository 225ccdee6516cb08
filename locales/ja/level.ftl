# 確認なしで実行する範囲。入力欄のチップとそのメニュー。

level-title = 確認なしで実行する範囲
level-current = 確認なしで実行：{ $level }
level-scope = { $folder } での { $agent } にのみ適用。拒否や確認のルールはそのまま有効で、保護されたファイルは常に確認します。
level-ask = 毎回確認
level-ask-about = エージェントの要求をすべて確認
level-read_only = 読み取りのみ
level-read_only-about = 何も変更しない Unity ops ツール
level-undoable = 元に戻せる操作
level-undoable-about = さらに、一度の取り消しで元に戻せる ops ツール
level-all_ops = 全 ops
level-all_ops-about = さらに、エディター内で完結するほかの全 ops ツール
level-all_tools = 全ツール
level-all_tools-about = さらに、内容と対象が明らかなコマンド、編集、その他のツール

# 引き上げる前の確認。
level-raise = 「{ $level }」に引き上げる
level-raise-all_ops = アセットの削除など、元に戻せない ops も確認なしで実行されます。
level-raise-all_tools = このフォルダーでのコマンドや編集と、エディターの外に及ぶ ops も確認なしで実行されます。
level-keep = 確認を続ける
