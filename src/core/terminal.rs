//! A terminal that an agent was given: what its command printed, and how it ended.

use crate::core::ids::{RequestId, TerminalId};
use crate::core::notice::ExitStatus;

/// How much output is kept where the agent says nothing, and at most, in bytes.
pub const OUTPUT_BYTES: usize = 1024 * 1024;
/// How much stays to be looked at when the agent has released the terminal, in bytes.
pub const RELEASED_BYTES: usize = 64 * 1024;

/// One terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terminal {
    pub id: TerminalId,
    /// The end of what was printed, untrusted.
    pub text: String,
    /// Whether the beginning of it is gone.
    pub truncated: bool,
    /// `None` while the command runs.
    pub exit: Option<ExitStatus>,
    /// The agent has let it go; it stays to be looked at.
    pub released: bool,
    limit: usize,
    /// Requests that wait for the end.
    waiting: Vec<RequestId>,
}

impl Terminal {
    /// A terminal whose command is about to start. `limit` is the agent's, in bytes.
    pub fn new(id: TerminalId, limit: Option<u64>) -> Self {
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        Self {
            id,
            text: String::new(),
            truncated: false,
            exit: None,
            released: false,
            limit: limit.unwrap_or(OUTPUT_BYTES).min(OUTPUT_BYTES),
            waiting: Vec::new(),
        }
    }

    /// Takes in output. What is too much goes from the front, whole characters at a time.
    pub fn append(&mut self, text: &str) {
        self.text.push_str(text);
        self.cut_to(self.limit);
    }

    /// The end of the text: no more than so many bytes, from the beginning of a line on where there is one.
    pub fn tail(&self, most: usize) -> &str {
        let Some(mut cut) = self.text.len().checked_sub(most).filter(|cut| *cut > 0) else {
            return &self.text;
        };
        while !self.text.is_char_boundary(cut) {
            cut += 1;
        }
        let end = self.text.get(cut..).unwrap_or_default();
        end.split_once('\n').map_or(end, |(_, lines)| lines)
    }

    /// Takes in the end; the requests that waited for it.
    pub fn exited(&mut self, exit: ExitStatus) -> Vec<RequestId> {
        self.exit = Some(exit);
        std::mem::take(&mut self.waiting)
    }

    /// Lets a request wait for the end.
    pub fn wait(&mut self, request: RequestId) {
        self.waiting.push(request);
    }

    /// The agent took a request back.
    pub fn stop_waiting(&mut self, request: &RequestId) {
        self.waiting.retain(|waiting| waiting != request);
    }

    /// The agent lets it go; the requests that still waited.
    pub fn release(&mut self) -> Vec<RequestId> {
        self.released = true;
        self.cut_to(RELEASED_BYTES);
        std::mem::take(&mut self.waiting)
    }

    fn cut_to(&mut self, limit: usize) {
        let Some(mut cut) = self.text.len().checked_sub(limit).filter(|cut| *cut > 0) else {
            return;
        };
        while !self.text.is_char_boundary(cut) {
            cut += 1;
        }
        self.text.drain(..cut);
        self.truncated = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal(limit: u64) -> Terminal {
        Terminal::new(TerminalId::from("t"), Some(limit))
    }

    #[test]
    fn output_is_cut_from_the_front_between_characters() {
        let mut open = terminal(5);
        open.append("abc");
        assert_eq!((open.text.as_str(), open.truncated), ("abc", false));
        open.append("日本");
        // The last five bytes begin inside of a character, which goes too.
        assert_eq!((open.text.as_str(), open.truncated), ("本", true));
        open.append("12");
        assert_eq!(open.text, "本12");
    }

    #[test]
    fn the_tail_begins_with_a_line() {
        let mut open = terminal(100);
        open.append("one\ntwo\nthree");
        for (most, tail) in [
            (100, "one\ntwo\nthree"),
            (11, "two\nthree"),
            (8, "three"),
            (3, "ree"),
            (0, ""),
        ] {
            assert_eq!(open.tail(most), tail, "{most}");
        }
        open.append("日本");
        assert_eq!(open.tail(4), "本");
    }

    #[test]
    fn no_limit_is_larger_than_ours() {
        let mut open = terminal(u64::MAX);
        open.append(&"x".repeat(OUTPUT_BYTES + 1));
        assert_eq!((open.text.len(), open.truncated), (OUTPUT_BYTES, true));
        let mut nothing = terminal(0);
        nothing.append("x");
        assert_eq!((nothing.text.as_str(), nothing.truncated), ("", true));
    }

    #[test]
    fn whoever_waits_hears_of_the_end_once() {
        let mut open = terminal(5);
        open.wait(RequestId::Number(1));
        open.wait(RequestId::Number(2));
        open.stop_waiting(&RequestId::Number(1));
        let told = open.exited(ExitStatus::Code(0));
        assert_eq!(told, [RequestId::Number(2)]);
        assert_eq!(open.release(), []);
    }
}
