//! The rules that may answer a permission request without the person.

pub mod glob;
pub mod hosts;
pub mod level;
