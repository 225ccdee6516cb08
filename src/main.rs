//! The program: its arguments and its log, then the window or one of the commands without one.

use std::process::ExitCode;

use agent_panel::app::no_window::Surroundings;
use agent_panel::app::{self, Options};
use agent_panel::cli;
use agent_panel::cli::args::CommandLine;
use clap::Parser as _;
use tracing_subscriber::EnvFilter;

/// What one thread allocates is given back by another here: events come from the backend's thread. The allocator of
/// glibc makes them wait for each other.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let arguments = CommandLine::parse();
    let filter = variable("AGENT_PANEL_LOG");
    let Some(command) = arguments.command else {
        return window(filter);
    };
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(filter.as_deref().unwrap_or("warn")))
        .with_writer(std::io::stderr)
        // It would complain on stderr, and panic where that is closed.
        .log_internal_errors(false)
        .init();
    cli::run(&command, &variable).into()
}

/// Opens the window; it keeps its own log.
fn window(log_filter: Option<String>) -> ExitCode {
    let options = Options {
        data: variable("AGENT_PANEL_DATA").map(Into::into),
        log_filter,
        surroundings: Surroundings {
            x11: variable("DISPLAY"),
            wayland: variable("WAYLAND_DISPLAY").or_else(|| variable("WAYLAND_SOCKET")),
            always_has_display: cfg!(any(windows, target_os = "macos")),
        },
        ..Options::default()
    };
    match app::run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::exit::complain(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the environment is read here and passed on"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
