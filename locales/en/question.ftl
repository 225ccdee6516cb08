# The card of an agent's question.

question-heading = { $count ->
    [one] { $agent } has a question
   *[other] { $agent } has { $count } questions
}
question-heading-url = { $agent } asks you to do something in your browser
question-tab = Q{ $number }
question-optional = Optional
question-many = Several answers are possible
question-many-optional = Optional, several answers are possible
question-other = Other…
question-other-field = Your own answer
question-field = Type your answer
question-number = Enter a number
question-number-whole = Enter a whole number
question-number-least = Enter a number from { $limit } up
question-number-most = Enter a number up to { $limit }
question-text-least = { $limit ->
    [one] Enter at least { $limit } character
   *[other] Enter at least { $limit } characters
}
question-text-most = { $limit ->
    [one] Enter at most { $limit } character
   *[other] Enter at most { $limit } characters
}
question-choice-least = Choose at least { $limit }
question-choice-most = Choose at most { $limit }
question-yes = Yes
question-no = No
question-submit = Submit
question-submit-missing = Answer every required question first
question-next = Next
question-skip = Skip
question-skip-hint = The agent goes on without an answer
question-progress = { $done } of { $total } answered

# Something to be done at a web address.
question-url-open = Open
question-url-done = Done
question-url-unsafe = This address cannot be opened from here. Check it carefully before you open it yourself.

# A note.
question-skipped = You skipped the question
