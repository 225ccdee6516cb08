//! Programs found, started and refused.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::*;
use crate::io::places::Files;

/// A file system that holds what a test puts into it.
#[derive(Default)]
struct MadeFiles {
    kinds: BTreeMap<PathBuf, FileKind>,
    texts: BTreeMap<PathBuf, String>,
}

impl MadeFiles {
    fn program(mut self, path: &str) -> Self {
        self.kinds.insert(PathBuf::from(path), FileKind::Program);
        self
    }

    fn file(mut self, path: &str) -> Self {
        self.kinds.insert(PathBuf::from(path), FileKind::File);
        self
    }

    fn folder(mut self, path: &str) -> Self {
        self.kinds.insert(PathBuf::from(path), FileKind::Folder);
        self
    }

    fn text(mut self, path: &str, text: &str) -> Self {
        self.texts.insert(PathBuf::from(path), text.to_owned());
        self.program(path)
    }
}

impl Files for MadeFiles {
    fn kind(&self, path: &Path) -> FileKind {
        self.kinds.get(path).copied().unwrap_or(FileKind::Nothing)
    }

    fn names(&self, folder: &Path) -> Vec<String> {
        let is_in = |path: &&PathBuf| path.parent() == Some(folder);
        let name = |path: &PathBuf| Some(path.file_name()?.to_str()?.to_owned());
        self.kinds.keys().filter(is_in).filter_map(name).collect()
    }

    fn text(&self, path: &Path) -> Option<String> {
        self.texts.get(path).cloned()
    }
}

fn places(platform: Platform, home: &str, files: MadeFiles) -> SearchPlaces {
    SearchPlaces {
        platform,
        path: Vec::new(),
        shell_path: Vec::new(),
        home: Some(PathBuf::from(home)),
        current_folder: None,
        own_program: None,
        variables: BTreeMap::new(),
        files: Arc::new(files),
    }
}

fn linux(files: MadeFiles) -> SearchPlaces {
    SearchPlaces {
        path: vec![PathBuf::from("/usr/bin"), PathBuf::from("/opt/tools")],
        current_folder: Some(PathBuf::from("/home/ana/project")),
        ..places(Platform::Linux, "/home/ana", files)
    }
}

fn windows(files: MadeFiles) -> SearchPlaces {
    let variables = [
        ("APPDATA", r"C:\Users\Ana Ruiz\AppData\Roaming"),
        ("ProgramFiles", r"C:\Program Files"),
        ("SystemRoot", r"C:\Windows"),
    ];
    SearchPlaces {
        path: vec![PathBuf::from(r"C:\Users\Ana Ruiz\npm")],
        current_folder: Some(PathBuf::from(r"C:\work")),
        variables: variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), PathBuf::from(value)))
            .collect(),
        ..places(Platform::Windows, r"C:\Users\Ana Ruiz", files)
    }
}

