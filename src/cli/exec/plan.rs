//! What `exec` is asked to do, with everything looked up and read.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::cli::args::{self, Format, OnAsk};
use crate::cli::mcp_config;
use crate::core::backend::{BackendSpec, McpServer};
use crate::core::client_tools::ClientTools;
use crate::core::command::{Command, SessionSetup, SessionStart};
use crate::core::consent::GroundSource;
use crate::core::ids::{AgentSessionId, BackendId, SessionKey};
use crate::core::mcp_servers::{SkippedServer, servers_to_pass};
use crate::core::policy::level::Level;
use crate::core::presets;
use crate::core::settings::{CustomBackend, Settings};
use crate::core::split_command::split_command;
use crate::io::mcp_files;
use crate::io::policy_files::canonical;

/// A request that can be carried out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plan {
    pub(super) spec: BackendSpec,
    pub(super) cwd: PathBuf,
    pub(super) mcp_servers: Vec<McpServer>,
    /// Servers of the settings that are not passed.
    pub(super) skipped: Vec<SkippedServer>,
    pub(super) resume: Option<AgentSessionId>,
    /// As written; looked up in what the agent offers.
    pub(super) model: Option<String>,
    pub(super) mode: Option<String>,
    pub(super) prompt: String,
    pub(super) on_ask: OnAsk,
    pub(super) format: Format,
    pub(super) record: Option<PathBuf>,
    pub(super) timeout_secs: Option<u64>,
    pub(super) level: Level,
    /// Folders in which agents may be started.
    pub(super) trusted: Vec<PathBuf>,
}

/// Looks everything up. The error is one message for the person.
pub(super) fn make(args: &args::Exec, settings: &Settings) -> Result<Plan, String> {
    let own_program = std::env::current_exe().unwrap_or_default();
    let backends = presets::backends(settings, &own_program.to_string_lossy());
    let mut spec = match &args.command {
        Some(command) => custom(command)?,
        None => chosen(args.backend.as_deref(), settings.backend.as_ref(), backends)?,
    };
    let cwd = folder(&args.cwd)?;
    let mut extra = servers(args.mcp_config.as_deref())?;
    extra.extend(ops_server(&cwd, settings));
    let passed = servers_to_pass(&settings.mcp_servers, extra);
    if let Some(file) = args.rules.as_deref().filter(|file| !file.is_file()) {
        return Err(format!("--rules is no file: {}", file.display()));
    }
    if let Some(tools) = args.client_tools {
        spec.client_tools = tools;
    }
    Ok(Plan {
        spec,
        cwd,
        mcp_servers: passed.servers,
        skipped: passed.skipped,
        resume: args.resume.as_deref().map(AgentSessionId::from),
        model: args.model.clone(),
        mode: args.mode.clone(),
        prompt: prompt(&args.prompt)?,
        on_ask: args.on_ask,
        format: args.format,
        record: args.record.clone(),
        timeout_secs: args.timeout,
        level: args.approve,
        trusted: trusted(args, settings),
    })
}

impl Plan {
    /// The command that opens the session. A mode of the person's is set later, when the agent has said which it has.
    pub(super) fn open(&self, session: SessionKey) -> Command {
        let start = match &self.resume {
            Some(id) => SessionStart::Resume(id.clone()),
            None => SessionStart::New,
        };
        let mut spec = self.spec.clone();
        spec.asking_mode = spec.asking_mode.filter(|_| self.mode.is_none());
        Command::OpenSession {
            session,
            spec: Box::new(spec),
            setup: Box::new(SessionSetup {
                cwd: self.cwd.clone(),
                start,
                mcp_servers: self.mcp_servers.clone(),
                mode: None,
                model: None,
                level: self.level,
                ground: GroundSource::Files,
            }),
        }
    }
}

/// The folders that the person trusts; with `--trust` the working folder as well.
fn trusted(args: &args::Exec, settings: &Settings) -> Vec<PathBuf> {
    let this = args.trust.then(|| folder(&args.cwd).ok()).flatten();
    settings
        .trusted_folders
        .iter()
        .cloned()
        .chain(this)
        .collect()
}

fn chosen(
    named: Option<&str>,
    last: Option<&BackendId>,
    backends: Vec<BackendSpec>,
) -> Result<BackendSpec, String> {
    let ids: Vec<_> = backends
        .iter()
        .map(|spec| spec.id.as_str().to_owned())
        .collect();
    let Some(wanted) = named.or(last.map(BackendId::as_str)) else {
        return Err(format!(
            "which agent? Name one with --backend: {}",
            ids.join(", ")
        ));
    };
    let found = backends.into_iter().find(|spec| spec.id.as_str() == wanted);
    found.ok_or_else(|| format!("there is no backend {wanted:?}, only: {}", ids.join(", ")))
}

fn custom(command: &str) -> Result<BackendSpec, String> {
    let words = split_command(command)
        .ok_or_else(|| format!("a quote is not closed in --command: {command}"))?;
    let mut words = words.into_iter();
    let program = words.next().filter(|program| !program.is_empty());
    let program = program.ok_or("--command is empty")?;
    let name = Path::new(&program).file_stem().map_or_else(
        || program.clone(),
        |stem| stem.to_string_lossy().into_owned(),
    );
    Ok(presets::custom_spec(&CustomBackend {
        id: BackendId::from("command"),
        name,
        command: program,
        args: words.collect(),
        env: BTreeMap::new(),
        client_tools: ClientTools::default(),
    }))
}

fn folder(cwd: &Path) -> Result<PathBuf, String> {
    let folder = std::path::absolute(cwd)
        .map_err(|error| format!("--cwd can't be used: {error}: {}", cwd.display()))?;
    // Trust is given to the folder that it is, whatever links lead there.
    canonical(&folder)
        .filter(|folder| folder.is_dir())
        .ok_or_else(|| format!("--cwd is no folder: {}", folder.display()))
}

/// The ops server of the editor that has the folder open, if the person passes it to agents there.
fn ops_server(cwd: &Path, settings: &Settings) -> Option<McpServer> {
    let is_wanted = settings.unity_ops_folders.iter().any(|known| known == cwd);
    is_wanted.then(|| mcp_files::find_unity_ops(cwd).ok())??
}

fn servers(file: Option<&Path>) -> Result<Vec<McpServer>, String> {
    let Some(file) = file else {
        return Ok(Vec::new());
    };
    let problem =
        |error: String| format!("--mcp-config can't be used: {error}: {}", file.display());
    let text = std::fs::read_to_string(file).map_err(|error| problem(error.to_string()))?;
    mcp_config::parse(&text).map_err(problem)
}

fn prompt(argument: &str) -> Result<String, String> {
    let mut text = argument.to_owned();
    if argument == "-" {
        text.clear();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map_err(|error| format!("the prompt can't be read from stdin: {error}"))?;
    }
    if text.trim().is_empty() {
        return Err("the prompt is empty".to_owned());
    }
    Ok(text)
}
