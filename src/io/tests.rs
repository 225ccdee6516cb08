//! What the tests of this layer share.

use std::path::Path;

/// Writes a shell script that can be executed. Another process writes it: the file would be busy if a process that
/// is forked at the same time in another test inherited our handle.
#[cfg(unix)]
pub(super) fn write_program(path: &Path, script: &str) {
    use std::io::Write as _;

    #[expect(clippy::disallowed_methods, reason = "nothing is left of it")]
    let mut shell = std::process::Command::new("/bin/sh")
        .args(["-c", "cat >\"$1\" && chmod 755 \"$1\"", "sh"])
        .arg(path)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let mut stdin = shell.stdin.take().expect("it is piped");
    write!(stdin, "#!/bin/sh\n{script}\n").expect("the shell reads");
    drop(stdin);
    assert!(shell.wait().expect("it ends").success());
}
