//! All of a server that an agent would get, to be judged: its command with an argument a line, or its address, and
//! the names of what goes along with it.

use egui::Ui;

use crate::core::backend::{McpServer, McpTransport};
use crate::i18n::I18n;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::untrusted::{one_line, visible};
use crate::ui::widgets::code_box::code_box_ui;
use crate::ui::widgets::text;

/// What stands in place of a value.
pub(super) const MASK: &str = "\u{2022}\u{2022}\u{2022}\u{2022}\u{2022}\u{2022}";

/// Shows the whole server. Values are masked.
pub(super) fn details_ui(ui: &mut Ui, cx: &mut UiCx<'_>, server: &McpServer) {
    let theme = cx.theme;
    let command = command(server);
    if code_box_ui(ui, theme, &command, cx.i18n.tr("app.action.copy")) {
        cx.actions.push(UiAction::CopyText(command));
    }
    for line in values(cx.i18n, server) {
        text::paragraph_ui(ui, &line, theme.meta(), theme.secondary);
    }
}

/// The command with an argument a line, or the address. A line break in an argument is written out.
pub(super) fn command(server: &McpServer) -> String {
    let line = |text: &String| {
        let text = text.replace('\n', "<U+000A>");
        visible(&text)
    };
    match &server.transport {
        McpTransport::Stdio { command, args, .. } => {
            let lines: Vec<_> = std::iter::once(command).chain(args).map(line).collect();
            lines.join("\n")
        }
        McpTransport::Http { url, .. } | McpTransport::Sse { url, .. } => line(url),
    }
}

/// The names of variables or headers, with masked values.
fn values(i18n: &I18n, server: &McpServer) -> Vec<String> {
    let pairs = match &server.transport {
        McpTransport::Stdio { env, .. } => env,
        McpTransport::Http { headers, .. } | McpTransport::Sse { headers, .. } => headers,
    };
    let line = |name: &String| match &server.transport {
        McpTransport::Stdio { .. } => {
            let args = [("name", one_line(name).into()), ("value", MASK.into())];
            i18n.tr_args("mcp.server.variable", &args)
        }
        McpTransport::Http { .. } | McpTransport::Sse { .. } => {
            let args = [("name", one_line(name).into()), ("value", MASK.into())];
            i18n.tr_args("mcp.server.header", &args)
        }
    };
    pairs.keys().map(line).collect()
}
