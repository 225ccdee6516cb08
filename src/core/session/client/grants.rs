//! What a yes to the agent's own permission request covers when it then asks us to do just that.

use std::path::{Path, PathBuf};

use super::ClientCall;
use crate::core::consent::Consent;
use crate::core::identity::ToolName;
use crate::core::identity::arguments::{CommandLine, command_folder, command_line};
use crate::core::permission::PermissionRequest;
use crate::core::policy::Reason;
use crate::core::policy::paths::{Places, of_call};
use crate::core::session::Session;
use crate::core::shell;
use crate::core::tool_call::ToolCallContent;

/// How many are remembered at most.
const GRANTS_MOST: usize = 256;

/// What the running turn was allowed.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Grants(Vec<Grant>);

/// What a permission request that was answered with yes covers, to the letter.
#[derive(Debug, Clone, PartialEq)]
struct Grant {
    what: Granted,
    consent: Consent,
}

#[derive(Debug, Clone, PartialEq)]
enum Granted {
    Read { path: PathBuf },
    Write { path: PathBuf, content: String },
    Line { line: String, cwd: PathBuf },
}

impl Grants {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl Session {
    /// What was allowed in a turn is not allowed in the next one.
    pub(in crate::core::session) fn forget_grants(&mut self) {
        self.client.grants.clear();
    }

    /// Remembers what the answer to a permission request covers: just these files with this content, just this line.
    pub(in crate::core::session) fn grant(
        &mut self,
        request: &PermissionRequest,
        consent: &Consent,
    ) {
        if self.is_client_request(&request.id) {
            return;
        }
        let call = &request.tool_call;
        let places = self.places();
        let mut granted = Vec::new();
        for piece in &call.content {
            if let ToolCallContent::Diff(diff) = piece {
                let path = places.folder.join(&diff.path);
                granted.push(Granted::Read { path: path.clone() });
                granted.push(Granted::Write {
                    path,
                    content: diff.new_text.clone(),
                });
            }
        }
        if request.identity.readings() == [ToolName::Read] {
            let files = of_call(&request.identity, call, &places).files;
            granted.extend(
                files
                    .into_iter()
                    .map(|file| Granted::Read { path: file.path }),
            );
        }
        if let CommandLine::Exact(line) = command_line(call) {
            let cwd = command_folder(call).map_or_else(
                || places.folder.clone(),
                |folder| places.folder.join(folder),
            );
            granted.push(Granted::Line { line, cwd });
        }
        let consent = consent.clone();
        let grants = granted.into_iter().map(|what| Grant {
            what,
            consent: consent.clone(),
        });
        let all = &mut self.client.grants.0;
        all.extend(grants);
        let too_many = all.len().saturating_sub(GRANTS_MOST);
        all.drain(..too_many);
    }

    /// Whether the agent asks for what it was allowed when it asked itself. A yes to write or run is used up by it.
    /// Where a path leads elsewhere than it says, the yes was to something else.
    pub(in crate::core::session) fn was_granted(
        &mut self,
        request: &PermissionRequest,
        because: &Reason,
    ) -> bool {
        let Some(pending) = self.client.pending.get(&request.id) else {
            return false;
        };
        let is_plain = match pending.call.path() {
            Some(path) => pending.target.as_deref() == Some(path),
            None => true,
        };
        let is_elsewhere = matches!(
            because,
            Reason::Protected { .. } | Reason::OutsideFolder { .. } | Reason::UnresolvedPath { .. }
        );
        if is_elsewhere && !is_plain {
            return false;
        }
        let folder = self.places().folder;
        let grants = &mut self.client.grants.0;
        let Some(index) = grants
            .iter()
            .position(|grant| grant.what.covers(&pending.call, &folder))
        else {
            return false;
        };
        let is_reading = matches!(pending.call, ClientCall::Read { .. });
        let consent = if is_reading {
            grants.get(index).map(|grant| grant.consent.clone())
        } else {
            Some(grants.remove(index).consent)
        };
        let id = &request.tool_call.id;
        let shown = self.transcript.tool_call(id).map(|call| &call.consent);
        if shown == Some(&Consent::Asking)
            && let Some(consent) = consent
        {
            self.transcript.set_consent(id, consent);
        }
        true
    }
}

impl Granted {
    fn covers(&self, call: &ClientCall, folder: &Path) -> bool {
        match (self, call) {
            (Self::Read { path }, ClientCall::Read { path: asked, .. }) => path == asked,
            (
                Self::Write { path, content },
                ClientCall::Write {
                    path: asked,
                    content: new,
                },
            ) => path == asked && content == new,
            (Self::Line { line, cwd }, ClientCall::Terminal(start)) => {
                let places = Places {
                    folder: folder.to_owned(),
                    ..Places::default()
                };
                start.cwd.as_deref().unwrap_or(folder) == cwd
                    && is_same_line(line, &start.line(), &places)
            }
            (Self::Read { .. } | Self::Write { .. } | Self::Line { .. }, _) => false,
        }
    }
}

/// Whether two lines are one, or differ only in how their words are quoted.
pub(super) fn is_same_line(line: &str, other: &str, places: &Places) -> bool {
    if line.trim() == other.trim() {
        return true;
    }
    let read = |line: &str| shell::read(line, places.for_shell());
    let (line, other) = (read(line), read(other));
    line.doubts.is_empty() && !line.commands.is_empty() && line == other
}
