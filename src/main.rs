//! The program: its arguments and its log, then the window or one of the commands without one.

use std::process::ExitCode;

use agent_panel::cli;
use agent_panel::cli::args::CommandLine;
use clap::Parser as _;
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    let arguments = CommandLine::parse();
    let filter = variable("AGENT_PANEL_LOG").unwrap_or_else(|| "warn".to_owned());
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(filter))
        .with_writer(std::io::stderr)
        .init();
    match arguments.command {
        Some(command) => cli::run(&command, &variable).into(),
        // The window: `app::run` goes here.
        None => {
            cli::exit::complain("there is no window yet; see --help");
            cli::exit::Exit::Usage.into()
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
