//! Agent Panel.
pub mod i18n;
