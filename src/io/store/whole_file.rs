//! Writes a file whole or not at all.

use std::io::{self, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes to a file beside it, which then takes its place. Only the user may read it. Missing folders are made.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path
        .parent()
        .ok_or_else(|| io::Error::other("a file lies in a folder"))?;
    std::fs::create_dir_all(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // The new name is on the disk only when its folder is.
    #[cfg(unix)]
    std::fs::File::open(folder)?.sync_all()?;
    Ok(())
}
