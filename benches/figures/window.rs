//! The real window under Xvfb, with software OpenGL: how long it takes to come, what it holds, what it uses while
//! nothing happens. Skipped where there is no Xvfb.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::program::{Agent, PROGRAM, cpu, resident, until};

/// What the log says when the first frame was drawn.
const FIRST_FRAME: &str = "the first frame is drawn";
const IDLE: Duration = Duration::from_mins(1);
const LIMIT: Duration = Duration::from_mins(1);
/// After this, what is only needed for work was let go.
const REST: Duration = Duration::from_secs(30);

/// A screen without hardware. It ends with this value.
struct Screen {
    process: Child,
    display: String,
}

impl Screen {
    fn start() -> Option<Self> {
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1200x1000x24"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut number = String::new();
        BufReader::new(process.stdout.take()?)
            .read_line(&mut number)
            .ok()?;
        let display = format!(":{}", number.trim());
        Some(Self { process, display })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        end(&mut self.process);
    }
}

fn end(process: &mut Child) {
    drop(process.kill());
    drop(process.wait());
}

/// The window and the folder with its settings.
struct Window {
    process: Child,
    first_frame: Duration,
    _data: tempfile::TempDir,
}

impl Window {
    fn open(screen: &Screen, language: &str, agent: Option<&Agent>) -> Self {
        let data = tempfile::tempdir().expect("there is room for settings");
        let mut settings = format!("version = 1\nlanguage = \"{language}\"\ntheme = \"dark\"\n");
        if let Some(agent) = agent {
            settings.push_str(&with_agent(agent));
        }
        fs::write(data.path().join("settings.toml"), settings).expect("there is room for settings");
        let process = Command::new(PROGRAM)
            .env("DISPLAY", &screen.display)
            .env_remove("WAYLAND_DISPLAY")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env("AGENT_PANEL_DATA", data.path())
            .env("HOME", data.path())
            // Below a shell no login shell is asked for its PATH.
            .env("TERM", "xterm")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let log = data.path().join("logs/agent-panel.log");
        let first_frame = until(LIMIT, || says(&log, FIRST_FRAME)).unwrap_or(LIMIT);
        Self {
            process,
            first_frame,
            _data: data,
        }
    }

    /// Waits until all that came is taken in: no more CPU is used.
    fn settle(&self) {
        let mut before = Duration::MAX;
        let is_quiet = || {
            std::thread::sleep(Duration::from_secs(2));
            let now = cpu(&self.process);
            let is_quiet = now == before;
            before = now;
            is_quiet
        };
        until(LIMIT * 2, is_quiet).expect("the window comes to rest");
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        end(&mut self.process);
    }
}

fn with_agent(agent: &Agent) -> String {
    let folder = agent.folder().display();
    format!(
        "backend = \"figures\"\nrecent_folders = [\"{folder}\"]\ntrusted_folders = [\"{folder}\"]\n\n\
         [[agents]]\nid = \"figures\"\nname = \"Figures\"\ncommand = \"sh\"\nargs = [\"{}\"]\n",
        agent.script().display()
    )
}

fn says(log: &Path, words: &str) -> bool {
    fs::read_to_string(log).is_ok_and(|text| text.contains(words))
}

pub(crate) fn run() {
    let Some(screen) = Screen::start() else {
        println!("There is no Xvfb; not measured.");
        return;
    };
    println!("| the window | first frame | resident then |");
    println!("|---|---|---|");
    for language in ["en", "ja"] {
        // The first start reads the program from the disk.
        drop(Window::open(&screen, language, None));
        let window = Window::open(&screen, language, None);
        println!(
            "| start, language {language} | {:.0} ms | {:.0} MB |",
            window.first_frame.as_secs_f64() * 1e3,
            resident(window.process.id())
        );
    }
    println!("\n| the window, open | resident | after a rest |\n|---|---|---|");
    for blocks in [10_000, 100_000] {
        let history = crate::wire::blocks(blocks);
        let agent = Agent::playing(&history, b"");
        let window = Window::open(&screen, "en", Some(&agent));
        window.settle();
        let settled = resident(window.process.id());
        std::thread::sleep(REST);
        println!(
            "| {blocks} blocks ({} MB on the wire) | {settled:.0} MB | {:.0} MB |",
            history.len() / 1_000_000,
            resident(window.process.id())
        );
    }
    let window = Window::open(&screen, "en", None);
    window.settle();
    let before = cpu(&window.process);
    std::thread::sleep(IDLE);
    let used = cpu(&window.process).saturating_sub(before);
    println!(
        "\nIdle for {} s: {} ms of CPU.",
        IDLE.as_secs(),
        used.as_millis()
    );
}
