//! From a backend and a session's setup to a running process.

use tempfile::TempPath;

use super::Target;
use crate::bridge::claude::{LaunchPlan, launch_plan};
use crate::core::backend::Dialect;
use crate::core::notice::FailureKind;
use crate::io::launch;
use crate::io::places::SearchPlaces;
use crate::io::private_file;
use crate::io::process::{Bond, Process, Start};

/// A process with the file that it was given. The file is removed when this is dropped.
pub(super) struct Started {
    pub(super) process: Process,
    pub(super) private_file: Option<TempPath>,
}

/// Starts the agent of a target. The calling thread has to outlive it.
pub(super) fn start(target: &Target, places: &SearchPlaces) -> Result<Started, FailureKind> {
    let (spec, cwd) = (&target.spec, &target.setup.cwd);
    let plan = match spec.dialect {
        Dialect::Acp => LaunchPlan {
            args: spec.args.clone(),
            private_file: None,
        },
        Dialect::ClaudeCode => launch_plan(spec, &target.setup),
    };
    launch::check_folder(&spec.command, cwd, places)?;
    let mut args = plan.args;
    let private_file = plan
        .private_file
        .map(|file| private_file::write(&file, &mut args))
        .transpose()
        .map_err(|error| FailureKind::StartFailed {
            program: spec.command.clone(),
            reason: format!("a file for it can't be written: {error}"),
        })?;
    let launch = launch::resolve(&spec.command, &args, places)?;
    tracing::debug!(connection = %target.id, program = %launch.program.display(), "starting an agent");
    let process = Process::spawn(&Start {
        launch: &launch,
        cwd,
        env: &spec.env,
        path: launch::child_path(&launch, places),
        bond: Bond::Agent,
    })
    .map_err(|error| FailureKind::StartFailed {
        program: spec.command.clone(),
        reason: launch::start_error(&error, &launch, places),
    })?;
    Ok(Started {
        process,
        private_file,
    })
}
