//! Files that an agent reads and writes through us. What was checked is what is touched: a path that leads elsewhere
//! by now is left alone.

use std::fs::{File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use crate::core::client_tools::{ClientAnswer, ClientFailure, OldText};
use crate::io::policy_files;

/// A larger file is not read: the frame that carries it would be longer than a line may be.
const FILE_BYTES_MOST: u64 = 16 * 1024 * 1024;
/// What a larger file holds is not shown beside the text that replaces it.
const SHOWN_BYTES_MOST: u64 = 1024 * 1024;

/// Reads lines of a text file. `line` counts from 1, `limit` is a number of lines.
pub(super) fn read(
    path: &Path,
    target: &Path,
    (line, limit): (Option<u64>, Option<u64>),
) -> Result<ClientAnswer, ClientFailure> {
    is_still_there(path, target)?;
    let metadata = match std::fs::metadata(target) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let path = path.to_owned();
            return Err(ClientFailure::NoFile { path });
        }
        Err(error) => return Err(failed(&error, path)),
    };
    // A pipe or a device may never end.
    if !metadata.is_file() {
        return Err(refused("this is no file", path));
    }
    let mut bytes = Vec::new();
    File::open(target)
        .and_then(|file| file.take(FILE_BYTES_MOST + 1).read_to_end(&mut bytes))
        .map_err(|error| failed(&error, path))?;
    if bytes.len() as u64 > FILE_BYTES_MOST {
        return Err(refused("the file is larger than 16 MiB", path));
    }
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(refused("the file is no text in UTF-8", path));
    };
    Ok(ClientAnswer::Text(lines_of(text, line, limit)))
}

/// What a file holds that is to be replaced, to be shown beside the new text.
pub(super) fn old_text(target: &Path) -> OldText {
    let metadata = match std::fs::metadata(target) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return OldText::NoFile,
        Err(_) => return OldText::Unknown,
    };
    if !metadata.is_file() || metadata.len() > SHOWN_BYTES_MOST {
        return OldText::Unknown;
    }
    let mut bytes = Vec::new();
    let read =
        File::open(target).and_then(|file| file.take(SHOWN_BYTES_MOST).read_to_end(&mut bytes));
    match (read, String::from_utf8(bytes)) {
        (Ok(_), Ok(text)) => OldText::Text(text),
        (Err(_), _) | (_, Err(_)) => OldText::Unknown,
    }
}

/// Writes a text file whole, or not at all. Missing folders are made; the rights of a file stay.
pub(super) fn write(
    path: &Path,
    target: &Path,
    content: &str,
) -> Result<ClientAnswer, ClientFailure> {
    is_still_there(path, target)?;
    let rights = match std::fs::metadata(target) {
        Ok(metadata) if !metadata.is_file() => return Err(refused("this is no file", path)),
        Ok(metadata) if metadata.permissions().readonly() => {
            return Err(refused("the file may only be read", path));
        }
        Ok(metadata) => Some(metadata.permissions()),
        Err(_) => None,
    };
    replace(target, content.as_bytes(), rights).map_err(|error| failed(&error, path))?;
    Ok(ClientAnswer::Written)
}

fn replace(target: &Path, bytes: &[u8], rights: Option<Permissions>) -> io::Result<()> {
    let folder = target
        .parent()
        .ok_or_else(|| io::Error::other("a file lies in a folder"))?;
    std::fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    // A new file gets what any program's would; the system takes off what the user never gives.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.prefix(".agent-panel-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(rights) = rights {
        file.as_file().set_permissions(rights)?;
    }
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    Ok(())
}

/// The lines from `line` on, at most `limit` of them, as they stand in the text.
fn lines_of(text: String, line: Option<u64>, limit: Option<u64>) -> String {
    if line.is_none_or(|line| line <= 1) && limit.is_none() {
        return text;
    }
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let skipped = number(line.unwrap_or(1).saturating_sub(1));
    text.split_inclusive('\n')
        .skip(skipped)
        .take(limit.map_or(usize::MAX, number))
        .collect()
}

/// Whether the path still leads where it was found to lead.
fn is_still_there(path: &Path, target: &Path) -> Result<(), ClientFailure> {
    let found = policy_files::fact(path).map(|fact| {
        if fact.missing.as_os_str().is_empty() {
            fact.existing
        } else {
            fact.existing.join(fact.missing)
        }
    });
    if found.as_deref() == Some(target) {
        Ok(())
    } else {
        Err(refused(
            "the path leads elsewhere than when it was checked",
            path,
        ))
    }
}

