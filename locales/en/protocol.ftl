# The view of the wire.

protocol-title = Protocol log
protocol-show = Show the protocol log
protocol-title-block = Raw frames
protocol-count = { $shown } of { $total }
protocol-block = Raw frames
protocol-close = Close the log
protocol-export = Export as a recording
protocol-export-tooltip = Saves what the filter shows, without keys and tokens. agent-panel replay plays it.
protocol-copy = Copy what the filter shows
protocol-pause = Pause
protocol-resume = Go on
protocol-all = All frames
protocol-both = All
protocol-sent = Sent
protocol-received = Received
protocol-filter = Filter
protocol-filter-hint = Method or text
protocol-empty = No frame has been kept.
protocol-nothing_found = No frame matches.
protocol-stray = not a message
protocol-answer = answer to #{ $id }
protocol-error = error for #{ $id }
protocol-detail-close = Hide this frame
protocol-detail-copy = Copy this frame
protocol-detail-cut = Only its start is shown; copying gives all that was kept.