fn found(command: &str, places: &SearchPlaces) -> Option<String> {
    let path = find(command, places).ok()?;
    Some(path.to_str()?.to_owned())
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn a_bare_name_is_searched_on_path_and_in_the_usual_places() {
    let cases = [
        ("/usr/bin/talk", true),
        ("/opt/tools/talk", true),
        ("/home/ana/.local/bin/talk", true),
        ("/home/ana/.npm-global/bin/talk", true),
        ("/home/ana/.grok/bin/talk", true),
        ("/usr/local/bin/talk", true),
        ("/opt/homebrew/bin/talk", true),
        ("/home/ana/project/talk", false),
        ("/talk", false),
    ];
    for (path, expected) in cases {
        let places = linux(MadeFiles::default().program(path));
        let expected = expected.then(|| path.to_owned());
        assert_eq!(found("talk", &places), expected, "{path}");
    }
}

#[test]
fn path_comes_before_the_shells_path_and_the_usual_places() {
    let files = MadeFiles::default()
        .program("/home/ana/.local/bin/talk")
        .program("/home/ana/shell/talk")
        .program("/opt/tools/talk");
    let mut places = linux(files);
    places.shell_path = vec![PathBuf::from("/home/ana/shell")];
    assert_eq!(found("talk", &places).as_deref(), Some("/opt/tools/talk"));
    places.path.clear();
    assert_eq!(
        found("talk", &places).as_deref(),
        Some("/home/ana/shell/talk")
    );
}

#[test]
fn a_name_that_exists_nowhere_is_missing_with_the_places_searched() {
    let places = linux(MadeFiles::default().file("/usr/bin/talk"));
    let error = resolve("talk", &[], &places).expect_err("it can't be executed");
    let FailureKind::ProgramMissing { program, searched } = FailureKind::from(error) else {
        panic!("another failure");
    };
    assert_eq!(program, "talk");
    assert_eq!(searched[0], Path::new("/usr/bin"));
    assert!(searched.contains(&PathBuf::from("/home/ana/.grok/bin")));
}

#[test]
fn paths_are_used_as_they_are() {
    let cases = [
        ("/tmp/a'b\"c$d/talk", "/tmp/a'b\"c$d/talk"),
        (
            "/tmp/日本語 フォルダ/talk agent",
            "/tmp/日本語 フォルダ/talk agent",
        ),
        ("  /tmp/talk ", "/tmp/talk"),
        ("~/bin/talk", "/home/ana/bin/talk"),
        ("tools/talk", "/home/ana/project/tools/talk"),
        ("./talk", "/home/ana/project/./talk"),
    ];
    for (command, path) in cases {
        let places = linux(MadeFiles::default().program(path));
        assert_eq!(found(command, &places).as_deref(), Some(path), "{command}");
    }
}

#[test]
fn arguments_are_exact_where_no_batch_file_is_involved() {
    let args = strings(&[
        "--msg",
        "a b",
        "100%PATH%",
        "x&calc",
        "\"q\"",
        "日本",
        "",
        "-",
    ]);
    let unix = linux(MadeFiles::default().program("/usr/bin/talk"));
    let exe = r"C:\Users\Ana Ruiz\npm\talk.exe";
    let windows = windows(MadeFiles::default().program(exe));
    for (places, path) in [(unix, "/usr/bin/talk"), (windows, exe)] {
        let expected = Launch {
            found: PathBuf::from(path),
            program: PathBuf::from(path),
            arguments: Arguments::Exact(args.clone()),
        };
        assert_eq!(resolve("talk", &args, &places), Ok(expected));
    }
}

#[test]
fn a_null_character_is_refused_and_named() {
    let places = linux(MadeFiles::default().program("/usr/bin/talk"));
    let error = resolve("talk", &strings(&["a", "b\0c"]), &places).expect_err("refused");
    assert_eq!(
        error.to_string(),
        "argument 2 can't be passed exactly, because it contains a null character: b\u{2400}c"
    );
}

#[test]
fn windows_tries_the_endings_of_programs() {
    let base = r"C:\Users\Ana Ruiz\npm\talk";
    for ending in ["exe", "cmd", "bat", "com"] {
        let path = format!("{base}.{ending}");
        let places = windows(MadeFiles::default().program(&path));
        assert_eq!(found("talk", &places), Some(path.clone()));
        assert_eq!(
            found(&format!("talk.{ending}"), &places),
            Some(path.clone())
        );
        assert_eq!(found(base, &places), Some(path));
    }
    // npm puts a shell script without an ending next to its batch file.
    let places = windows(MadeFiles::default().program(base));
    assert_eq!(found("talk", &places), None);
    let in_current = windows(MadeFiles::default().program(r"C:\work\talk.exe"));
    assert_eq!(found("talk", &in_current), None);
    let npm = r"C:\Users\Ana Ruiz\AppData\Roaming\npm\talk.cmd";
    let places = windows(MadeFiles::default().program(npm));
    assert_eq!(found("talk", &places).as_deref(), Some(npm));
}

const NPM_SHIM: &str = "@ECHO off\r\nGOTO start\r\n:find_dp0\r\nSET dp0=%~dp0\r\nEXIT /b\r\n:start\r\nSETLOCAL\r\nCALL :find_dp0\r\n\r\nIF EXIST \"%dp0%\\node.exe\" (\r\n  SET \"_prog=%dp0%\\node.exe\"\r\n) ELSE (\r\n  SET \"_prog=node\"\r\n  SET PATHEXT=%PATHEXT:;.JS;=;%\r\n)\r\n\r\nendLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & \"%_prog%\" FLAGS \"%dp0%\\node_modules\\talk\\index.js\" %*\r\n";
const PNPM_SHIM: &str = "@IF EXIST \"%~dp0\\node.exe\" (\r\n  \"%~dp0\\node.exe\"  \"%~dp0\\node_modules\\talk\\index.js\" %*\r\n) ELSE (\r\n  @SET PATHEXT=%PATHEXT:;.JS;=;%\r\n  node  \"%~dp0\\node_modules\\talk\\index.js\" %*\r\n)\r\n";
const EXE_SHIM: &str =
    "@ECHO off\r\nCALL :find_dp0\r\n\"%dp0%\\node_modules\\talk\\talk.exe\"   %*\r\n";

fn shim(text: &str) -> MadeFiles {
    let folder = r"C:\Users\試験 花子\エージェント";
    MadeFiles::default()
        .text(&format!(r"{folder}\talk.cmd"), text)
        .program(&format!(r"{folder}\node_modules\talk\index.js"))
        .program(&format!(r"{folder}\node_modules\talk\talk.exe"))
        .program(r"C:\Program Files\nodejs\node.exe")
}

#[test]
fn the_program_behind_a_shim_is_started_itself() {
    let node = r"C:\Program Files\nodejs\node.exe";
    let script = r"C:\Users\試験 花子\エージェント\node_modules\talk\index.js";
    let exe = r"C:\Users\試験 花子\エージェント\node_modules\talk\talk.exe";
    let cases = [
        (NPM_SHIM.replace("FLAGS", ""), node, vec![script]),
        (
            NPM_SHIM.replace("FLAGS", "--no-warnings"),
            node,
            vec!["--no-warnings", script],
        ),
        (PNPM_SHIM.to_owned(), node, vec![script]),
        (EXE_SHIM.to_owned(), exe, vec![]),
    ];
    for (text, program, first) in cases {
        let args = ["100%PATH%", "x&calc", "\"q\"", ""];
        let launch = resolve(
            r"C:\Users\試験 花子\エージェント\talk.cmd",
            &strings(&args),
            &windows(shim(&text)),
        )
        .expect("it is understood");
        assert_eq!(launch.program, Path::new(program), "{text}");
        let expected = strings(&[first, args.to_vec()].concat());
        assert_eq!(launch.arguments, Arguments::Exact(expected), "{text}");
    }
}

#[test]
fn a_shim_prefers_the_node_next_to_it() {
    let beside = r"C:\Users\試験 花子\エージェント\node.exe";
    let files = shim(&NPM_SHIM.replace("FLAGS", "")).program(beside);
    let command = r"C:\Users\試験 花子\エージェント\talk.cmd";
    let launch = resolve(command, &[], &windows(files)).expect("it is understood");
    assert_eq!(launch.program, Path::new(beside));
}

#[test]
fn a_batch_file_we_do_not_understand_goes_to_cmd_with_quoted_arguments() {
    let texts = [
        "@echo hello\r\n".to_owned(),
        NPM_SHIM.replace("FLAGS", "-r %HOOK%"),
        NPM_SHIM.replace("index.js", "missing.js"),
        NPM_SHIM.replace("index.js", "..\\%X%\\index.js"),
    ];
    for text in texts {
        let path = r"C:\Users\Ana Ruiz\npm\talk.cmd";
        let places = windows(shim(&text).text(path, &text));
        let args = ["--msg", "a b", "x&calc", "日本", "", "-", r"C:\a b\"];
        let launch = resolve("talk", &strings(&args), &places).expect("it can be passed");
        assert_eq!(launch.found, Path::new(path));
        assert_eq!(launch.program, Path::new(r"C:\Windows\System32\cmd.exe"));
        let line = r#"/d /e:on /v:off /s /c ""C:\Users\Ana Ruiz\npm\talk.cmd" "--msg" "a b" "x&calc" "日本" "" "-" "C:\a b\\"""#;
        assert_eq!(launch.arguments, Arguments::CommandLine(line.to_owned()));
    }
}

/// CVE-2024-24576: a batch file's arguments are read by `cmd.exe`, which no quoting stops from expanding some of them.
#[test]
fn cve_2024_24576_cmd_gets_no_argument_that_it_would_change() {
    let cases = [
        ("100%PATH%", "a percent sign"),
        ("\"q\"", "a quotation mark"),
        ("\"&calc.exe", "a quotation mark"),
        ("a\r\nb", "a line break"),
        ("a!b", "an exclamation mark"),
        ("a\u{1b}b", "a control character"),
    ];
    for (argument, what) in cases {
        assert_eq!(batch::quoted(argument), Err(what), "{argument}");
        let path = r"C:\Users\Ana Ruiz\npm\talk.cmd";
        let places = windows(MadeFiles::default().text(path, "@echo hello\r\n"));
        let error = resolve("talk", &strings(&["-", argument]), &places).expect_err("refused");
        let FailureKind::StartFailed { program, reason } = FailureKind::from(error) else {
            panic!("another failure");
        };
        assert_eq!(program, "talk");
        assert!(reason.starts_with("argument 2 can't be passed exactly"));
        assert!(reason.ends_with(argument), "{reason}");
    }
}

#[test]
fn a_batch_file_in_a_folder_that_cmd_would_change_is_refused() {
    let path = r"C:\100%PATH%\talk.cmd";
    let places = windows(MadeFiles::default().text(path, "@echo hello\r\n"));
    assert!(matches!(
        resolve(path, &[], &places),
        Err(LaunchError::BatchPath { .. })
    ));
}

#[test]
fn the_node_version_in_use_is_searched() {
    let nvm = "/home/ana/.nvm";
    let with_versions = || {
        ["v9.1.0", "v20.11.1", "v22.3.0"]
            .iter()
            .fold(MadeFiles::default(), |files, version| {
                files
                    .folder(&format!("{nvm}/versions/node/{version}"))
                    .program(&format!("{nvm}/versions/node/{version}/bin/talk"))
            })
    };
    let cases = [
        ("20\n", "v20.11.1"),
        ("v9.1.0", "v9.1.0"),
        ("lts/*", "v22.3.0"),
        ("18", "v22.3.0"),
    ];
    for (alias, version) in cases {
        let places = linux(with_versions().text(&format!("{nvm}/alias/default"), alias));
        let expected = format!("{nvm}/versions/node/{version}/bin/talk");
        assert_eq!(found("talk", &places), Some(expected), "{alias}");
    }
    let fnm = "/home/ana/.local/share/fnm/aliases/default";
    let places = linux(
        MadeFiles::default()
            .folder(fnm)
            .program(&format!("{fnm}/bin/talk")),
    );
    assert_eq!(found("talk", &places), Some(format!("{fnm}/bin/talk")));
}

#[test]
fn the_working_folder_is_absolute_and_there() {
    let files = MadeFiles::default()
        .folder("/tmp/日本語 フォルダ")
        .file("/tmp/file");
    let places = linux(files);
    let check = |folder: &str| check_folder("talk", Path::new(folder), &places);
    assert_eq!(check("/tmp/日本語 フォルダ"), Ok(()));
    assert!(matches!(
        check("project"),
        Err(LaunchError::RelativeFolder { .. })
    ));
    assert!(matches!(check(""), Err(LaunchError::RelativeFolder { .. })));
    assert!(matches!(
        check("/nowhere"),
        Err(LaunchError::NoFolder { .. })
    ));
    assert!(matches!(
        check("/tmp/file"),
        Err(LaunchError::NotAFolder { .. })
    ));
}

#[test]
fn what_is_absolute_depends_on_the_platform() {
    let cases = [
        (r"C:\work", false, true),
        ("c:/work", false, true),
        (r"\\server\share", false, true),
        (r"C:work", false, false),
        (r"\work", false, false),
        ("/work", true, false),
        ("work", false, false),
    ];
    let (linux, windows) = (linux(MadeFiles::default()), windows(MadeFiles::default()));
    for (path, on_linux, on_windows) in cases {
        assert_eq!(linux.is_absolute(Path::new(path)), on_linux, "{path}");
        assert_eq!(windows.is_absolute(Path::new(path)), on_windows, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn a_program_found_elsewhere_has_its_own_folder_first() {
    let mut places = linux(MadeFiles::default());
    let launch = |path: &str| Launch {
        found: PathBuf::from(path),
        program: PathBuf::from(path),
        arguments: Arguments::Exact(Vec::new()),
    };
    let path = |launch: &Launch, places: &SearchPlaces| {
        child_path(launch, places).map(|path| path.to_string_lossy().into_owned())
    };
    assert_eq!(path(&launch("/usr/bin/talk"), &places), None);
    assert_eq!(
        path(&launch("/home/ana/node/bin/talk"), &places).as_deref(),
        Some("/home/ana/node/bin:/usr/bin:/opt/tools")
    );
    places.add_shell_path(std::ffi::OsStr::new("/home/ana/shell:/usr/bin:relative"));
    assert_eq!(
        path(&launch("/usr/bin/talk"), &places).as_deref(),
        Some("/usr/bin:/opt/tools:/home/ana/shell")
    );
}
