//! From a backend and a session's setup to a running process.

use std::io::{self, Write as _};

use tempfile::TempPath;

use super::Target;
use crate::bridge::claude::{LaunchPlan, PrivateFile, launch_plan};
use crate::core::backend::Dialect;
use crate::core::notice::FailureKind;
use crate::io::launch;
use crate::io::places::SearchPlaces;
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
        .map(|file| write(&file, &mut args))
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

/// Writes a file that only the user may read, and adds its path to the arguments.
fn write(file: &PrivateFile, args: &mut Vec<String>) -> io::Result<TempPath> {
    let mut written = tempfile::Builder::new()
        .prefix("agent-panel-")
        .suffix(".json")
        .tempfile()?;
    written.write_all(file.content.as_bytes())?;
    written.flush()?;
    let path = written.into_temp_path();
    let text = path
        .to_str()
        .ok_or_else(|| io::Error::other("the folder for temporary files is not UTF-8"))?;
    args.push(file.argument.clone());
    args.push(text.to_owned());
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_file_is_an_argument_and_goes_with_its_owner() {
        let file = PrivateFile {
            argument: "--mcp-config".to_owned(),
            content: "{\"a\":1}".to_owned(),
        };
        let mut args = vec!["-p".to_owned()];
        let path = write(&file, &mut args).expect("it can be written");
        let place = path.to_path_buf();
        assert_eq!(args, ["-p", "--mcp-config", place.to_str().expect("UTF-8")]);
        assert_eq!(std::fs::read(&place).expect("it is there"), b"{\"a\":1}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(&place)
                .expect("it is there")
                .permissions()
                .mode();
            assert_eq!(mode & 0o077, 0);
        }
        drop(path);
        assert!(!place.exists());
    }
}
