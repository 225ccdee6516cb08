//! What the window remembers: drafts, scroll positions, open panels. Nothing an agent said.

use crate::core::ids::SessionKey;

/// The state of the window.
#[derive(Debug, Default)]
pub struct UiState {
    /// The session that is shown.
    pub shown: Option<SessionKey>,
}
