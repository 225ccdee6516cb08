# /mcp に答えるカード。

mcp-copy = テキストとしてコピー

# 1 行目：サーバーの数と状態。
mcp-counts = MCP サーバー { $count } 件
mcp-counts-none = MCP サーバーなし
mcp-counts-connected = 接続済み { $count } 件
mcp-counts-failed = 失敗 { $count } 件
mcp-counts-other = その他 { $count } 件

# 状態の出どころ。
mcp-source-agent = { $agent } からの報告
mcp-source-probe = Agent Panel が直接確認
mcp-source-not_reported = { $agent } に渡し済み（状態の報告なし）

# サーバーの状態。
mcp-state-connected = 接続済み
mcp-state-failed = 失敗
mcp-state-pending = 接続中
mcp-state-needs_auth = サインインが必要
mcp-state-unknown = 報告なし

mcp-tools = ツール { $count } 個
mcp-tools-show = { $name } のツールを表示
mcp-tools-hide = { $name } のツールを隠す
mcp-tool-wire_name = エージェントでの名前：{ $name }
mcp-tool-read_only = 読み取り専用
mcp-tool-destructive = 破壊的
mcp-tool-mark_hint = サーバー自身による申告

# テキストとしてのカード。
mcp-line = - { $name }：{ $state }
mcp-line-tools = - { $name }：{ $state }（{ $tools }）
mcp-line-tool = { $name }（{ $mark }）

# 再接続。
mcp-reconnect = 再接続
mcp-reconnect-server = { $name } に再接続
mcp-reconnect-running = 再接続中…
mcp-reconnect-restart = セッションを再起動して再接続
mcp-reconnect-restart_hint = このエージェントはサーバー単位で再接続できません。エージェントを再起動し、会話は保たれます。
mcp-reconnect-no_agent = エージェントが動いていないため再接続できません
mcp-reconnect-busy = ターンの実行中は再接続できません

# サーバーへのサインイン。
mcp-sign_in = エージェントのターミナル画面でこのサーバーにサインインしてから、再接続してください
mcp-sign_in-open = ターミナルを開く
mcp-sign_in-open_server = ターミナルを開いて { $name } にサインイン

# メモ。
mcp-none_yet = セッションが開いていないため、MCP サーバーの状態はまだ分かりません
mcp-reconnecting = { $name } に再接続しています
mcp-reconnected = { $name } に再接続しました
mcp-reconnect_failed = { $name } に再接続できませんでした：{ $message }