fn failed(error: &io::Error, path: &Path) -> ClientFailure {
    refused(&error.to_string(), path)
}

fn refused(why: &str, path: &Path) -> ClientFailure {
    ClientFailure::Failed {
        reason: format!("{why}: {}", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(result: Result<ClientAnswer, ClientFailure>) -> String {
        match result {
            Ok(ClientAnswer::Text(text)) => text,
            other => panic!("no text: {other:?}"),
        }
    }

    fn root() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = policy_files::canonical(folder.path()).unwrap();
        (folder, root)
    }

    #[test]
    fn lines_are_counted_from_one_and_keep_their_ends() {
        let (_folder, root) = root();
        let file = root.join("a.txt");
        std::fs::write(&file, "one\r\ntwo\nthree").unwrap();
        for (line, limit, expected) in [
            (None, None, "one\r\ntwo\nthree"),
            (Some(1), None, "one\r\ntwo\nthree"),
            (Some(0), Some(1), "one\r\n"),
            (Some(2), Some(1), "two\n"),
            (Some(2), Some(9), "two\nthree"),
            (Some(9), None, ""),
            (None, Some(0), ""),
            (Some(u64::MAX), Some(u64::MAX), ""),
        ] {
            assert_eq!(text(read(&file, &file, (line, limit))), expected);
        }
    }

    #[test]
    fn what_is_no_text_file_is_not_read() {
        let (_folder, root) = root();
        let missing = root.join("none/x");
        assert_eq!(
            read(&missing, &missing, (None, None)),
            Err(ClientFailure::NoFile {
                path: missing.clone()
            })
        );
        let binary = root.join("b");
        std::fs::write(&binary, [0xff, 0xfe]).unwrap();
        for path in [&binary, &root] {
            let result = read(path, path, (None, None));
            assert!(
                matches!(result, Err(ClientFailure::Failed { .. })),
                "{result:?}"
            );
        }
    }

    #[test]
    fn a_file_is_written_whole_with_its_folders_and_leaves_nothing_else() {
        let (_folder, root) = root();
        let file = root.join("new/deep/a.txt");
        assert_eq!(write(&file, &file, "one"), Ok(ClientAnswer::Written));
        assert_eq!(write(&file, &file, "two"), Ok(ClientAnswer::Written));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "two");
        let left = std::fs::read_dir(root.join("new/deep")).unwrap().count();
        assert_eq!(left, 1);
    }

    #[cfg(unix)]
    #[test]
    fn the_rights_of_a_file_stay() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_folder, root) = root();
        let file = root.join("run.sh");
        std::fs::write(&file, "one").unwrap();
        std::fs::set_permissions(&file, Permissions::from_mode(0o750)).unwrap();
        assert_eq!(write(&file, &file, "two"), Ok(ClientAnswer::Written));
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o750);
        std::fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
        assert!(write(&file, &file, "three").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_was_put_there_after_the_check_is_not_followed() {
        let (_folder, root) = root();
        let (path, outside) = (root.join("notes.txt"), root.join("outside.txt"));
        std::fs::write(&outside, "secret").unwrap();
        std::os::unix::fs::symlink(&outside, &path).unwrap();
        assert!(read(&path, &path, (None, None)).is_err());
        assert!(write(&path, &path, "x").is_err());
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), "secret");
        assert_eq!(text(read(&path, &outside, (None, None))), "secret");
    }

    #[test]
    fn what_a_file_holds_is_told_where_it_is_text() {
        let (_folder, root) = root();
        let file = root.join("a.txt");
        assert_eq!(old_text(&file), OldText::NoFile);
        std::fs::write(&file, "one").unwrap();
        assert_eq!(old_text(&file), OldText::Text("one".to_owned()));
        std::fs::write(&file, [0xff, 0xfe, 0]).unwrap();
        assert_eq!(old_text(&file), OldText::Unknown);
        let too_large = usize::try_from(SHOWN_BYTES_MOST).unwrap() + 1;
        std::fs::write(&file, vec![b'a'; too_large]).unwrap();
        assert_eq!(old_text(&file), OldText::Unknown);
        assert_eq!(old_text(&root), OldText::Unknown);
    }
}
