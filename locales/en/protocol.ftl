# The protocol log.

protocol-title = Protocol log
protocol-counts = { $wanted } of { $all } frames
protocol-paused = Paused
protocol-pause = Pause
protocol-continue = Continue
protocol-copy = Copy the shown frames
protocol-copy_frame = Copy frame
protocol-export = Save the shown frames as a recording, without secrets
protocol-close = Close the protocol log
protocol-way-all = Both ways
protocol-way-to_agent = To the agent
protocol-way-from_agent = From the agent
protocol-method = Method
protocol-text = Text
protocol-span = Only what went by with this block
protocol-none = No frames yet
protocol-show = Show frames
