//! Which editor files open in, and the arguments that lead it to a line.

use std::ffi::OsString;
use std::path::Path;

/// The editor the person chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Editor {
    /// Whatever the system opens such a file with. It is not told the line.
    #[default]
    System,
    VsCode,
    Zed,
    JetBrains,
}

impl Editor {
    /// The programs it may be called, the likeliest first.
    pub fn programs(self) -> &'static [&'static str] {
        match self {
            Self::System => &[],
            Self::VsCode => &["code", "codium", "code-insiders", "code-oss"],
            Self::Zed => &["zed", "zeditor", "zedit"],
            Self::JetBrains => &[
                "idea",
                "rustrover",
                "pycharm",
                "webstorm",
                "clion",
                "goland",
                "phpstorm",
                "rider",
                "rubymine",
                "studio",
                "idea.sh",
            ],
        }
    }

    /// What it is called by people; `None` for the system's choice.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::VsCode => Some("VS Code"),
            Self::Zed => Some("Zed"),
            Self::JetBrains => Some("JetBrains"),
        }
    }

    /// The arguments that open a file, exactly as they are given to the program: no shell reads them. `path` is
    /// absolute, so that it is never taken for an option; `line` counts from 1.
    pub fn arguments(self, path: &Path, line: Option<u32>) -> Vec<OsString> {
        let path_text = path.as_os_str().to_owned();
        let with_line = |line: u32| {
            let mut place = path_text.clone();
            place.push(format!(":{line}"));
            place
        };
        match (self, line) {
            (Self::System, _) => Vec::new(),
            (Self::VsCode, Some(line)) => vec![OsString::from("--goto"), with_line(line)],
            (Self::Zed, Some(line)) => vec![with_line(line)],
            (Self::JetBrains, Some(line)) => vec![
                OsString::from("--line"),
                OsString::from(line.to_string()),
                path_text,
            ],
            (Self::VsCode | Self::Zed | Self::JetBrains, None) => vec![path_text],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(editor: Editor, path: &str, line: Option<u32>, expected: &[&str]) {
        let arguments = editor.arguments(Path::new(path), line);
        assert_eq!(arguments, expected);
    }

    #[test]
    fn each_editor_is_led_to_the_line_in_its_own_way() {
        let path = "/home/me/src/main.rs";
        check(
            Editor::VsCode,
            path,
            Some(12),
            &["--goto", "/home/me/src/main.rs:12"],
        );
        check(Editor::Zed, path, Some(12), &["/home/me/src/main.rs:12"]);
        check(Editor::JetBrains, path, Some(12), &["--line", "12", path]);
        for editor in [Editor::VsCode, Editor::Zed, Editor::JetBrains] {
            check(editor, path, None, &[path]);
            assert!(!editor.programs().is_empty() && editor.name().is_some());
        }
        check(Editor::System, path, Some(1), &[]);
    }

    #[test]
    fn what_a_shell_would_read_stays_as_it_is() {
        let path = "/tmp/a b;$(rm -rf ~)'\"日本.rs";
        check(Editor::Zed, path, Some(3), &[&format!("{path}:3")]);
        check(Editor::JetBrains, path, Some(3), &["--line", "3", path]);
    }
}
