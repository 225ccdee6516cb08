//! Writes the frames of agents as a fixture, without secrets.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use serde_json::Value;

use crate::bridge::lines::Line;
use crate::core::frame_log::{self, Direction};
use crate::core::ids::ConnectionId;

/// A fixture that is being written. One line a frame: `{"dir", "t_ms", "frame"}`; a frame of another connection than
/// the first one also has `"connection"`.
#[derive(Debug)]
pub struct Recorder {
    file: File,
    began: Instant,
    first: Option<ConnectionId>,
    has_failed: bool,
}

impl Recorder {
    /// Starts a new file; an old one is overwritten.
    #[expect(
        clippy::disallowed_methods,
        reason = "a recording tells when each frame went by"
    )]
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut options = File::options();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Ok(Self {
            file: options.open(path)?,
            began: Instant::now(),
            first: None,
            has_failed: false,
        })
    }

    /// A frame that we send.
    pub fn sent(&mut self, connection: ConnectionId, frame: &str) {
        self.write(
            connection,
            Direction::Sent,
            frame_log::recorded_frame(frame),
        );
    }

    /// A line that the agent sent.
    pub fn received(&mut self, connection: ConnectionId, line: &Line) {
        let frame = match line {
            Line::Text { text, .. } if text.trim().is_empty() => return,
            Line::Text { text, .. } => frame_log::recorded_frame(text),
            Line::TooLong { bytes } => frame_log::too_long_frame(*bytes),
        };
        self.write(connection, Direction::Received, frame);
    }

    fn write(&mut self, connection: ConnectionId, direction: Direction, frame: Value) {
        let t_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let other = (*self.first.get_or_insert(connection) != connection).then_some(connection);
        let entry = frame_log::recording_entry(direction, t_ms, other, frame);
        if let Err(error) = writeln!(self.file, "{entry}")
            && !self.has_failed
        {
            self.has_failed = true;
            tracing::error!(%error, "a recording is incomplete");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(text: &str) -> Line {
        Line::Text {
            text: text.to_owned(),
            replaced: false,
        }
    }

    #[test]
    fn a_recording_is_a_fixture() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("made_recording.jsonl");
        let mut recorder = Recorder::create(&path).expect("a file");
        let (one, two) = (ConnectionId(1), ConnectionId(2));
        recorder.sent(one, r#"{"id":1,"method":"initialize"}"#);
        recorder.received(one, &text("INFO booted"));
        recorder.received(one, &text(" "));
        recorder.received(one, &Line::TooLong { bytes: 7 });
        recorder.received(two, &text(r#"{"id":1,"result":{"api_key":"abc"}}"#));

        let written = std::fs::read_to_string(&path).expect("it was written");
        let mut entries: Vec<Value> = written
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        for entry in &mut entries {
            assert!(entry["t_ms"].is_u64());
            entry["t_ms"] = json!(0);
        }
        assert_eq!(
            entries,
            [
                json!({"dir": "in", "t_ms": 0, "frame": {"id": 1, "method": "initialize"}}),
                json!({"dir": "out", "t_ms": 0, "frame": {"_not_json": "INFO booted"}}),
                json!({"dir": "out", "t_ms": 0, "frame": {"_too_long": 7}}),
                json!({"dir": "out", "t_ms": 0, "connection": 2, "frame": {"id": 1, "result": {"api_key": "[redacted]"}}}),
            ]
        );
    }
}
