# The record of decisions about tool calls, in the settings.

record-title = Record
record-reading = Reading the record…
record-count = { $count ->
    [one] 1 decision
   *[other] { $count } decisions
}
record-cut = Only the newest part of the file is shown; “agent-panel audit” prints all of it
record-broken = { $count ->
    [one] 1 line can’t be read
   *[other] { $count } lines can’t be read
}
record-unreadable = The record can’t be read: { $reason }
record-refresh = Read again
record-search = Tool, agent, folder or rule
record-all = All
record-asked = Asked
record-auto_allow = Allowed unasked
record-auto_deny = Denied unasked
record-not_asked = Never asked
record-you_allowed = You allowed it
record-you_denied = You denied it
record-withdrawn = Withdrawn
record-cancelled = Cancelled
record-agent_gone = Agent gone
record-unsure = tool unsure
record-ago = { $duration } ago
