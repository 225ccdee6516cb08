//! The branch that is checked out in a folder, read from git's own files.

use std::path::{Path, PathBuf};

/// How many characters of a commit are shown where no branch is checked out.
const SHORT: usize = 8;

/// The branch of the repository that a folder belongs to; `None` where there is none.
pub(super) fn branch(folder: &Path) -> Option<String> {
    let git = folder.ancestors().map(|folder| folder.join(".git"));
    let git = git.into_iter().find(|path| path.exists())?;
    let head = std::fs::read_to_string(git_dir(&git)?.join("HEAD")).ok()?;
    let head = head.trim();
    match head.strip_prefix("ref: ") {
        Some(reference) => {
            let name = reference.strip_prefix("refs/heads/").unwrap_or(reference);
            Some(name.to_owned())
        }
        None => Some(head.chars().take(SHORT).collect()),
    }
}

/// In a linked worktree `.git` is a file that names the folder.
fn git_dir(git: &Path) -> Option<PathBuf> {
    if git.is_dir() {
        return Some(git.to_owned());
    }
    let file = std::fs::read_to_string(git).ok()?;
    let named = Path::new(file.trim().strip_prefix("gitdir: ")?);
    Some(git.parent()?.join(named))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, path: &str, text: &str) {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    #[test]
    fn branches() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        assert_eq!(branch(path), None);
        write(path, ".git/HEAD", "ref: refs/heads/fix/harbor\n");
        write(path, "src/deep/file", "");
        assert_eq!(
            branch(&path.join("src/deep")).as_deref(),
            Some("fix/harbor")
        );
        write(path, ".git/HEAD", "2c63ed2f23d533aa\n");
        assert_eq!(branch(path).as_deref(), Some("2c63ed2f"));
    }

    /// CVE-2026-72718: git runs what the configuration of a repository names. It is only read.
    #[test]
    fn cve_2026_72718_nothing_that_a_repository_names_is_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let ran = path.join("ran");
        write(path, ".git/HEAD", "ref: refs/heads/main\n");
        let hook = format!("#!/bin/sh\ntouch '{}'\n", ran.display());
        write(path, ".git/hooks/post-checkout", &hook);
        let config = format!(
            "[core]\nfsmonitor = \"touch '{0}'\"\nsshCommand = \"touch '{0}'\"\n",
            ran.display()
        );
        write(path, ".git/config", &config);
        assert_eq!(branch(path).as_deref(), Some("main"));
        assert!(!ran.exists());
    }

    #[test]
    fn a_linked_worktree_has_a_branch_of_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        write(path, "main/.git/worktrees/w/HEAD", "ref: refs/heads/side\n");
        write(path, "w/.git", "gitdir: ../main/.git/worktrees/w\n");
        assert_eq!(branch(&path.join("w")).as_deref(), Some("side"));
    }
}
