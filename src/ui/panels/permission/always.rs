//! From now on: rules that would have allowed or refused the request, in words, with where they are kept, before one
//! is stored.

use egui::{ScrollArea, Ui};

use super::options::Readiness;
use crate::core::command::Command;
use crate::core::permission::PermissionRequest;
use crate::core::policy::always::{Lifetime, ProposalWords, RuleProposal};
use crate::core::policy::rules::RuleOrigin;
use crate::core::session::Session;
use crate::i18n::I18n;
use crate::ui::cx::UiCx;
use crate::ui::icons;
use crate::ui::panels::names;
use crate::ui::state::cards::{AlwaysDraft, Lasting, RuleHome};
use crate::ui::untrusted::{one_line, without_middle};
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::option::{Mark, OptionButton};
use crate::ui::widgets::segmented::segmented_ui;
use crate::ui::widgets::text;

/// The share of the window's height that the choices may take.
const HEIGHT_MOST: f32 = 0.35;
/// A longer command loses its middle, in characters.
const LINE_MOST: usize = 160;

const LIFETIMES: [Lifetime; 3] = [Lifetime::Session, Lifetime::OneDay, Lifetime::Always];
const HOMES: [RuleHome; 2] = [RuleHome::User, RuleHome::Folder];

/// The button that opens the choices.
pub(super) fn button_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    draft: &mut AlwaysDraft,
    request: &PermissionRequest,
    lasting: Lasting,
) {
    let (words, icon, id) = match lasting {
        Lasting::Allow => ("permission.always", icons::CHECK_CIRCLE, "always"),
        Lasting::Deny => ("permission.never", icons::CROSS_CIRCLE, "never"),
    };
    let button = Button::text(cx.i18n.tr(words))
        .with_icon(icon)
        .small()
        .weight(Weight::Quiet)
        .id(super::card_id(request).with(id));
    if button.show_ui(ui, cx.theme).clicked() {
        draft.open = Some(lasting);
    }
}

/// The choices; the command that stores one of them.
pub(super) fn always_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    draft: &mut AlwaysDraft,
    (session, request): (&Session, &PermissionRequest),
    (lasting, choices): (Lasting, Vec<RuleProposal>),
    readiness: Readiness,
) -> Option<Command> {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let folder = names::folder(&session.setup().cwd);
    ui.add_space(8.0);
    let args = [("folder", folder.into())];
    let heading = match lasting {
        Lasting::Allow => i18n.tr_args("permission.always.heading", &args),
        Lasting::Deny => i18n.tr_args("permission.never.heading", &args),
    };
    text::paragraph_ui(ui, &heading, theme.meta(), theme.secondary);
    ui.add_space(4.0);
    let chosen = draft
        .chosen
        .as_ref()
        .and_then(|words| choices.iter().position(|choice| choice.words == *words))
        .unwrap_or(0);
    let id = super::card_id(request).with("always choices");
    ScrollArea::vertical()
        .id_salt(id)
        .max_height(ui.ctx().content_rect().height() * HEIGHT_MOST)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            for (index, choice) in choices.iter().enumerate() {
                let words = words(i18n, &choice.words);
                let button = OptionButton::new(id.with(index), Mark::One, &words)
                    .chosen(index == chosen)
                    .show_ui(ui, theme);
                if button.clicked() {
                    draft.chosen = Some(choice.words.clone());
                }
            }
            where_ui(ui, cx, draft);
        });
    let proposal = housed(choices.into_iter().nth(chosen)?, session, draft.home);
    ui.add_space(4.0);
    let about = about(i18n, draft, &proposal);
    text::paragraph_ui(ui, &about, theme.meta(), theme.secondary);
    ui.add_space(6.0);
    let (store, cancel) = ui
        .horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let (words, icon, color) = match lasting {
                Lasting::Allow => ("permission.always.store", icons::CHECK_CIRCLE, theme.ok),
                Lasting::Deny => ("permission.never.store", icons::CROSS_CIRCLE, theme.error),
            };
            let store = Button::text(i18n.tr(words))
                .small()
                .weight(Weight::Normal)
                .with_icon(icon)
                .icon_color(color)
                .enabled(readiness == Readiness::Ready)
                .show_ui(ui, theme);
            let cancel = Button::text(i18n.tr("app.action.cancel"))
                .small()
                .weight(Weight::Quiet)
                .show_ui(ui, theme);
            (store.clicked(), cancel.clicked())
        })
        .inner;
    if cancel {
        draft.open = None;
    }
    store.then(|| Command::StoreRule {
        session: session.key(),
        proposal: Box::new(proposal),
        lifetime: draft.lifetime,
    })
}

