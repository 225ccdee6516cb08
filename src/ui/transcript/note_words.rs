//! Notes about the context, quotas, MCP servers and questions in words.

use crate::core::notice::Note;
use crate::core::time::Timestamp;
use crate::core::usage::CompactionTrigger;
use crate::i18n::I18n;
use crate::ui::format;
use crate::ui::panels::names;
use crate::ui::untrusted::{one_line, visible};

/// The words of a note that was made at this time; `None` for a note of another kind.
pub fn words(i18n: &I18n, note: &Note, at: Timestamp) -> Option<String> {
    let words = match note {
        Note::Compacted {
            trigger,
            before,
            after,
        } => compacted(i18n, *trigger, *before, *after),
        Note::Retrying {
            attempt,
            most,
            message,
        } => retrying(i18n, *attempt, *most, &one_line(message)),
        Note::Agent(text) => visible(text.trim_end()),
        Note::QuotaNearlyUsed {
            name,
            percent,
            resets_at,
        } => {
            let left = resets_at.map(|resets_at| resets_at.millis_since(at));
            quota(i18n, &names::quota(name), *percent, left)
        }
        Note::NoMcpYet => i18n.tr("mcp.none_yet").to_owned(),
        Note::McpReconnecting { server } => {
            i18n.tr_args("mcp.reconnecting", &[("name", one_line(server).into())])
        }
        Note::McpReconnected { server } => {
            i18n.tr_args("mcp.reconnected", &[("name", one_line(server).into())])
        }
        Note::McpReconnectFailed { server, message } => {
            let args = [
                ("name", one_line(server).into()),
                ("message", one_line(message).into()),
            ];
            i18n.tr_args("mcp.reconnect_failed", &args)
        }
        Note::QuestionSkipped => i18n.tr("question.skipped").to_owned(),
        Note::McpServersChanged => i18n.tr("mcp.servers_changed").to_owned(),
        Note::McpNotPassed { server } => {
            i18n.tr_args("mcp.not_passed", &[("name", one_line(server).into())])
        }
        Note::McpNotAdded { server, message } => {
            let args = [
                ("name", one_line(server).into()),
                ("message", one_line(message).into()),
            ];
            i18n.tr_args("mcp.not_added", &args)
        }
        _ => return None,
    };
    Some(words)
}

/// Whether the person may have to do something about it.
pub fn needs_attention(note: &Note) -> bool {
    matches!(
        note,
        Note::McpReconnectFailed { .. } | Note::McpNotPassed { .. } | Note::McpNotAdded { .. }
    )
}

fn compacted(
    i18n: &I18n,
    trigger: CompactionTrigger,
    before: Option<u64>,
    after: Option<u64>,
) -> String {
    let manual = trigger == CompactionTrigger::Manual;
    match (before, after) {
        (Some(before), Some(after)) => {
            let key = if manual {
                "transcript.compacted.manual.both"
            } else {
                "transcript.compacted.both"
            };
            let args = [
                ("before", format::count(before).into()),
                ("after", format::count(after).into()),
            ];
            i18n.tr_args(key, &args)
        }
        (Some(before), None) => {
            let key = if manual {
                "transcript.compacted.manual.before"
            } else {
                "transcript.compacted.before"
            };
            i18n.tr_args(key, &[("before", format::count(before).into())])
        }
        (None, _) if manual => i18n.tr("transcript.compacted.manual").to_owned(),
        (None, _) => i18n.tr("transcript.compacted").to_owned(),
    }
}

fn retrying(i18n: &I18n, attempt: u64, most: Option<u64>, message: &str) -> String {
    match (most, message) {
        (None, "") => {
            let args = [("attempt", attempt.into())];
            i18n.tr_args("transcript.retrying.silent", &args)
        }
        (None, message) => {
            let args = [("attempt", attempt.into()), ("message", message.into())];
            i18n.tr_args("transcript.retrying", &args)
        }
        (Some(most), "") => {
            let args = [("attempt", attempt.into()), ("most", most.into())];
            i18n.tr_args("transcript.retrying.silent_of", &args)
        }
        (Some(most), message) => {
            let args = [
                ("attempt", attempt.into()),
                ("most", most.into()),
                ("message", message.into()),
            ];
            i18n.tr_args("transcript.retrying.of", &args)
        }
    }
}

