//! The card of an agent that wants the person to sign in first: its own ways, by their names.

use std::time::Duration;

use egui::Ui;

use crate::core::backend::{AuthMethod, AuthMethodKind};
use crate::core::command::Command;
use crate::core::connection::{Connection, SignIn};
use crate::core::session::{Phase, Session};
use crate::core::split_command::split_command;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::panels::names;
use crate::ui::state::UiState;
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::card::card_ui;
use crate::ui::widgets::code_box::code_box_ui;
use crate::ui::widgets::text;

/// The share of the window's height that the card may take.
const HEIGHT_MOST: f32 = 0.5;

/// Shows nothing while the shown session needs no sign-in.
pub fn sign_in_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &UiState) {
    let Some(session) = state.shown.and_then(|key| cx.hub.session(key)) else {
        return;
    };
    let Some(connection) = cx.hub.connection_of(session.key()) else {
        return;
    };
    if *session.phase() != Phase::SignInNeeded {
        return;
    }
    let most = ui.ctx().content_rect().height() * HEIGHT_MOST;
    card_ui(ui, cx.theme, cx.theme.link, |ui| {
        egui::ScrollArea::vertical()
            .id_salt(("sign in", session.key().0))
            .max_height(most)
            .show(ui, |ui| content_ui(ui, cx, session, connection));
    });
}

fn content_ui(ui: &mut Ui, cx: &mut UiCx<'_>, session: &Session, connection: &Connection) {
    let theme = cx.theme;
    ui.spacing_mut().item_spacing.y = 6.0;
    ui.set_min_width(ui.available_width());
    let args = [("agent", names::agent(cx, session).into())];
    let heading = cx.i18n.tr_args("backend.sign_in.heading", &args);
    let font = Face::SemiBold.sized(theme.size.body);
    text::label_ui(ui, &heading, font, theme.text, f32::INFINITY);
    message_ui(ui, cx, connection);
    if let SignIn::Running { method, since } = &connection.sign_in {
        let mut methods = connection.auth_methods.iter();
        let name = methods
            .find(|offered| offered.id == *method)
            .map_or_else(|| method.to_string(), |offered| offered.name.clone());
        let millis = cx.now.millis_since(*since);
        running_ui(ui, cx, connection, &one_line(&name), millis);
        return;
    }
    for method in &connection.auth_methods {
        method_ui(ui, cx, connection, method);
    }
    let ways = &connection.auth_methods;
    let is_by_agent = |method: &AuthMethod| method.kind == AuthMethodKind::Agent;
    if ways.is_empty() {
        elsewhere_ui(ui, cx, connection);
    }
    if ways.is_empty() || !ways.iter().all(is_by_agent) {
        let again = Button::text(cx.i18n.tr("backend.sign_in.again")).with_icon(icons::REFRESH);
        if again.show_ui(ui, theme).clicked() {
            cx.commands.push(Command::RetrySignIn {
                connection: connection.id,
            });
        }
    }
}

/// What the agent said, and how the last try ended.
fn message_ui(ui: &mut Ui, cx: &UiCx<'_>, connection: &Connection) {
    let theme = cx.theme;
    match &connection.sign_in {
        SignIn::Needed { message } if !message.trim().is_empty() => {
            text::paragraph_ui(ui, &one_line(message), theme.meta(), theme.secondary);
        }
        SignIn::Failed { message } => {
            let words = if message.trim().is_empty() {
                cx.i18n.tr("backend.sign_in.timed_out").to_owned()
            } else {
                let args = [("message", one_line(message).into())];
                cx.i18n.tr_args("backend.sign_in.failed", &args)
            };
            text::paragraph_ui(ui, &words, theme.meta(), theme.error);
        }
        SignIn::Needed { .. } | SignIn::NotNeeded | SignIn::Running { .. } => {}
    }
}

