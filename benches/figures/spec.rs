//! The backend that the figures are taken with.

use agent_panel::core::backend::BackendSpec;
use agent_panel::core::presets::{self, DEMO};
use agent_panel::core::settings::Settings;

/// The demo's: it is trusted in any folder.
pub(crate) fn spec() -> BackendSpec {
    let specs = presets::backends(&Settings::default(), "agent-panel");
    let mut specs = specs.into_iter();
    specs
        .find(|spec| spec.id.as_str() == DEMO)
        .expect("the demo is always there")
}
