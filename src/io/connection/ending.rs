//! How a process comes to its end, step by step and in bounded time. No process and no clock is touched here.

use std::time::Duration;

use tokio::time::Instant;

/// After its input or output was closed, a process has this long to end by itself.
const GRACE: Duration = Duration::from_secs(2);
/// The same when the program closes.
const SHUT_DOWN_GRACE: Duration = Duration::from_secs(1);
/// After it was told to end, it has this long.
const TERMINATE_LIMIT: Duration = Duration::from_secs(1);
/// A killed process that is not gone by then is given up.
const KILL_LIMIT: Duration = Duration::from_secs(1);
/// Output that is left in the pipe is read for this long; a descendant may hold the pipe open.
const DRAIN_LIMIT: Duration = Duration::from_millis(1500);
/// After the descendants were killed too, the pipe is given up when nothing comes for this long.
const LAST_DRAIN_LIMIT: Duration = Duration::from_millis(300);

/// Where a process is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Running,
    /// It closed its output and runs.
    OutputEnded,
    /// We closed its input.
    Asked,
    /// We sent it the signal to end.
    Terminated,
    /// We killed the whole tree.
    Killed,
    /// It is gone; its output is read to the end.
    Draining,
    /// It is gone and so are its descendants.
    Swept,
    /// Nothing is left to wait for.
    Over,
}

/// What is to be done when the time of a stage is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    Terminate,
    KillTree,
    /// Report the end, whatever is known.
    Finish,
}

/// The way of one process to its end.
#[derive(Debug)]
pub(super) struct Ending {
    stage: Stage,
    deadline: Option<Instant>,
    output_closed_first: bool,
}

impl Ending {
    /// The process runs.
    pub(super) fn none() -> Self {
        Self {
            stage: Stage::Running,
            deadline: None,
            output_closed_first: false,
        }
    }

    /// When [`due`](Self::due) is to be asked.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Whether the process was stopped because it had closed its output.
    pub(super) fn output_closed_first(&self) -> bool {
        self.output_closed_first
    }

    /// Whether the tree has been killed after the process was gone.
    pub(super) fn is_swept(&self) -> bool {
        matches!(self.stage, Stage::Swept | Stage::Over)
    }

    /// Whether nothing is left to be waited for.
    pub(super) fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// The process closed its output.
    pub(super) fn output_ended(&mut self, now: Instant) {
        if self.stage == Stage::Running {
            self.enter(Stage::OutputEnded, now + GRACE);
        }
    }

    /// Its input is closed, so that it ends. Whether that was news.
    pub(super) fn ask(&mut self, now: Instant) -> bool {
        let is_news = matches!(self.stage, Stage::Running | Stage::OutputEnded);
        if is_news {
            self.enter(Stage::Asked, now + GRACE);
        }
        is_news
    }

    /// The program closes, so there is less time.
    pub(super) fn shut_down(&mut self, now: Instant) {
        self.ask(now);
        if self.stage == Stage::Asked {
            let at = now + SHUT_DOWN_GRACE;
            self.deadline = Some(self.deadline.map_or(at, |before| before.min(at)));
        }
    }

    /// The tree was killed. Says nothing about a process that is gone already.
    pub(super) fn killed(&mut self, now: Instant) {
        match self.stage {
            Stage::Draining | Stage::Swept => self.enter(Stage::Swept, now + LAST_DRAIN_LIMIT),
            Stage::Over => {}
            Stage::Running
            | Stage::OutputEnded
            | Stage::Asked
            | Stage::Terminated
            | Stage::Killed => self.enter(Stage::Killed, now + KILL_LIMIT),
        }
    }

    /// The process is gone.
    pub(super) fn exited(&mut self, now: Instant) {
        self.enter(Stage::Draining, now + DRAIN_LIMIT);
    }

    /// Output was taken or passed on, so there may be more.
    pub(super) fn output_moves(&mut self, now: Instant) {
        if self.stage == Stage::Swept {
            self.deadline = Some(now + LAST_DRAIN_LIMIT);
        }
    }

