# How much runs unasked: the chip in the composer and its menu.

level-title = What runs without asking
level-current = Runs without asking: { $level }
level-scope = For { $agent } in { $folder } only. Rules that deny or ask still hold, and protected files are always asked.
level-ask = Ask
level-ask-about = Everything the agent asks for is put to you
level-read_only = Read-only
level-read_only-about = Unity ops tools that change nothing
level-undoable = Undoable
level-undoable-about = Also ops tools that one undo takes back
level-all_ops = All ops
level-all_ops-about = Also all other ops tools that stay in the editor
level-all_tools = All tools
level-all_tools-about = Also commands, edits and other tools, where it is clear what they do and where

# Before it is raised.
level-raise = Raise to “{ $level }”
level-raise-all_ops = Ops that can’t be undone will run unasked, such as deleting assets.
level-raise-all_tools = Commands and edits in this folder will run unasked, and so will ops that reach outside of the editor.
level-keep = Keep asking
