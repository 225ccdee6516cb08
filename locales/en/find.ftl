# Finding text in a transcript.

find-label = Find in the transcript
find-count = { $number } of { $total }
find-so_far = { $count } so far…
find-none = No matches
find-next = Next match (Enter, F3)
find-previous = Previous match (Shift+Enter, Shift+F3)
find-close = Close (Esc)
find-case-ignored = Upper and lower case are the same
find-case-matters = Upper and lower case differ
find-forms-ignored = Width and kana forms are the same
find-forms-matter = Width and kana forms differ
