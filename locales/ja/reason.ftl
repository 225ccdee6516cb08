# ツール呼び出しを確認する理由、または確認せずに答えた理由。

reason-level = 「{ $level }」の設定では確認が必要
reason-allowed = 「{ $level }」の設定により許可
reason-rule-allow = ルールにより許可：{ $rule }（{ $file }）
reason-rule-allow_session = このセッションでの許可により実行：{ $rule }
reason-rule-ask = ルールにより確認：{ $rule }（{ $file }）
reason-rule-deny = ルールにより拒否：{ $rule }（{ $file }）
reason-wipes = ルート、ホーム、作業フォルダーを消すため常に拒否：{ $command }
reason-script_gate = Assets のスクリプトは UapStaging を経由するため、スクリプトゲートにより拒否：{ $path }
reason-broken_rules = このファイルが直るまで、ルールや範囲の設定では何も許可されません：{ $file }（{ $problem }）
reason-needs_person = あなたへの質問のため、自動では回答しません
reason-mismatch = 呼び出しの内容が食い違っています。候補：{ $readings }
reason-or = { $one }、{ $other }
reason-not_established = どのツールかはエージェントの自己申告のみ
reason-unknown_command = 実行するコマンドが不明
reason-outside_folder = 作業フォルダーの外：{ $path }
reason-unresolved_path = 実際の場所が不明：{ $path }
reason-unknown_files = どのファイルに触れるか不明
reason-unknown_host = 接続先のホストが不明
reason-no_allow_once = 実行可能ですが、今回だけ許可する選択肢が一つに決まりません

reason-protected-own = このプログラムの設定やルールのため保護：{ $path }
reason-protected-git = Git の管理ファイルのため保護：{ $path }
reason-protected-agent_config = エージェントやエディターの設定のため保護：{ $path }
reason-protected-startup = 自動的に実行されるため保護：{ $path }
reason-protected-secrets = 鍵やパスワードのため保護：{ $path }

# シェルの行を常に確認する理由。
reason-shell-empty = コマンドが空
reason-shell-too_long = コマンドが長すぎて検査できない
reason-shell-unparsed = シェルとして読み取れないコマンド
reason-shell-odd_character = 制御文字や見えない文字を含むコマンド
reason-shell-substitution = 別のコマンドを内部で実行するコマンド
reason-shell-expansion = 変数やファイル名のパターンを使うコマンド
reason-shell-dynamic_command = 実行時まで決まらないプログラム
reason-shell-compound = 繰り返し、条件、関数を含むコマンド
reason-shell-assignment = プログラムに変数を渡すコマンド
reason-shell-runs_code = 「{ $program }」は渡されたものを何でも実行
reason-shell-writes_file = { $file } への書き込み
reason-shell-unknown_shell = 検査できないシェルのコマンド

# 読み取れないルールファイル。
reason-problem-not_readable = 読み取り不可：{ $message }
reason-problem-version = version = 1 がない
reason-problem-field = { $place }：「{ $field }」が不足、不明、または種類違い
reason-problem-subject = { $place }：対象が一つに決まらない
reason-problem-pattern = { $place }：パターンではない：{ $pattern }
reason-problem-too_wide = { $place }：「{ $command }」では何でも実行できる
reason-problem-expiry = { $place }：期限に日付、時刻、時差がない