fn quota(i18n: &I18n, name: &str, percent: u8, left_millis: Option<u64>) -> String {
    let percent = u32::from(percent);
    if let Some(millis) = left_millis.filter(|millis| *millis > 0) {
        let args = [
            ("name", name.into()),
            ("percent", percent.into()),
            ("duration", format::span(i18n, millis).into()),
        ];
        i18n.tr_args("transcript.quota.resets", &args)
    } else {
        let args = [("name", name.into()), ("percent", percent.into())];
        i18n.tr_args("transcript.quota", &args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;

    fn compacted(trigger: CompactionTrigger, before: Option<u64>, after: Option<u64>) -> Note {
        Note::Compacted {
            trigger,
            before,
            after,
        }
    }

    fn retrying(most: Option<u64>, message: &str) -> Note {
        Note::Retrying {
            attempt: 2,
            most,
            message: message.to_owned(),
        }
    }

    #[test]
    fn notes_in_both_languages() {
        let server = || "files".to_owned();
        let cases = [
            (
                compacted(CompactionTrigger::Automatic, Some(84_200), Some(12_000)),
                "Conversation summarized: 84.2k tokens became 12k",
                "会話を要約しました：84.2k トークンから 12k へ",
            ),
            (
                compacted(CompactionTrigger::Manual, Some(84_200), None),
                "Conversation summarized at your request, from 84.2k tokens",
                "指示により会話を要約しました（要約前 84.2k トークン）",
            ),
            (
                compacted(CompactionTrigger::Automatic, None, None),
                "Conversation summarized",
                "会話を要約しました",
            ),
            (
                retrying(Some(10), "overloaded\n"),
                "The agent tries again, 2 of 10: overloaded",
                "再試行しています（10 回中 2 回目）：overloaded",
            ),
            (
                retrying(None, "529"),
                "The agent tries again, attempt 2: 529",
                "再試行しています（2 回目）：529",
            ),
            (
                retrying(Some(10), ""),
                "The agent tries again, 2 of 10",
                "再試行しています（10 回中 2 回目）",
            ),
            (
                Note::Agent("Total cost: $0.02\n".to_owned()),
                "Total cost: $0.02",
                "Total cost: $0.02",
            ),
            (
                Note::McpReconnecting { server: server() },
                "Reconnecting to files",
                "files に再接続しています",
            ),
            (
                Note::McpReconnected { server: server() },
                "files is connected again",
                "files に再接続しました",
            ),
            (
                Note::McpReconnectFailed {
                    server: server(),
                    message: "ENOENT".to_owned(),
                },
                "files could not be reconnected: ENOENT",
                "files に再接続できませんでした：ENOENT",
            ),
            (
                Note::QuestionSkipped,
                "You skipped the question",
                "質問をスキップしました",
            ),
        ];
        check(cases);
    }

    #[test]
    fn notes_about_servers_in_both_languages() {
        let server = || "files".to_owned();
        check([
            (
                Note::McpServersChanged,
                "The MCP servers have changed. The agent gets them when it is started again",
                "MCP サーバーの設定が変わりました。エージェントを再起動すると反映されます",
            ),
            (
                Note::McpNotPassed { server: server() },
                "files was not passed to the agent, which takes no servers of this kind",
                "files は渡されませんでした。このエージェントはこの種類のサーバーに対応していません",
            ),
            (
                Note::McpNotAdded {
                    server: server(),
                    message: "ENOENT".to_owned(),
                },
                "files could not be connected: ENOENT",
                "files に接続できませんでした：ENOENT",
            ),
        ]);
    }

    fn check<const COUNT: usize>(cases: [(Note, &str, &str); COUNT]) {
        let (english, japanese) = (I18n::new(Language::English), I18n::new(Language::Japanese));
        for (note, in_english, in_japanese) in cases {
            let at = Timestamp(0);
            let said = words(&english, &note, at);
            assert_eq!(said.as_deref(), Some(in_english));
            assert_eq!(words(&japanese, &note, at).as_deref(), Some(in_japanese));
        }
    }

    #[test]
    fn a_quota_says_when_it_starts_anew_as_seen_from_its_note() {
        let english = I18n::new(Language::English);
        let nearly_used = |resets_at| Note::QuotaNearlyUsed {
            name: "five_hour".to_owned(),
            percent: 92,
            resets_at,
        };
        let said = |resets_at| words(&english, &nearly_used(resets_at), Timestamp(1_000));
        assert_eq!(
            said(Some(Timestamp(7_201_000))).as_deref(),
            Some("Account quota \u{201c}five hour\u{201d} is 92 % used, resets in 2 h 0 min")
        );
        let without = "Account quota \u{201c}five hour\u{201d} is 92 % used";
        assert_eq!(said(None).as_deref(), Some(without));
        assert_eq!(said(Some(Timestamp(500))).as_deref(), Some(without));
    }

    #[test]
    fn other_notes_have_their_words_elsewhere() {
        let english = I18n::new(Language::English);
        assert_eq!(words(&english, &Note::Cancelled, Timestamp(0)), None);
    }
}
