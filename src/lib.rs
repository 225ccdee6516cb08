//! Agent Panel.
