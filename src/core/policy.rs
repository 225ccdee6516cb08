//! The rules that may answer a permission request without the person.

pub mod commands;
pub mod glob;
pub mod hosts;
pub mod level;
pub mod paths;
pub mod protected;
pub mod rules;
pub mod script_gate;

use paths::PathFacts;
