//! Which processes belong to an agent where there is no `/proc`: those of its process group.

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

/// The process group of one agent.
#[derive(Debug)]
pub(super) struct Tree {
    leader: u32,
    leader_was_reaped: bool,
}

impl Tree {
    pub(super) fn below(leader: u32, _mark: String) -> Self {
        Self {
            leader,
            leader_was_reaped: false,
        }
    }

    pub(super) fn look(&mut self) {}

    /// From now on a process with the leader's number would be a stranger.
    pub(super) fn leader_was_reaped(&mut self) {
        self.leader_was_reaped = true;
    }

    /// Kills the group.
    pub(super) fn kill(&mut self) {
        let Ok(raw) = i32::try_from(self.leader) else {
            return;
        };
        let leader = Pid::from_raw(raw);
        if self.leader_was_reaped && kill(leader, None).is_ok() {
            return;
        }
        if let Err(error) = killpg(leader, Signal::SIGKILL)
            && error != nix::errno::Errno::ESRCH
        {
            tracing::warn!(leader = self.leader, %error, "can't stop the processes of an agent");
        }
    }
}
