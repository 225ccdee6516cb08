//! The answer on stdout as it comes, and what happens meanwhile in short lines on stderr.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};

use crate::cli::print_text::{block_text, permission_text, usage_text};
use crate::cli::watch::{Diagnostic, Report};
use crate::cli::words::{self, printable};
use crate::core::hub::AgentHub;
use crate::core::ids::{BlockId, SessionKey};
use crate::core::session::Session;
use crate::core::transcript::{Block, BlockContent};

/// What was written so far.
pub(super) struct StreamText {
    session: SessionKey,
    /// The first block that belongs to the prompt; `None` until it is sent. What was before is history.
    first: Option<BlockId>,
    /// How many bytes of each message were written.
    written: BTreeMap<BlockId, usize>,
    /// The message that was written to last.
    last: Option<BlockId>,
    /// Whether what was written last ends a line.
    at_line_start: bool,
}

impl StreamText {
    pub(super) fn new(session: SessionKey) -> Self {
        Self {
            session,
            first: None,
            written: BTreeMap::new(),
            last: None,
            at_line_start: true,
        }
    }

    /// From here on blocks belong to the prompt.
    pub(super) fn begin_prompt(&mut self, hub: &AgentHub) {
        let count = hub
            .session(self.session)
            .map_or(0, |session| session.transcript().blocks().len());
        self.first = Some(BlockId(count as u64));
    }

    /// Writes what the agent has said since the last time.
    pub(super) fn progress(&mut self, hub: &AgentHub) -> io::Result<()> {
        let (Some(first), Some(session)) = (self.first, hub.session(self.session)) else {
            return Ok(());
        };
        let blocks = session.transcript().blocks();
        let from = self.last.unwrap_or(first).max(first);
        // Ids count the blocks from 0.
        let from = usize::try_from(from.0).unwrap_or(usize::MAX);
        for block in blocks.iter().skip(from) {
            if let BlockContent::AgentMessage(message) = &block.content {
                self.write(block.id, &message.text)?;
            }
        }
        Ok(())
    }

    pub(super) fn report(&mut self, hub: &AgentHub, report: &Report) -> io::Result<()> {
        match report {
            Report::BlockFinal(key, id) => {
                let session = hub.session(*key);
                let block = session.and_then(|session| session.transcript().block(*id));
                match (session, block) {
                    (Some(session), Some(block)) => self.block(session, block),
                    (_, None) | (None, _) => Ok(()),
                }
            }
            Report::PermissionAnswered(_, record) => {
                let title = &record.tool_call.title;
                self.aside(&format!(
                    "[permission] {}: {title}\n{}",
                    record.identity.name.canonical(),
                    permission_text(record)
                ))
            }
            Report::TurnEnded(_, _, usage) => {
                let usage = usage_text(usage);
                if usage.is_empty() {
                    Ok(())
                } else {
                    self.aside(&format!("[usage] {usage}"))
                }
            }
            Report::Diagnostic(Diagnostic::AgentExited { exit, stderr }) => {
                let stderr: Vec<_> = stderr.iter().map(|line| format!("  | {line}")).collect();
                self.aside(&format!(
                    "[agent] ended: {}\n{}",
                    words::exit_text(exit),
                    stderr.join("\n")
                ))
            }
            Report::BlockAbandoned(key, id) if *key == self.session => self.abandoned(*id),
            Report::Diagnostic(_)
            | Report::SessionOpened(_)
            | Report::SessionIdKnown(..)
            | Report::BlockAbandoned(..)
            | Report::UsageChanged(..) => Ok(()),
        }
    }

    /// A remark of the command itself.
    pub(super) fn remark(&mut self, text: &str) -> io::Result<()> {
        self.aside(&format!("agent-panel: {text}"))
    }

    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.end_line()
    }

    fn block(&mut self, session: &Session, block: &Block) -> io::Result<()> {
        let is_failure = matches!(block.content, BlockContent::Failure(_));
        let is_ours = self.first.is_some_and(|first| block.id >= first);
        if !is_ours && !is_failure {
            return Ok(());
        }
        match &block.content {
            BlockContent::UserMessage(_) | BlockContent::AgentMessage(_) => Ok(()),
            BlockContent::ToolCall(call) => {
                let title = call.title.lines().next().unwrap_or_default();
                self.aside(&format!(
                    "[tool] {}: {title} — {}",
                    words::tool_name(session, call),
                    words::status(call.status)
                ))
            }
            BlockContent::Abandoned(_) => self.abandoned(block.id),
            BlockContent::Thought(_)
            | BlockContent::Plan(_)
            | BlockContent::Note(_)
            | BlockContent::Failure(_)
            | BlockContent::Attachment(_)
            | BlockContent::Image(_) => self.aside(&block_text(session, block)),
            // The answer to a command of our own.
            BlockContent::McpStatus(_) => {
                io::stdout().write_all(printable(&block_text(session, block)).as_bytes())
            }
        }
    }

    /// What was written is written anew from its beginning.
    fn abandoned(&mut self, id: BlockId) -> io::Result<()> {
        if self.written.contains_key(&id) {
            return self.aside("[begun anew] the text before this is not an answer");
        }
        Ok(())
    }

    fn write(&mut self, id: BlockId, text: &str) -> io::Result<()> {
        let written = self.written.get(&id).copied().unwrap_or_default();
        let Some(new) = text.get(written..).filter(|new| !new.is_empty()) else {
            return Ok(());
        };
        let mut out = io::stdout().lock();
        if self.last.is_some_and(|last| last != id) {
            let gap: &[u8] = if self.at_line_start { b"\n" } else { b"\n\n" };
            out.write_all(gap)?;
        }
        out.write_all(printable(new).as_bytes())?;
        out.flush()?;
        self.written.insert(id, text.len());
        self.at_line_start = new.ends_with('\n');
        self.last = Some(id);
        Ok(())
    }

    /// A line on stderr. On a terminal it starts a line of its own.
    fn aside(&mut self, text: &str) -> io::Result<()> {
        if io::stdout().is_terminal() {
            self.end_line()?;
        }
        match writeln!(io::stderr(), "{}", printable(text.trim_end())) {
            // Whoever closed stderr does not want to know.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }

    fn end_line(&mut self) -> io::Result<()> {
        if !self.at_line_start {
            self.at_line_start = true;
            writeln!(io::stdout())?;
        }
        Ok(())
    }
}