/// How long the rule holds, and whose file it goes to.
fn where_ui(ui: &mut Ui, cx: &UiCx<'_>, draft: &mut AlwaysDraft) {
    let i18n = cx.i18n;
    let names = [
        i18n.tr("permission.always.session"),
        i18n.tr("permission.always.day"),
        i18n.tr("permission.always.ever"),
    ];
    let chosen = LIFETIMES.iter().position(|one| *one == draft.lifetime);
    let clicked = segmented_ui(ui, cx.theme, &names, chosen);
    if let Some(lifetime) = clicked.and_then(|index| LIFETIMES.get(index)) {
        draft.lifetime = *lifetime;
    }
    if draft.lifetime == Lifetime::Session {
        return;
    }
    let names = [
        i18n.tr("permission.always.home.user"),
        i18n.tr("permission.always.home.folder"),
    ];
    let chosen = HOMES.iter().position(|one| *one == draft.home);
    let clicked = segmented_ui(ui, cx.theme, &names, chosen);
    if let Some(home) = clicked.and_then(|index| HOMES.get(index)) {
        draft.home = *home;
    }
}

/// The proposal for the file that the person chose. A rule in the folder's own file needs no folder: it goes along
/// when the folder is moved.
fn housed(mut proposal: RuleProposal, session: &Session, home: RuleHome) -> RuleProposal {
    let files = session.ground().map(|ground| ground.rules.files.iter());
    let file = files
        .into_iter()
        .flatten()
        .find(|file| matches!(file.origin, RuleOrigin::Folder { .. }));
    if let (RuleHome::Folder, Some(file)) = (home, file) {
        proposal.file.clone_from(&file.path);
        proposal.rule.folder = None;
    }
    proposal
}

/// Where the rule is kept, and what it depends on.
fn about(i18n: &I18n, draft: &AlwaysDraft, proposal: &RuleProposal) -> String {
    if draft.lifetime == Lifetime::Session {
        return i18n.tr("permission.always.nowhere").to_owned();
    }
    let file = one_line(&proposal.file.display().to_string());
    let written = i18n.tr_args("permission.always.file", &[("file", file.into())]);
    let depends_on: Vec<_> = proposal
        .depends_on
        .iter()
        .map(|path| one_line(&path.display().to_string()))
        .collect();
    if depends_on.is_empty() {
        return written;
    }
    let args = [("files", depends_on.join(", ").into())];
    let bound = i18n.tr_args("permission.always.bound", &args);
    format!("{written}\n{bound}")
}

fn words(i18n: &I18n, words: &ProposalWords) -> String {
    match words {
        ProposalWords::McpTool { server, tool } => {
            let args = [
                ("server", one_line(server).into()),
                ("tool", one_line(tool).into()),
            ];
            i18n.tr_args("permission.always.mcp_tool", &args)
        }
        ProposalWords::Tool { tool } => {
            i18n.tr_args("permission.always.tool", &[("tool", one_line(tool).into())])
        }
        ProposalWords::ToolInFolder { tool, folder } => {
            let args = [
                ("tool", one_line(tool).into()),
                ("folder", one_line(folder).into()),
            ];
            i18n.tr_args("permission.always.tool_in_folder", &args)
        }
        ProposalWords::Command { words } => {
            let args = [("words", one_line(words).into())];
            i18n.tr_args("permission.always.command", &args)
        }
        ProposalWords::Line { line } => {
            let line = one_line(line);
            let line = without_middle(&line, LINE_MOST)
                .map_or(line, |(start, end)| format!("{start}\u{2026}{end}"));
            i18n.tr_args("permission.always.line", &[("line", line.into())])
        }
        ProposalWords::Host { host } => {
            i18n.tr_args("permission.always.host", &[("host", one_line(host).into())])
        }
    }
}
