//! Recordings as files.

use std::path::Path;

use crate::bridge::script::Recording;

/// Reads a recording; the error names the file and the line.
pub(super) fn read(file: &Path) -> Result<Recording, String> {
    let name = file.display();
    let bytes = std::fs::read(file)
        .map_err(|error| format!("can't read the recording: {error}: {name}"))?;
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("the recording is no text: {error}: {name}"))?;
    Recording::parse(&text).map_err(|error| format!("no recording: {error}: {name}"))
}
