//! The terminals of a session: started for the agent, read, waited for, let go.

use std::collections::BTreeMap;

use crate::core::client_tools::{ClientAnswer, ClientFailure, TerminalCall};
use crate::core::effect::Effect;
use crate::core::ids::{RequestId, TerminalId, ToolCallId};
use crate::core::notice::ExitStatus;
use crate::core::session::Session;
use crate::core::terminal::Terminal;
use crate::core::time::Timestamp;
use crate::core::tool_call::{ToolCallContent, ToolCallStatus};

/// How many terminals a session holds at most.
const TERMINALS_MOST: usize = 64;

/// All of them, those included that were released and stay to be looked at.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Terminals {
    held: BTreeMap<TerminalId, Held>,
    last: u64,
}

#[derive(Debug, Clone, PartialEq)]
struct Held {
    terminal: Terminal,
    /// The row of the transcript that tells of it, where that is ours and not ended.
    row: Option<ToolCallId>,
}

impl Terminals {
    pub(super) fn stop_waiting(&mut self, request: &RequestId) {
        for held in self.held.values_mut() {
            held.terminal.stop_waiting(request);
        }
    }

    /// Forgets a terminal whose command could not be started.
    pub(super) fn remove(&mut self, id: &TerminalId) {
        self.held.remove(id);
    }
}

impl Session {
    /// A terminal that the agent was given, also when it has released it.
    pub fn terminal(&self, id: &str) -> Option<&Terminal> {
        let held = self.client.terminals.held.get(&TerminalId::from(id))?;
        Some(&held.terminal)
    }

    /// Answers what the agent asks about a terminal.
    pub(in crate::core::session) fn terminal_asked(
        &mut self,
        request: RequestId,
        id: &TerminalId,
        call: TerminalCall,
    ) -> Vec<Effect> {
        let held = self.client.terminals.held.get_mut(id);
        let Some(held) = held.filter(|held| !held.terminal.released) else {
            let failure = ClientFailure::NoTerminal { id: id.clone() };
            return vec![self.answer_client(request, Err(failure))];
        };
        let terminal = &mut held.terminal;
        let runs = terminal.exit.is_none();
        let mut effects = Vec::new();
        let stop = Effect::StopTerminal {
            session: self.key,
            terminal: id.clone(),
        };
        let answer = match (call, terminal.exit.clone()) {
            (TerminalCall::Output, exit) => ClientAnswer::Output {
                text: terminal.text.clone(),
                truncated: terminal.truncated,
                exit,
            },
            (TerminalCall::WaitForExit, Some(exit)) => ClientAnswer::Exited(exit),
            (TerminalCall::WaitForExit, None) => {
                terminal.wait(request);
                return Vec::new();
            }
            (TerminalCall::Kill, _) => {
                effects.extend(runs.then_some(stop));
                ClientAnswer::Done
            }
            (TerminalCall::Release, _) => {
                effects.extend(runs.then_some(stop));
                for left in terminal.release() {
                    let failure = ClientFailure::NoTerminal { id: id.clone() };
                    effects.push(self.answer_client(left, Err(failure)));
                }
                ClientAnswer::Done
            }
        };
        effects.push(self.answer_client(request, Ok(answer)));
        effects
    }

    /// Takes in what a command printed.
    pub(in crate::core::session) fn terminal_printed(&mut self, id: &TerminalId, text: &str) {
        if let Some(held) = self.client.terminals.held.get_mut(id) {
            held.terminal.append(text);
            self.transcript.touch_terminal(id.as_str());
        }
    }

    /// Takes in the end of a command.
    pub(in crate::core::session) fn terminal_ended(
        &mut self,
        id: &TerminalId,
        exit: ExitStatus,
        now: Timestamp,
    ) -> Vec<Effect> {
        let Some(held) = self.client.terminals.held.get_mut(id) else {
            return Vec::new();
        };
        let waiting = held.terminal.exited(exit.clone());
        let status = if exit == ExitStatus::Code(0) {
            ToolCallStatus::Completed
        } else {
            ToolCallStatus::Failed
        };
        if let Some(row) = held.row.take() {
            self.end_row(&row, status, now);
        }
        self.transcript.touch_terminal(id.as_str());
        waiting
            .into_iter()
            .map(|request| self.answer_client(request, Ok(ClientAnswer::Exited(exit.clone()))))
            .collect()
    }

    /// Nobody is left who wants to hear of them: they end.
    pub(super) fn leave_terminals(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (id, held) in &mut self.client.terminals.held {
            // One that was released is stopped already.
            let runs = held.terminal.exit.is_none() && !held.terminal.released;
            // Whoever waited is gone.
            drop(held.terminal.release());
            if runs {
                effects.push(Effect::StopTerminal {
                    session: self.key,
                    terminal: id.clone(),
                });
            }
        }
        effects
    }

    /// Makes a terminal, unless there are too many. The oldest one that is over makes room. The row that tells of it
    /// shows what it prints, until the agent gives its own row other content.
    pub(super) fn hold(
        &mut self,
        limit: Option<u64>,
        row: Option<ToolCallId>,
        told_by: &ToolCallId,
    ) -> Option<TerminalId> {
        let terminals = &mut self.client.terminals;
        if terminals.held.len() >= TERMINALS_MOST {
            let mut all = terminals.held.iter();
            let over = all.find(|(_, held)| held.terminal.released && held.terminal.exit.is_some());
            let oldest = over.map(|(id, _)| id.clone())?;
            terminals.held.remove(&oldest);
        }
        terminals.last += 1;
        let id = TerminalId::from(format!("{}-{:06}", self.key, terminals.last));
        let terminal = Terminal::new(id.clone(), limit);
        terminals.held.insert(id.clone(), Held { terminal, row });
        let content = ToolCallContent::Terminal { id: id.to_string() };
        self.transcript.add_content(told_by, content);
        Some(id)
    }
}
