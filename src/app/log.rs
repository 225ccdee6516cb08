//! The log file, and what a panic leaves behind.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// A log that is larger than this is begun anew, in bytes.
const LOG_BYTES_MOST: u64 = 4 * 1024 * 1024;
const LOG: &str = "agent-panel.log";
const PANICS: &str = "panic.log";

/// Starts logging to a file in this folder. `filter` is what `RUST_LOG` says.
pub(super) fn start(folder: &Path, filter: Option<&str>) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join(LOG);
    if std::fs::metadata(&path).is_ok_and(|metadata| metadata.len() > LOG_BYTES_MOST) {
        std::fs::rename(&path, folder.join(format!("{LOG}.old")))?;
    }
    let file = append(&path)?;
    let filter = EnvFilter::new(filter.unwrap_or("agent_panel=info,warn"));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_span_events(FmtSpan::NONE)
        .with_writer(Mutex::new(file))
        .log_internal_errors(false)
        .finish();
    tracing::subscriber::set_global_default(subscriber).map_err(io::Error::other)
}

/// Lets a panic be written down before the program ends. The agents end with it, as their owner is dropped.
pub(super) fn keep_panics(folder: PathBuf) {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let trace = std::backtrace::Backtrace::force_capture();
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("unnamed").to_owned();
        let written = append(&folder.join(PANICS))
            .and_then(|mut file| writeln!(file, "thread {name}: {panic}\n{trace}\n"));
        if let Err(error) = written {
            tracing::error!(%error, "a panic could not be written down");
        }
        usual(panic);
    }));
}

fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}
