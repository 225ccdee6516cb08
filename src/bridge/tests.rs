//! Cases over many frames.
