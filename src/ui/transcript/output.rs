//! What a tool printed, as it is shown.

use std::borrow::Cow;

use crate::core::tool_call::{ToolCall, ToolKind};
use crate::ui::text::sanitize::terminal_output;

/// Of a terminal of ours no more than its end is shown, in bytes.
pub const TERMINAL_BYTES_MOST: usize = 64 * 1024;

/// The language and the text of an output. Some agents put it between lines of backticks.
pub fn shown(text: &str) -> (&str, Cow<'_, str>) {
    let (language, text) = without_fence(text);
    (language, printed(text))
}

/// What a command printed, still with what a terminal acts on.
pub fn terminal(text: &str) -> &str {
    without_fence(text).1.trim_end()
}

/// Whether what a call printed is shown as a terminal would.
pub fn is_terminal(call: &ToolCall) -> bool {
    call.kind == ToolKind::Execute
}

/// An output without the escape sequences and blank lines at its end.
pub fn printed(text: &str) -> Cow<'_, str> {
    match terminal_output(text) {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_end()),
        Cow::Owned(mut text) => {
            text.truncate(text.trim_end().len());
            Cow::Owned(text)
        }
    }
}

fn without_fence(text: &str) -> (&str, &str) {
    let inner = text
        .trim()
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"));
    let parts = inner
        .and_then(|inner| inner.split_once('\n'))
        .filter(|(_, body)| !body.contains("\n```"));
    let (language, body) = parts.unwrap_or(("", text));
    // What a terminal shows is no code in the language of the shell.
    let is_console = matches!(language.trim(), "console" | "sh" | "bash" | "shell");
    (if is_console { "" } else { language.trim() }, body)
}
