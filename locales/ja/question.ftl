# エージェントからの質問のカード。

question-heading = { $count ->
    [1] { $agent } からの質問
   *[other] { $agent } からの質問（{ $count } 件）
}
question-heading-url = { $agent } がブラウザーでの操作を求めています
question-tab = 質問 { $number }
question-optional = 任意
question-many = 複数選択できます
question-many-optional = 任意・複数選択できます
question-other = その他…
question-other-field = 自由回答
question-field = 回答を入力
question-number = 数値を入力してください
question-number-whole = 整数を入力してください
question-number-least = { $limit } 以上の数値を入力してください
question-number-most = { $limit } 以下の数値を入力してください
question-text-least = { $limit } 文字以上で入力してください
question-text-most = { $limit } 文字以内で入力してください
question-choice-least = { $limit } 件以上選択してください
question-choice-most = { $limit } 件まで選択できます
question-yes = はい
question-no = いいえ
question-submit = 回答を送信
question-submit-missing = 必須の質問にすべて回答すると送信できます
question-next = 次へ
question-skip = スキップ
question-skip-hint = エージェントは回答なしで先へ進みます
question-progress = 回答 { $done } / { $total }

# ウェブアドレスでの操作。
question-url-open = 開く
question-url-done = 完了
question-url-unsafe = このアドレスはここからは開けません。自分で開く前によく確認してください。

# メモ。
question-skipped = 質問をスキップしました