    /// All that there was to read has been read.
    pub(super) fn finish(&mut self) {
        self.stage = Stage::Over;
        self.deadline = None;
    }

    /// What is to be done now.
    pub(super) fn due(&mut self, now: Instant) -> Option<Due> {
        if self.deadline.is_none_or(|deadline| deadline > now) {
            return None;
        }
        self.deadline = None;
        match self.stage {
            Stage::Running | Stage::Over => None,
            Stage::OutputEnded => {
                self.output_closed_first = true;
                self.enter(Stage::Terminated, now + TERMINATE_LIMIT);
                Some(Due::Terminate)
            }
            Stage::Asked => {
                self.enter(Stage::Terminated, now + TERMINATE_LIMIT);
                Some(Due::Terminate)
            }
            Stage::Terminated | Stage::Draining => Some(Due::KillTree),
            Stage::Killed | Stage::Swept => Some(Due::Finish),
        }
    }

    fn enter(&mut self, stage: Stage, deadline: Instant) {
        self.stage = stage;
        self.deadline = Some(deadline);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does what is due until it is over; each action with the milliseconds since the start.
    fn play(ending: &mut Ending, start: Instant) -> Vec<(u128, Due)> {
        let mut done = Vec::new();
        while let Some(at) = ending.deadline() {
            let Some(due) = ending.due(at) else { break };
            done.push(((at - start).as_millis(), due));
            match due {
                Due::Terminate => {}
                Due::KillTree => ending.killed(at),
                Due::Finish => ending.finish(),
            }
        }
        assert!(ending.is_over());
        done
    }

    #[tokio::test]
    async fn whatever_a_process_does_it_is_over_within_five_seconds() {
        let start = Instant::now();
        let mut stubborn = Ending::none();
        assert!(stubborn.ask(start));
        let expected = [
            (2000, Due::Terminate),
            (3000, Due::KillTree),
            (4000, Due::Finish),
        ];
        assert_eq!(play(&mut stubborn, start), expected);

        let mut at_shut_down = Ending::none();
        at_shut_down.shut_down(start);
        let expected = [
            (1000, Due::Terminate),
            (2000, Due::KillTree),
            (3000, Due::Finish),
        ];
        assert_eq!(play(&mut at_shut_down, start), expected);
    }

    #[tokio::test]
    async fn output_that_ends_first_is_told_only_when_the_process_had_to_be_stopped() {
        let start = Instant::now();
        let mut stays = Ending::none();
        stays.output_ended(start);
        assert_eq!(stays.due(start + GRACE), Some(Due::Terminate));
        assert!(stays.output_closed_first());

        let mut follows = Ending::none();
        follows.output_ended(start);
        follows.exited(start);
        assert!(!follows.output_closed_first());
    }

    #[tokio::test]
    async fn a_descendant_that_holds_the_pipe_is_killed_and_what_is_left_is_read() {
        let start = Instant::now();
        let mut ending = Ending::none();
        ending.exited(start);
        let swept = start + DRAIN_LIMIT;
        assert_eq!(ending.due(swept), Some(Due::KillTree));
        ending.killed(swept);
        ending.output_moves(swept + LAST_DRAIN_LIMIT / 2);
        assert_eq!(ending.due(swept + LAST_DRAIN_LIMIT), None);
        let end = swept + LAST_DRAIN_LIMIT / 2 + LAST_DRAIN_LIMIT;
        assert_eq!(ending.due(end), Some(Due::Finish));
    }

    #[tokio::test]
    async fn asking_twice_does_not_give_more_time() {
        let start = Instant::now();
        let mut ending = Ending::none();
        assert!(ending.ask(start));
        assert!(!ending.ask(start + GRACE / 2));
        ending.shut_down(start + GRACE / 2 + GRACE / 4);
        assert_eq!(ending.deadline(), Some(start + GRACE));
    }
}
