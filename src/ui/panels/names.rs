//! What things are called on the screen: agents, sessions, folders.

use std::path::Path;

use crate::core::backend::{BackendSpec, DetectedBackend, Unasked};
use crate::core::presets::DEMO;
use crate::core::session::Session;
use crate::core::slash;
use crate::core::transcript::BlockContent;
use crate::i18n::I18n;
use crate::ui::cx::UiCx;
use crate::ui::untrusted::one_line;

/// A title is looked for in this many blocks, so that it costs nothing in a long session.
const TITLE_BLOCKS: usize = 16;

/// The name of a backend. The demo's is ours to translate, the others are names.
pub fn backend(i18n: &I18n, spec: &BackendSpec) -> String {
    if spec.id.as_str() == DEMO {
        i18n.tr("backend.demo").to_owned()
    } else {
        spec.name.clone()
    }
}

/// The name of a session's agent, as the dropdown has it.
pub fn agent(cx: &UiCx<'_>, session: &Session) -> String {
    backend(cx.i18n, session.spec())
}

/// What the agent of a session does without asking, in words; `None` where nothing is known to.
pub fn unasked(cx: &UiCx<'_>, session: &Session) -> Option<String> {
    in_unasked_words(cx.i18n, &agent(cx, session), session.spec().unasked())
}

/// The same of an agent with this name.
pub fn in_unasked_words(i18n: &I18n, agent: &str, unasked: Unasked) -> Option<String> {
    let key = match unasked {
        Unasked::Nothing => return None,
        Unasked::OwnTools => "transcript.note.own_tools_never_ask",
        Unasked::Everything => "transcript.note.never_asks",
    };
    Some(i18n.tr_args(key, &[("agent", agent.into())]))
}

/// The title of a session: the agent's, else the first line the person wrote.
pub fn session_title(session: &Session) -> Option<String> {
    let given = session.title().map(one_line);
    given.filter(|title| !title.is_empty()).or_else(|| {
        let blocks = session.transcript().blocks().iter().take(TITLE_BLOCKS);
        let first = blocks.filter_map(|block| match &block.content {
            // A command says nothing of what the session is about.
            BlockContent::UserMessage(message) if slash::command_name(&message.text).is_none() => {
                message.text.lines().next()
            }
            _ => None,
        });
        first.map(one_line).find(|title| !title.is_empty())
    })
}

/// The title of a session, or the words for a session without one.
pub fn session_title_or_untitled(i18n: &I18n, session: &Session) -> String {
    session_title(session).unwrap_or_else(|| i18n.tr("app.session.untitled").to_owned())
}

/// The agent's own name of a quota, as words.
pub fn quota(name: &str) -> String {
    one_line(&name.replace(['_', '-'], " "))
}

/// The last part of a path, or the whole where it has no parts.
pub fn folder(path: &Path) -> String {
    path.file_name().map_or_else(
        || path.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// The backend that new sessions use.
pub fn chosen_backend<'a>(cx: &UiCx<'a>) -> Option<&'a DetectedBackend> {
    let id = cx.settings.backend.as_ref()?;
    let mut backends = cx.hub.backends().iter();
    backends.find(|backend| backend.spec.id == *id)
}
