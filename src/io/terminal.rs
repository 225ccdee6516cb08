//! Opens a terminal that the person sees, with a command in it. It is the person's from then on.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Terminals of a free desktop, and what comes between them and the command. The first that starts is taken.
const TERMINALS: [(&str, &[&str]); 10] = [
    ("x-terminal-emulator", &["-e"]),
    ("gnome-terminal", &["--"]),
    ("kgx", &["--"]),
    ("konsole", &["-e"]),
    ("xfce4-terminal", &["-x"]),
    ("kitty", &[]),
    ("alacritty", &["-e"]),
    ("wezterm", &["start", "--"]),
    ("foot", &[]),
    ("xterm", &["-e"]),
];

/// Opens a terminal in a folder that runs a program.
pub fn open(
    program: &str,
    args: &[String],
    env: &BTreeMap<String, String>,
    folder: Option<&Path>,
) -> io::Result<()> {
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for line in candidates(program, args, folder) {
        match start(&line, env, folder) {
            Ok(()) => return Ok(()),
            Err(error) => last = error,
        }
    }
    Err(last)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a terminal is the person's: it stays when this program ends"
)]
fn start(line: &[String], env: &BTreeMap<String, String>, folder: Option<&Path>) -> io::Result<()> {
    let (terminal, args) = line
        .split_first()
        .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    let mut command = Command::new(terminal);
    command
        .args(args)
        .envs(env)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let mut child = command.spawn()?;
    std::thread::Builder::new()
        .name("terminal".to_owned())
        .spawn(move || {
            // Only so that it does not stay as a zombie.
            if let Err(error) = child.wait() {
                tracing::debug!(%error, "a terminal was not waited for");
            }
        })?;
    Ok(())
}

/// The command lines to try, in order.
fn candidates(program: &str, args: &[String], folder: Option<&Path>) -> Vec<Vec<String>> {
    if cfg!(target_os = "macos") {
        let mut script = String::new();
        if let Some(folder) = folder {
            script = format!("cd {} && ", quoted(&folder.to_string_lossy()));
        }
        let words = std::iter::once(program).chain(args.iter().map(String::as_str));
        script.push_str(&words.map(quoted).collect::<Vec<_>>().join(" "));
        let tell = format!(
            "tell application \"Terminal\" to do script \"{}\"",
            script.replace('\\', "\\\\").replace('"', "\\\"")
        );
        let activate = "tell application \"Terminal\" to activate";
        return vec![owned(&["osascript", "-e", &tell, "-e", activate])];
    }
    if cfg!(windows) {
        return ["wt.exe", "conhost.exe"]
            .into_iter()
            .map(|terminal| with_args(&[terminal, program], args))
            .collect();
    }
    TERMINALS
        .into_iter()
        .map(|(terminal, before)| {
            let mut line = owned(&[terminal]);
            line.extend(owned(before));
            line.push(program.to_owned());
            line.extend_from_slice(args);
            line
        })
        .collect()
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn with_args(words: &[&str], args: &[String]) -> Vec<String> {
    let mut line = owned(words);
    line.extend_from_slice(args);
    line
}

/// A word as a shell takes it for one.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's; rm"), r"'it'\''s; rm'");
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn arguments_reach_the_program_as_they_are() {
        let args = owned(&["auth", "log in; rm"]);
        let lines = candidates("codex", &args, None);
        let expected = owned(&["x-terminal-emulator", "-e", "codex", "auth", "log in; rm"]);
        assert_eq!(lines.first(), Some(&expected));
    }
}
