//! A file with what the agents of one backend write to stderr.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use crate::core::ids::BackendId;

/// What is longer when an agent starts is put aside; the one before it is given up.
const BYTES_MOST: u64 = 4 * 1024 * 1024;

/// The log of one agent.
#[derive(Debug)]
pub(super) struct StderrLog {
    file: File,
    room: u64,
}

impl StderrLog {
    /// Continues the log of a backend in a folder, which is made if it is not there.
    pub(super) fn open(folder: &Path, backend: &BackendId) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let name: String = backend
            .as_str()
            .chars()
            .map(|c| {
                if c.is_alphanumeric() || c == '-' {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        let path = folder.join(format!("{name}.log"));
        let is_full = fs::metadata(&path).is_ok_and(|metadata| metadata.len() >= BYTES_MOST);
        if is_full {
            fs::rename(&path, folder.join(format!("{name}.old.log")))?;
        }
        let mut options = File::options();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path)?;
        let room = BYTES_MOST.saturating_sub(file.metadata()?.len());
        Ok(Self { file, room })
    }

    /// Adds a piece of output, as long as there is room.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        let most = usize::try_from(self.room).unwrap_or(usize::MAX);
        let taken = bytes.get(..bytes.len().min(most)).unwrap_or_default();
        match self.file.write_all(taken) {
            Ok(()) => self.room = self.room.saturating_sub(taken.len() as u64),
            Err(error) => {
                tracing::warn!(%error, "the log of an agent is incomplete");
                self.room = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_continued_and_put_aside_when_it_is_full() {
        let folder = tempfile::tempdir().expect("a folder");
        let id = BackendId::from("my/agent");
        let path = folder.path().join("logs/my_agent.log");
        let open = || StderrLog::open(&folder.path().join("logs"), &id).expect("a log");
        open().write(b"one\n");
        open().write(b"two\n");
        assert_eq!(fs::read(&path).expect("a file"), b"one\ntwo\n");
        let much = vec![b'x'; BYTES_MOST as usize];
        open().write(&much);
        assert_eq!(fs::metadata(&path).expect("a file").len(), BYTES_MOST);
        open().write(b"new\n");
        assert_eq!(fs::read(&path).expect("a file"), b"new\n");
    }
}
