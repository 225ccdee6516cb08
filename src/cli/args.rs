//! The command line's grammar.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::core::client_tools::ClientTools;
use crate::core::decisions::DECISIONS;
use crate::core::policy::level::Level;

/// One window for any coding agent that speaks the Agent Client Protocol.
#[derive(Debug, Parser)]
#[command(name = "agent-panel", version, about)]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Option<Subcommands>,
}

/// What to do instead of opening the window.
#[derive(Debug, Subcommand)]
pub enum Subcommands {
    /// Send one prompt to an agent, print what it does, and exit
    Exec(Box<Exec>),
    /// Print the transcript of a recorded session
    Replay(Replay),
    /// Play the agent's side of a recorded session on stdin and stdout
    ScriptedAgent(ScriptedAgent),
    /// Say which agents are installed and whether the window can open
    Doctor(Doctor),
    /// Print the record of decisions about tool calls
    Audit(Audit),
    /// Pass an MCP server on to an agent; agents start it with what they were given
    #[command(hide = true)]
    McpRelay,
}

/// `agent-panel audit`.
#[derive(Debug, Args)]
pub struct Audit {
    /// What is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Of this session only, by its agent's id of it
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Of this agent only
    #[arg(long, value_name = "ID")]
    pub backend: Option<String>,
    /// Only decisions of this kind
    #[arg(long, value_name = "WORD", value_parser = DECISIONS)]
    pub decision: Option<String>,
    /// From then on: a span before now (30m, 12h, 7d), or a date with or without time
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// Another record than your own
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// `agent-panel exec`.
#[derive(Debug, Args)]
pub struct Exec {
    /// The agent, by its id (see `doctor`); the last one used by default
    #[arg(long, value_name = "ID", conflicts_with = "command")]
    pub backend: Option<String>,
    /// Any program that speaks ACP, with its arguments; quotes as in a shell, nothing is expanded
    #[arg(long, value_name = "PROGRAM ARGS")]
    pub command: Option<String>,
    /// The working folder of the session
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub cwd: PathBuf,
    /// The model, by id or name
    #[arg(long, value_name = "ID")]
    pub model: Option<String>,
    /// The session mode, by id or name
    #[arg(long, value_name = "ID")]
    pub mode: Option<String>,
    /// What to answer when the agent asks for permission
    #[arg(long, value_enum, default_value_t = OnAsk::Reject)]
    pub on_ask: OnAsk,
    /// How much runs without asking: ask, read-only, undoable, all-ops, all-tools
    #[arg(long, value_name = "LEVEL", default_value = "ask", value_parser = level)]
    pub approve: Level,
    /// Permission rules, instead of your own file
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Start the agent in this folder although you have not trusted it in the window
    #[arg(long)]
    pub trust: bool,
    /// Files and terminals that the agent gets from us, judged like all it does: fs, fs.read, fs.write, terminal
    #[arg(long, value_name = "TOOLS", value_parser = client_tools)]
    pub client_tools: Option<ClientTools>,
    /// MCP servers for the session: a JSON file with `mcpServers`
    #[arg(long, value_name = "FILE")]
    pub mcp_config: Option<PathBuf>,
    /// Go on with an earlier session of this agent
    #[arg(long, value_name = "ID")]
    pub resume: Option<String>,
    /// What is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write the frames of the session to a file, as a recording
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Cancel the turn after this time
    #[arg(long, value_name = "SECS")]
    pub timeout: Option<u64>,
    /// The prompt, or `-` to read it from stdin
    pub prompt: String,
}

/// `agent-panel replay`.
#[derive(Debug, Args)]
pub struct Replay {
    /// The recording
    pub file: PathBuf,
    /// What is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// How much would run without asking: ask, read-only, undoable, all-ops, all-tools
    #[arg(long, value_name = "LEVEL", default_value = "ask", value_parser = level)]
    pub approve: Level,
    /// Permission rules that judge the recorded requests
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Cut the agent's output into pieces of this size, to show that it makes no difference
    #[arg(long, value_name = "BYTES")]
    pub chunk: Option<std::num::NonZeroUsize>,
}

/// `agent-panel scripted-agent`.
#[derive(Debug, Args)]
pub struct ScriptedAgent {
    /// The recording
    #[arg(required_unless_present = "demo", conflicts_with = "demo")]
    pub file: Option<PathBuf>,
    /// Play the built-in demo, which answers any prompt with its next scene
    #[arg(long)]
    pub demo: bool,
    /// Play the demo without its pauses
    #[arg(long, requires = "demo")]
    pub no_pauses: bool,
}

/// `agent-panel doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For scripts: one JSON object a line
    Jsonl,
}

/// What is answered to a permission request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnAsk {
    /// Refuse this once, or cancel the turn where the agent offers no such answer
    Reject,
    /// Allow this once; refuse where the agent offers no such answer
    Allow,
    /// Stop with exit code 3
    Fail,
}

/// Client tools by their words, with commas between them; none for an empty text.
fn client_tools(words: &str) -> Result<ClientTools, String> {
    let words = words.split(',').map(str::trim);
    ClientTools::from_words(words.filter(|word| !word.is_empty())).map_err(|word| {
        let known = ClientTools::WORDS.join(", ");
        format!("there is no client tool {word:?}, only: {known}")
    })
}

/// A level by its word.
fn level(word: &str) -> Result<Level, String> {
    Level::parse(word).ok_or_else(|| {
        let words = Level::ALL.map(Level::as_str).join(", ");
        format!("there is no level {word:?}, only: {words}")
    })
}
