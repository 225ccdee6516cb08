//! The list of slash commands: when it is there, what it offers, and what choosing one writes.

use egui::{Align2, Area, Context, Frame, Id, Margin, Order, Rect, Vec2};

use crate::core::controls::AvailableCommand;
use crate::ui::cx::UiCx;
use crate::ui::theme::CARD_RADIUS;
use crate::ui::untrusted::one_line;
use crate::ui::widgets::row::{Row, heading_ui};

/// How many commands are offered at once.
const SHOWN_MOST: usize = 8;

/// The commands that go with a text; `None` when the text is not the beginning of a command.
pub(super) fn offered<'a>(
    commands: &'a [AvailableCommand],
    text: &str,
) -> Option<Vec<&'a AvailableCommand>> {
    let typed = text.strip_prefix('/')?;
    if commands.is_empty() || !typed.chars().all(is_command_character) {
        return None;
    }
    let typed = typed.to_lowercase();
    let is_prefixed = |command: &&AvailableCommand| command.name.to_lowercase().starts_with(&typed);
    let contains = |command: &&AvailableCommand| command.name.to_lowercase().contains(&typed);
    let first = commands.iter().filter(is_prefixed);
    let then = commands
        .iter()
        .filter(|command| !is_prefixed(command) && contains(command));
    Some(first.chain(then).take(SHOWN_MOST).collect())
}

/// The text that choosing a command leaves in the field.
pub(super) fn completed(command: &AvailableCommand) -> String {
    format!("/{} ", command.name)
}

/// Whether the text is the whole command already, so that Enter sends it.
pub(super) fn is_complete(command: &AvailableCommand, text: &str) -> bool {
    text.strip_prefix('/') == Some(command.name.as_str())
}

fn is_command_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.')
}

/// Shows the commands over the composer; the one that was clicked.
pub(super) fn commands_ui(
    ctx: &Context,
    cx: &UiCx<'_>,
    composer: Rect,
    offered: &[&AvailableCommand],
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
                let title = if hint.is_empty() {
                    format!("/{name}")
                } else {
                    format!("/{name} <{hint}>")
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

    fn command(name: &str) -> AvailableCommand {
        AvailableCommand {
            name: name.to_owned(),
            description: String::new(),
            hint: None,
        }
    }

    fn names(text: &str) -> Option<Vec<String>> {
        let commands: Vec<_> = ["compact", "plan", "explain", "Plot", "mcp:fs"]
            .map(command)
            .into();
        let offered = offered(&commands, text)?;
        Some(offered.iter().map(|command| command.name.clone()).collect())
    }

    #[test]
    fn prefixes_come_before_other_matches() {
        assert_eq!(
            names("/pl").expect("a command"),
            ["plan", "Plot", "explain"]
        );
    }

    #[test]
    fn all_commands_are_offered_for_a_slash() {
        assert_eq!(names("/").map(|names| names.len()), Some(5));
        let many: Vec<_> = (0..20).map(|n| command(&format!("c{n}"))).collect();
        assert_eq!(
            offered(&many, "/").map(|found| found.len()),
            Some(SHOWN_MOST)
        );
    }

    #[test]
    fn prose_and_paths_are_no_commands() {
        for text in ["", "plan", "/plan now", "//", "/usr/bin", " /plan", "/a\n"] {
            assert_eq!(names(text), None, "{text:?}");
        }
        assert_eq!(names("/zzz"), Some(Vec::new()));
    }

    #[test]
    fn a_whole_name_is_sent() {
        assert!(is_complete(&command("plan"), "/plan"));
        assert!(!is_complete(&command("plan"), "/pl"));
        assert_eq!(completed(&command("plan")), "/plan ");
    }
}
