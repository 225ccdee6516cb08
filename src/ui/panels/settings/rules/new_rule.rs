//! The form for a new rule. One that could not be read from a file is not written to one.

use egui::{Id, Ui};

use crate::core::command::Command;
use crate::core::policy::rules::edit::RuleEdit;
use crate::core::policy::rules::file::{SubjectKind, new_rule};
use crate::core::policy::rules::{Effect, RuleFile, RuleOrigin};
use crate::ui::cx::UiCx;
use crate::ui::icons;
use crate::ui::panels::reasons;
use crate::ui::state::cards::RuleHome;
use crate::ui::state::settings::NewRule;
use crate::ui::widgets::segmented::segmented_ui;
use crate::ui::widgets::text;
use crate::ui::widgets::text_field::TextField;

const EFFECTS: [(Effect, &str); 3] = [
    (Effect::Allow, "rules.effect.allow"),
    (Effect::Ask, "rules.effect.ask"),
    (Effect::Deny, "rules.effect.deny"),
];
const KINDS: [(SubjectKind, &str); 6] = [
    (SubjectKind::Command, "rules.kind.command"),
    (SubjectKind::Line, "rules.kind.line"),
    (SubjectKind::Tool, "rules.kind.tool"),
    (SubjectKind::Mcp, "rules.kind.mcp"),
    (SubjectKind::Path, "rules.kind.path"),
    (SubjectKind::Host, "rules.kind.host"),
];
const HOMES: [(RuleHome, &str); 2] = [
    (RuleHome::User, "permission.always.home.user"),
    (RuleHome::Folder, "permission.always.home.folder"),
];

/// Shows the form.
pub(super) fn new_rule_ui(ui: &mut Ui, cx: &mut UiCx<'_>, form: &mut NewRule, files: &[RuleFile]) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    super::heading_ui(ui, cx, i18n.tr("rules.new"));
    let before = form.clone();
    pick_ui(ui, cx, &EFFECTS, &mut form.effect);
    pick_ui(ui, cx, &KINDS, &mut form.kind);
    let hint = i18n.tr(match form.kind {
        SubjectKind::Command => "rules.hint.command",
        SubjectKind::Line => "rules.hint.line",
        SubjectKind::Tool => "rules.hint.tool",
        SubjectKind::Mcp => "rules.hint.mcp",
        SubjectKind::Path => "rules.hint.path",
        SubjectKind::Host => "rules.hint.host",
    });
    let field = TextField::new(
        Id::unique("new rule"),
        &mut form.pattern,
        i18n.tr("rules.pattern"),
    )
    .hint(hint)
    .font(theme.mono())
    .framed_ui(ui, theme);
    if super::folder_file(files).is_some() {
        pick_ui(ui, cx, &HOMES, &mut form.home);
    } else {
        form.home = RuleHome::User;
    }
    let scope = i18n.tr(match form.home {
        RuleHome::User => "rules.scope.user",
        RuleHome::Folder => "rules.scope.folder",
    });
    text::paragraph_ui(ui, scope, theme.meta(), theme.secondary);
    if *form != before {
        form.problem = None;
    }
    if let Some(problem) = &form.problem {
        let words = reasons::problem(i18n, i18n.tr("rules.this"), problem);
        text::paragraph_ui(ui, &words, theme.meta(), theme.error);
    }
    let add = super::form_button(i18n.tr("rules.add"))
        .with_icon(icons::PLUS)
        .enabled(!form.pattern.trim().is_empty())
        .show_ui(ui, theme);
    if add.clicked() || field.submitted {
        add_rule(cx, form, files);
    }
}

fn add_rule(cx: &mut UiCx<'_>, form: &mut NewRule, files: &[RuleFile]) {
    let wanted = |origin: RuleOrigin| match form.home {
        RuleHome::User => origin == RuleOrigin::User,
        RuleHome::Folder => matches!(origin, RuleOrigin::Folder { .. }),
    };
    let mut files = files.iter();
    let Some(file) = files.find(|file| wanted(file.origin)) else {
        return;
    };
    match new_rule(form.effect, form.kind, &form.pattern) {
        Ok(mut rule) => {
            rule.stored = Some(cx.now);
            let edit = RuleEdit::Add {
                file: file.path.clone(),
                rule: Box::new(rule),
                bound_to: None,
            };
            cx.commands.push(Command::EditRules(Box::new(edit)));
            form.pattern.clear();
            form.problem = None;
        }
        Err(problem) => form.problem = Some(problem),
    }
}

/// A few choices side by side.
fn pick_ui<T: Copy + PartialEq>(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    choices: &[(T, &'static str)],
    chosen: &mut T,
) {
    let names: Vec<&str> = choices.iter().map(|(_, key)| cx.i18n.tr(key)).collect();
    let current = choices.iter().position(|(choice, _)| choice == chosen);
    let clicked = segmented_ui(ui, cx.theme, &names, current);
    if let Some((choice, _)) = clicked.and_then(|index| choices.get(index)) {
        *chosen = *choice;
    }
}
