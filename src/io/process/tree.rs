//! Which processes belong to an agent, as `/proc` tells. Linux only.
//!
//! Three things make a process a member: its parent is one, it is in the session or group of the agent, or it
//! carries the agent's mark in its environment. The mark finds those that left the session and lost their parent.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// A killed process may have started others in the meantime, so we look again, at most this often.
const ROUNDS_MOST: usize = 32;

/// The processes of one agent.
#[derive(Debug)]
pub(super) struct Tree {
    leader: u32,
    leader_start: Option<u64>,
    /// `NAME=value` as it stands in the environment of each member.
    mark: Vec<u8>,
    /// Members seen so far, with the time they were started at, because numbers are used again.
    known: BTreeMap<u32, u64>,
}

/// What `/proc/<pid>/stat` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stat {
    is_gone: bool,
    parent: u32,
    group: u32,
    session: u32,
    start: u64,
}

impl Tree {
    /// The tree below a process that was just started.
    pub(super) fn below(leader: u32, mark: String) -> Self {
        let leader_start = read_stat(leader).map(|stat| stat.start);
        Self {
            leader,
            leader_start,
            mark: mark.into_bytes(),
            known: leader_start
                .map(|start| (leader, start))
                .into_iter()
                .collect(),
        }
    }

    /// Remembers who belongs to the tree now, for the time when parents are gone.
    pub(super) fn look(&mut self) {
        self.known = self.members();
    }

    /// Kills all members, those included that appear meanwhile.
    pub(super) fn kill(&mut self) {
        let mut killed = BTreeSet::new();
        for _ in 0..ROUNDS_MOST {
            self.look();
            let fresh: Vec<_> = self
                .known
                .iter()
                .map(|(pid, start)| (*pid, *start))
                .filter(|member| !killed.contains(member))
                .collect();
            if fresh.is_empty() {
                return;
            }
            for (pid, start) in fresh {
                if is_same(pid, start) {
                    send(pid, Signal::SIGKILL);
                }
                killed.insert((pid, start));
            }
        }
        tracing::warn!(leader = self.leader, "processes of an agent keep appearing");
    }

    fn members(&self) -> BTreeMap<u32, u64> {
        let all = all_processes();
        let leader_is_ours = all
            .get(&self.leader)
            .is_none_or(|stat| Some(stat.start) == self.leader_start);
        let mut members: BTreeMap<u32, u64> = all
            .iter()
            .filter(|(pid, stat)| {
                let in_group =
                    leader_is_ours && (stat.group == self.leader || stat.session == self.leader);
                let is_known = self.known.get(pid) == Some(&stat.start);
                in_group || is_known || (self.may_be_marked(stat) && self.is_marked(**pid))
            })
            .map(|(pid, stat)| (*pid, stat.start))
            .collect();
        loop {
            let before = members.len();
            let children: Vec<_> = all
                .iter()
                .filter(|(_, stat)| members.contains_key(&stat.parent))
                .map(|(pid, stat)| (*pid, stat.start))
                .collect();
            members.extend(children);
            if members.len() == before {
                break;
            }
        }
        members.retain(|pid, _| {
            *pid > 1 && *pid != std::process::id() && all.get(pid).is_some_and(|stat| !stat.is_gone)
        });
        members
    }

    fn may_be_marked(&self, stat: &Stat) -> bool {
        self.leader_start.is_none_or(|start| stat.start >= start)
    }

    fn is_marked(&self, pid: u32) -> bool {
        fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environment| {
            environment
                .split(|byte| *byte == 0)
                .any(|pair| pair == self.mark)
        })
    }
}

/// Sends a signal; a process that is gone already is no error.
fn send(pid: u32, signal: Signal) {
    let Ok(raw) = i32::try_from(pid) else { return };
    if let Err(error) = kill(Pid::from_raw(raw), signal)
        && error != nix::errno::Errno::ESRCH
    {
        tracing::warn!(pid, %error, "can't stop a process of an agent");
    }
}

fn is_same(pid: u32, start: u64) -> bool {
    read_stat(pid).is_some_and(|stat| stat.start == start)
}

fn all_processes() -> BTreeMap<u32, Stat> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return BTreeMap::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|pid| Some((pid, read_stat(pid)?)))
        .collect()
}

fn read_stat(pid: u32) -> Option<Stat> {
    let bytes = fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse_stat(&String::from_utf8_lossy(&bytes))
}

/// The name of a program stands in parentheses and may contain any character, so fields count from the last one.
fn parse_stat(text: &str) -> Option<Stat> {
    let (_, fields) = text.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse().ok();
    Some(Stat {
        is_gone: matches!(*fields.first()?, "Z" | "X" | "x"),
        parent: number(1)?,
        group: number(2)?,
        session: number(3)?,
        start: fields.get(19)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_name_may_contain_anything() {
        let text = "42 (a) Z 1 (b c) S 7 42 40 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 98765 1 2";
        let expected = Stat {
            is_gone: false,
            parent: 7,
            group: 42,
            session: 40,
            start: 98765,
        };
        assert_eq!(parse_stat(text), Some(expected));
    }

    #[test]
    fn half_a_line_is_no_process() {
        assert_eq!(parse_stat("42 (sh) S 7 42"), None);
        assert_eq!(parse_stat(""), None);
    }
}
