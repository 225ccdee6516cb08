# 会話内の検索。

find-label = 会話内を検索
find-count = { $total } 件中 { $number } 件目
find-so_far = { $count } 件…
find-none = 一致なし
find-next = 次の一致（Enter、F3）
find-previous = 前の一致（Shift+Enter、Shift+F3）
find-close = 閉じる（Esc）
find-case-ignored = 大文字と小文字を区別しない
find-case-matters = 大文字と小文字を区別する
find-forms-ignored = 全角・半角、ひらがな・カタカナを区別しない
find-forms-matter = 全角・半角、ひらがな・カタカナを区別する
