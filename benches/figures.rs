//! Speed, measured: `cargo bench` prints a table of figures. It asserts nothing; `docs/performance.md` keeps the numbers.
//!
//! Arguments after `--` choose groups by name: `cargo bench -- wire`.
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]
#![allow(
    clippy::disallowed_methods,
    reason = "a bench reads the clock and starts the program under test"
)]

#[path = "figures/clock.rs"]
mod clock;
#[path = "figures/naive.rs"]
mod naive;
#[path = "figures/program.rs"]
mod program;
#[path = "figures/spec.rs"]
mod spec;
#[path = "figures/spread.rs"]
mod spread;
#[path = "figures/stage.rs"]
mod stage;
#[path = "figures/tools.rs"]
mod tools;
#[path = "figures/transcript.rs"]
mod transcript;
#[path = "figures/window.rs"]
mod window;
#[path = "figures/wire.rs"]
mod wire;

/// The one that the program has.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// A group of figures and its name.
type Group = (&'static str, fn());

const GROUPS: &[Group] = &[
    ("transcript", transcript::run),
    ("tools", tools::run),
    ("wire", wire::run),
    ("exec", program::run),
    ("window", window::run),
];

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
