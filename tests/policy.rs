//! What is allowed, asked and refused: the cases, and one test for each class of hole that clients have had.

#[path = "support/requests.rs"]
mod requests;

#[path = "policy/always.rs"]
mod always;
#[path = "policy/holes.rs"]
mod holes;
#[path = "policy/levels.rs"]
mod levels;
#[path = "policy/properties.rs"]
mod properties;
#[path = "policy/rules.rs"]
mod rules;
