//! `agent-panel doctor`: which agents are there, and whether the window can open.

pub mod window;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::args;
use super::exit::{Exit, after_writing};
use super::settings::Loaded;
use crate::core::backend::{BackendSpec, Detection};
use crate::core::settings::Settings;
use crate::io::detect;
use crate::io::shell_path::places_of_this_user;
use crate::io::store::SettingsWarning;
use window::{Display, Platform, WindowCheck};

/// The fonts that are part of the program, so that no text needs one of the system's.
const FONTS: [&str; 4] = [
    "Inter",
    "JetBrains Mono",
    "Noto Sans JP",
    "Noto Sans Symbols 2",
];
/// Where libraries usually lie on Linux, beside what the loader's cache names.
const LIBRARY_FOLDERS: [&str; 8] = [
    "/lib",
    "/usr/lib",
    "/lib64",
    "/usr/lib64",
    "/usr/local/lib",
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
];

/// What is known of an agent.
struct Agent {
    spec: BackendSpec,
    detection: Detection,
    /// What the program says of itself, or why it says nothing.
    version: Option<Result<String, String>>,
}

/// Everything that is told.
struct Findings<'a> {
    agents: Vec<Agent>,
    window: WindowCheck,
    settings: &'a Loaded,
}

/// Runs the command. `var` looks up an environment variable.
pub(super) fn run(
    args: &args::Doctor,
    settings: &Loaded,
    var: &dyn Fn(&str) -> Option<String>,
) -> Exit {
    let findings = Findings {
        agents: agents(&settings.settings),
        window: check_window(var),
        settings,
    };
    let text = if args.json {
        format!("{:#}\n", as_json(&findings))
    } else {
        as_text(&findings)
    };
    after_writing(
        io::stdout()
            .lock()
            .write_all(text.as_bytes())
            .map(|()| Exit::Success),
    )
}

/// Looks at the display and the libraries of this machine.
pub fn check_window(var: &dyn Fn(&str) -> Option<String>) -> WindowCheck {
    let cache = std::fs::read("/etc/ld.so.cache").unwrap_or_default();
    let own = var("LD_LIBRARY_PATH").unwrap_or_default();
    let own = own.split(':').filter(|folder| !folder.is_empty());
    let folders: Vec<_> = own.chain(LIBRARY_FOLDERS).map(PathBuf::from).collect();
    let find = |name: &str| window::find_library(name, &cache, &folders, Path::exists);
    window::check(Platform::HERE, window::display(Platform::HERE, var), find)
}

fn agents(settings: &Settings) -> Vec<Agent> {
    let places = places_of_this_user();
    let found = detect::backends(settings, &places).into_iter();
    found
        .map(|backend| {
            let version = match &backend.detection {
                Detection::Found { path } => {
                    Some(detect::version(path, &places).map_err(|error| error.to_string()))
                }
                Detection::Missing { .. } | Detection::Unknown => None,
            };
            Agent {
                spec: backend.spec,
                detection: backend.detection,
                version,
            }
        })
        .collect()
}

fn as_text(findings: &Findings<'_>) -> String {
    let mut lines = vec![
        format!("agent-panel {}", env!("CARGO_PKG_VERSION")),
        String::new(),
        "Agents".to_owned(),
    ];
    for agent in &findings.agents {
        lines.extend(agent_lines(agent));
    }
    lines.push(String::new());
    lines.push("Window".to_owned());
    lines.extend(window_lines(&findings.window));
    lines.push(String::new());
    lines.push("Settings".to_owned());
    lines.extend(settings_lines(findings.settings));
    lines.join("\n") + "\n"
}

