//! Speed, measured: `cargo bench` prints a table of figures. It asserts nothing; `docs/performance.md` keeps the numbers.
//!
//! Arguments after `--` choose groups by name: `cargo bench -- wire`.
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "figures/clock.rs"]
mod clock;
#[path = "figures/wire.rs"]
mod wire;

/// A group of figures and its name.
type Group = (&'static str, fn());

const GROUPS: &[Group] = &[("wire", wire::run)];

fn main() {
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    for (name, run) in GROUPS {
        if chosen.is_empty() || chosen.iter().any(|wanted| wanted == name) {
            println!("\n## {name}");
            run();
        }
    }
}
