//! What is wrong with a server, in words.

use crate::core::mcp_servers::{ServerFault, SkipReason};
use crate::i18n::I18n;
use crate::ui::state::servers::DraftFault;
use crate::ui::untrusted::one_line;

/// Why an entry of the list is not passed to agents, where there is something to say.
pub(super) fn reason(i18n: &I18n, reason: &SkipReason) -> Option<String> {
    match reason {
        SkipReason::Disabled => None,
        SkipReason::Faulty(fault) => Some(server_fault(i18n, fault)),
        SkipReason::NotApproved => Some(i18n.tr("mcp.approve.needed").to_owned()),
        SkipReason::DuplicateName => Some(i18n.tr("mcp.server.taken").to_owned()),
        SkipReason::ReservedName => Some(i18n.tr("mcp.server.reserved").to_owned()),
    }
}

/// Why a draft can't be kept.
pub(super) fn draft_fault(i18n: &I18n, fault: &DraftFault) -> String {
    match fault {
        DraftFault::Server(fault) => server_fault(i18n, fault),
        DraftFault::NameTaken => i18n.tr("mcp.server.taken").to_owned(),
        DraftFault::NameReserved => i18n.tr("mcp.server.reserved").to_owned(),
    }
}

fn server_fault(i18n: &I18n, fault: &ServerFault) -> String {
    match fault {
        ServerFault::NoName => i18n.tr("mcp.server.no_name").to_owned(),
        ServerFault::NoCommand => i18n.tr("mcp.server.no_command").to_owned(),
        ServerFault::NoUrl => i18n.tr("mcp.server.no_url").to_owned(),
        ServerFault::BadUrl => i18n.tr("mcp.server.bad_url").to_owned(),
        ServerFault::BadVariable { name } => i18n.tr_args(
            "mcp.server.bad_variable",
            &[("name", one_line(name).into())],
        ),
        ServerFault::BadHeader { name } => {
            i18n.tr_args("mcp.server.bad_header", &[("name", one_line(name).into())])
        }
    }
}