fn agent_lines(agent: &Agent) -> Vec<String> {
    let spec = &agent.spec;
    let title = format!("{} ({})", spec.name, spec.id);
    let mut lines = match &agent.detection {
        Detection::Found { path } => {
            let version = match &agent.version {
                Some(Ok(version)) => version.lines().next().unwrap_or_default().to_owned(),
                Some(Err(error)) => format!("version unknown: {error}"),
                None => String::new(),
            };
            vec![
                format!("  [x] {title}: {version}"),
                format!("        at {}", path.display()),
            ]
        }
        Detection::Missing { searched } => {
            let count = searched.len();
            let mut lines = vec![format!(
                "  [ ] {title}: {} was not found in {count} places",
                spec.command
            )];
            lines.extend(
                spec.install_command
                    .as_ref()
                    .map(|command| format!("        install: {command}")),
            );
            lines
        }
        Detection::Unknown => vec![format!("  [?] {title}")],
    };
    lines.extend(
        spec.login_command
            .as_ref()
            .map(|command| format!("        sign in: {command}")),
    );
    if !spec.key_variables.is_empty() {
        lines.push(format!("        or set: {}", spec.key_variables.join(", ")));
    }
    lines
}

fn window_lines(window: &WindowCheck) -> Vec<String> {
    let mut lines = vec![format!(
        "  display: {}",
        display_word(window.display).unwrap_or("none")
    )];
    for (library, file) in &window.libraries {
        let line = match file {
            Some(file) => format!("  [x] {}", file.display()),
            None => format!("  [ ] {} (Debian: {})", library.file, library.package),
        };
        lines.push(line);
    }
    lines.push(format!(
        "  fonts: {} are part of the program",
        FONTS.join(", ")
    ));
    let problems = window.problems();
    if problems.is_empty() {
        lines.push("  The window can open.".to_owned());
    }
    lines.extend(problems.into_iter().map(|problem| format!("  {problem}")));
    lines
}

fn settings_lines(settings: &Loaded) -> Vec<String> {
    let file = settings.file.as_deref();
    let mut lines = vec![match file {
        Some(file) if file.exists() => format!("  {}", file.display()),
        Some(file) => format!("  {} (not written yet)", file.display()),
        None => "  This system names no place for settings.".to_owned(),
    }];
    let warnings = settings.warnings.iter();
    lines.extend(
        warnings.map(|warning| format!("  can't be used: {} {}", warning.key, warning.reason)),
    );
    lines
}

fn as_json(findings: &Findings<'_>) -> Value {
    let library = |(library, file): &(window::Library, Option<PathBuf>)| {
        json!({
            "file": library.file,
            "package": library.package,
            "path": file.as_ref().map(|file| file.display().to_string()),
        })
    };
    let warning = |warning: &SettingsWarning| json!({"key": warning.key, "reason": warning.reason});
    let window = &findings.window;
    let file = findings.settings.file.as_deref();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "agents": findings.agents.iter().map(agent_json).collect::<Vec<_>>(),
        "window": {
            "display": display_word(window.display),
            "libraries": window.libraries.iter().map(library).collect::<Vec<_>>(),
            "fonts": FONTS,
            "problems": window.problems(),
        },
        "settings": {
            "file": file.map(|file| file.display().to_string()),
            "exists": file.is_some_and(Path::exists),
            "warnings": findings.settings.warnings.iter().map(warning).collect::<Vec<_>>(),
        },
    })
}

fn agent_json(agent: &Agent) -> Value {
    let spec = &agent.spec;
    let (path, searched) = match &agent.detection {
        Detection::Found { path } => (Some(path.display().to_string()), Vec::new()),
        Detection::Missing { searched } => (
            None,
            searched
                .iter()
                .map(|place| place.display().to_string())
                .collect(),
        ),
        Detection::Unknown => (None, Vec::new()),
    };
    let version = agent.version.as_ref();
    json!({
        "id": spec.id.as_str(),
        "name": spec.name,
        "installed": agent.detection.is_found(),
        "path": path,
        "version": version.and_then(|version| version.as_ref().ok()),
        "version_error": version.and_then(|version| version.as_ref().err()),
        "command": spec.command,
        "args": spec.args,
        "searched": searched,
        "install": spec.install_command,
        "sign_in": spec.login_command,
        "key_variables": spec.key_variables,
    })
}

fn display_word(display: Option<Display>) -> Option<&'static str> {
    display.map(|display| match display {
        Display::Wayland => "wayland",
        Display::X11 => "x11",
        Display::System => "system",
    })
}
