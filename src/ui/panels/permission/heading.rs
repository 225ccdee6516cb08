//! Who wants what, in our words. The name of a tool is only used where it is more than the agent's talk.

use egui::{Rect, Sense, Ui, WidgetInfo};

use crate::core::identity::ToolName;
use crate::core::permission::PermissionRequest;
use crate::core::session::Session;
use crate::core::tool_call::ToolKind;
use crate::ui::cx::UiCx;
use crate::ui::panels::names;
use crate::ui::transcript::plan_text;
use crate::ui::untrusted::one_line;

/// The first line of the card.
pub(super) fn heading(cx: &UiCx<'_>, session: &Session, request: &PermissionRequest) -> String {
    let i18n = cx.i18n;
    let agent = names::agent(cx, session);
    let by_name = request
        .identity
        .is_established()
        .then(|| of_name(&request.identity.name));
    match by_name.flatten().unwrap_or_else(|| of_kind(request)) {
        Asks::For(key) => i18n.tr_args(key, &[("agent", agent.into())]),
        Asks::ToUse(tool) => {
            let args = [("agent", agent.into()), ("tool", one_line(&tool).into())];
            i18n.tr_args("permission.asks", &args)
        }
    }
}

/// Tells the exact name on the wire while the pointer is over the heading.
pub(super) fn wire_name_ui(ui: &Ui, cx: &UiCx<'_>, request: &PermissionRequest, heading: Rect) {
    let identity = &request.identity;
    let name = match (&identity.wire_name, &identity.name) {
        (Some(name), _) => one_line(name),
        (None, ToolName::Mcp { .. }) => one_line(&identity.name.canonical()),
        (None, _) => return,
    };
    let words = cx
        .i18n
        .tr_args("permission.wire_name", &[("name", name.into())]);
    let id = super::card_id(request).with("wire name");
    let response = ui.interact(heading, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &words));
    response.on_hover_text(words);
}

/// What the agent asks for.
enum Asks {
    /// In a sentence of its own.
    For(&'static str),
    ToUse(String),
}

fn of_name(name: &ToolName) -> Option<Asks> {
    let key = match name {
        ToolName::Read => "permission.asks.read",
        ToolName::Write | ToolName::Edit => "permission.asks.edit",
        ToolName::Delete => "permission.asks.delete",
        ToolName::Move => "permission.asks.move",
        ToolName::Search => "permission.asks.search",
        ToolName::Bash => "permission.asks.execute",
        ToolName::WebFetch | ToolName::WebSearch => "permission.asks.fetch",
        ToolName::Mcp { .. } | ToolName::Other(_) | ToolName::Task | ToolName::TodoWrite => {
            return Some(Asks::ToUse(name.to_string()));
        }
        ToolName::Think
        | ToolName::AskUserQuestion
        | ToolName::ExitPlanMode
        | ToolName::Unknown => return None,
    };
    Some(Asks::For(key))
}

/// By the kind, which is the agent's claim.
fn of_kind(request: &PermissionRequest) -> Asks {
    let call = &request.tool_call;
    Asks::For(match call.kind {
        ToolKind::Read => "permission.asks.read",
        ToolKind::Edit => "permission.asks.edit",
        ToolKind::Delete => "permission.asks.delete",
        ToolKind::Move => "permission.asks.move",
        ToolKind::Search => "permission.asks.search",
        ToolKind::Execute => "permission.asks.execute",
        ToolKind::Fetch => "permission.asks.fetch",
        ToolKind::SwitchMode if plan_text::proposed(call).is_some() => "permission.asks.plan",
        ToolKind::SwitchMode => "permission.asks.switch_mode",
        ToolKind::Think | ToolKind::Other => match &call.name {
            Some(name) => return Asks::ToUse(name.clone()),
            None => "permission.asks.untitled",
        },
    })
}