fn running_ui(ui: &mut Ui, cx: &mut UiCx<'_>, connection: &Connection, method: &str, millis: u64) {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let seconds = [("seconds", (millis / 1000).into())];
    let duration = i18n.tr_args("app.duration.seconds", &seconds);
    let args = [("method", method.into()), ("duration", duration.into())];
    let words = i18n.tr_args("backend.sign_in.waiting", &args);
    text::paragraph_ui(ui, &words, theme.body(), theme.secondary);
    if Button::text(i18n.tr("app.action.cancel"))
        .show_ui(ui, theme)
        .clicked()
    {
        cx.commands.push(Command::CancelSignIn {
            connection: connection.id,
        });
    }
    // The seconds.
    ui.ctx()
        .request_repaint_after(Duration::from_millis(1000 - millis % 1000));
}

fn method_ui(ui: &mut Ui, cx: &mut UiCx<'_>, connection: &Connection, method: &AuthMethod) {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let name = one_line(&method.name);
    match &method.kind {
        AuthMethodKind::Agent => {
            let args = [("method", (&name).into())];
            let label = i18n.tr_args("backend.sign_in.with", &args);
            let description = method.description.as_deref().map(one_line);
            let hint = description
                .as_deref()
                .unwrap_or_else(|| i18n.tr("backend.sign_in.agent"));
            let button = Button::text(&label)
                .with_icon(icons::SIGN_IN)
                .tooltip(hint)
                .max_width(ui.available_width());
            if button.show_ui(ui, theme).clicked() {
                cx.commands.push(Command::Authenticate {
                    connection: connection.id,
                    method: method.id.clone(),
                });
            }
        }
        AuthMethodKind::Terminal { program, args, env } => {
            name_ui(ui, cx, &name, i18n.tr("backend.sign_in.terminal"));
            let program = program.as_ref().unwrap_or(&connection.spec.command);
            let open = UiAction::OpenTerminal {
                program: program.clone(),
                args: args.clone(),
                env: env.clone(),
                servers_of: None,
            };
            terminal_ui(ui, cx, &line_of(program, args), open);
        }
        AuthMethodKind::EnvVar { variables } => {
            let args = [("name", variables.join(", ").into())];
            let words = i18n.tr_args("backend.sign_in.env_var", &args);
            name_ui(ui, cx, &name, &words);
        }
    }
}

/// The agent offers no way: the login command we know of, and the variables.
fn elsewhere_ui(ui: &mut Ui, cx: &mut UiCx<'_>, connection: &Connection) {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let spec = &connection.spec;
    let login = spec
        .login_command
        .as_ref()
        .and_then(|command| split_command(command));
    if let Some((program, args)) = login.as_deref().and_then(<[String]>::split_first) {
        let words = i18n.tr("backend.sign_in.terminal");
        text::paragraph_ui(ui, words, theme.body(), theme.secondary);
        let open = UiAction::OpenTerminal {
            program: program.clone(),
            args: args.to_vec(),
            env: std::collections::BTreeMap::new(),
            servers_of: None,
        };
        terminal_ui(ui, cx, &line_of(program, args), open);
    } else {
        let words = i18n.tr("backend.sign_in.no_method");
        text::paragraph_ui(ui, words, theme.body(), theme.secondary);
    }
    if !spec.key_variables.is_empty() {
        let args = [("name", spec.key_variables.join(", ").into())];
        let words = i18n.tr_args("backend.sign_in.env_var", &args);
        text::paragraph_ui(ui, &words, theme.meta(), theme.secondary);
    }
}

fn name_ui(ui: &mut Ui, cx: &UiCx<'_>, name: &str, words: &str) {
    let theme = cx.theme;
    text::label_ui(ui, name, theme.body(), theme.text, f32::INFINITY);
    text::paragraph_ui(ui, words, theme.meta(), theme.secondary);
}

fn terminal_ui(ui: &mut Ui, cx: &mut UiCx<'_>, line: &str, open: UiAction) {
    let theme = cx.theme;
    if code_box_ui(ui, theme, line, cx.i18n.tr("app.action.copy")) {
        cx.actions.push(UiAction::CopyText(line.to_owned()));
    }
    let button = Button::text(cx.i18n.tr("backend.sign_in.open_terminal"))
        .with_icon(icons::TERMINAL)
        .weight(Weight::Normal);
    if button.show_ui(ui, theme).clicked() {
        cx.actions.push(open);
    }
}

fn line_of(program: &str, args: &[String]) -> String {
    let words = std::iter::once(program).chain(args.iter().map(String::as_str));
    words.collect::<Vec<_>>().join(" ")
}
