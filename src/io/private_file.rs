//! Files for programs that only the user may read: what must not stand on a command line.

use std::io::{self, Write as _};

use tempfile::TempPath;

use crate::bridge::claude::PrivateFile;

/// Writes a file that only the user may read, and adds its path to the arguments. It is removed when its path is
/// dropped.
pub fn write(file: &PrivateFile, args: &mut Vec<String>) -> io::Result<TempPath> {
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
