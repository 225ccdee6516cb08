//! The list of slash commands: when it is there, what it offers, and what choosing one writes.

use egui::{Align2, Area, Context, Frame, Id, Margin, Order, Rect, Vec2};

use crate::core::controls::AvailableCommand;
use crate::core::slash;
use crate::i18n::I18n;
use crate::ui::cx::UiCx;
use crate::ui::theme::CARD_RADIUS;
use crate::ui::untrusted::one_line;
use crate::ui::widgets::row::{Row, heading_ui};

/// The commands that go with a text; `None` when the text is not the beginning of a command.
pub(super) fn offered(
    i18n: &I18n,
    commands: &[AvailableCommand],
    text: &str,
) -> Option<Vec<AvailableCommand>> {
    let typed = slash::typed_prefix(text)?;
    let mut catalog = slash::catalog(commands);
    for command in &mut catalog {
        let own = match command.name.as_str() {
            "clear" => "composer.commands.clear",
            "mcp" => "composer.commands.mcp",
            "compact" if command.description.is_empty() => "composer.commands.compact",
            _ => continue,
        };
        i18n.tr(own).clone_into(&mut command.description);
    }
    let matching = slash::matching(&catalog, typed);
    Some(matching.into_iter().cloned().collect())
}

/// What a command that is sent does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    /// It is ours: a new session.
    Clear,
    /// It is ours: the state of the MCP servers.
    Mcp,
    /// It is the agent's.
    Agents,
}

/// What a message does when it is sent, if it is a command.
pub(super) fn sent(message: &str) -> Option<Sent> {
    slash::command_name(message.trim()).map(|name| match name {
        "clear" => Sent::Clear,
        "mcp" => Sent::Mcp,
        _ => Sent::Agents,
    })
}

/// The text that choosing a command leaves in the field.
pub(super) fn completed(command: &AvailableCommand) -> String {
    format!("/{} ", command.name)
}

/// Whether the text is the whole command already, so that Enter sends it.
pub(super) fn is_complete(command: &AvailableCommand, text: &str) -> bool {
    text.strip_prefix('/') == Some(command.name.as_str())
}

/// Shows the commands over the composer; the one that was clicked.
pub(super) fn commands_ui(
    ctx: &Context,
    cx: &UiCx<'_>,
    composer: Rect,
    offered: &[AvailableCommand],
    highlighted: usize,
) -> Option<usize> {
    let theme = cx.theme;
    let frame = Frame {
        inner_margin: Margin::same(6),
        fill: theme.raised,
        stroke: egui::Stroke::new(1.0, theme.border),
        corner_radius: CARD_RADIUS,
        shadow: theme.shadow(),
        ..Frame::NONE
    };
    let title = cx.i18n.tr("composer.commands");
    let area = Area::new(Id::unique("slash commands"))
        .order(Order::Foreground)
        .pivot(Align2::LEFT_BOTTOM)
        .fixed_pos(composer.left_top() - Vec2::new(0.0, 4.0))
        .accessible_name(title);
    let shown = area.show(ctx, |ui| {
        frame.show(ui, |ui| {
            ui.set_width(composer.width() - 14.0);
            ui.spacing_mut().item_spacing.y = 0.0;
            if offered.is_empty() {
                heading_ui(ui, theme, cx.i18n.tr("composer.commands.none"));
            }
            let mut clicked = None;
            for (index, command) in offered.iter().enumerate() {
                let name = one_line(&command.name);
                let hint = command.hint.as_deref().map(one_line).unwrap_or_default();
                let title = match hint.chars().next() {
                    None => format!("/{name}"),
                    // Many agents put it in brackets themselves.
                    Some('[' | '<' | '(' | '{') => format!("/{name} {hint}"),
                    Some(_) => format!("/{name} <{hint}>"),
                };
                let note = one_line(&command.description);
                let row = Row::new(&title)
                    .note(&note)
                    .highlighted(index == highlighted)
                    .show_ui(ui, theme);
                if row.clicked() {
                    clicked = Some(index);
                }
            }
            clicked
        })
    });
    shown.inner.inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;

    fn command(name: &str) -> AvailableCommand {
        AvailableCommand {
            name: name.to_owned(),
            description: String::new(),
            hint: None,
        }
    }

    fn names(text: &str) -> Option<Vec<String>> {
        let commands: Vec<_> = ["plan", "explain", "Plot", "compact"].map(command).into();
        let offered = offered(&I18n::new(Language::English), &commands, text)?;
        Some(offered.into_iter().map(|command| command.name).collect())
    }

    #[test]
    fn ours_come_first_and_prefixes_before_other_matches() {
        let all = ["compact", "clear", "mcp", "plan", "explain", "Plot"];
        assert_eq!(names("/").expect("a command"), all);
        assert_eq!(
            names("/pl").expect("a command"),
            ["plan", "Plot", "explain"]
        );
        assert_eq!(names("/m").expect("a command"), ["mcp", "compact"]);
    }

    #[test]
    fn prose_and_paths_are_no_commands() {
        for text in ["", "plan", "/plan now", "//", "/usr/bin", " /plan", "/a\n"] {
            assert_eq!(names(text), None, "{text:?}");
        }
        assert_eq!(names("/zzz"), Some(Vec::new()));
    }

    #[test]
    fn ours_have_our_own_words_and_the_agents_keep_theirs() {
        let mut compact = command("compact");
        compact.description = "Frees context".to_owned();
        let mut mcp = command("mcp");
        mcp.description = "Use it in the terminal".to_owned();
        let offered = offered(&I18n::new(Language::English), &[mcp, compact], "/");
        let words: Vec<_> = offered
            .into_iter()
            .flatten()
            .map(|command| command.description)
            .collect();
        let expected = [
            "Frees context",
            "Start a new session",
            "Show MCP servers and their tools",
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn what_is_sent_is_ours_the_agents_or_a_message() {
        let cases = [
            ("/clear", Some(Sent::Clear)),
            ("/mcp please", Some(Sent::Mcp)),
            ("/compact\n", Some(Sent::Agents)),
            ("/mcp/x", None),
            ("clear", None),
        ];
        for (message, expected) in cases {
            assert_eq!(sent(message), expected, "{message}");
        }
    }

    #[test]
    fn a_whole_name_is_sent() {
        assert!(is_complete(&command("plan"), "/plan"));
        assert!(!is_complete(&command("plan"), "/pl"));
        assert_eq!(completed(&command("plan")), "/plan ");
    }
}
