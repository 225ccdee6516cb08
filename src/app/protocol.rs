//! The protocol log: frames out of memory into the window, and as a recording to a file.

use std::collections::HashMap;

use serde_json::Value;

use super::App;
use crate::core::ids::ConnectionId;
use crate::io::frame_log::Frame;
use crate::io::record::{self, Direction};
use crate::ui::state::protocol::{ShownFrame, Way};

/// How many frames are taken in before the window is drawn.
const FRAMES_AT_ONCE: usize = 2_000;

/// Requests that wait for their answer, so that an answer has a method too.
#[derive(Debug, Default)]
pub(super) struct Requests {
    methods: HashMap<(ConnectionId, bool, String), String>,
}

impl App {
    /// Takes in what went by since, while the log is open.
    pub(super) fn take_frames(&mut self, ctx: &eframe::egui::Context) {
        let Some(next) = self.state.protocol.next() else {
            if !self.state.protocol.is_open {
                self.requests.methods.clear();
            }
            return;
        };
        let Some(backend) = &self.backend else { return };
        let frames = backend.frame_log().since(next, FRAMES_AT_ONCE);
        if frames.len() == FRAMES_AT_ONCE {
            ctx.request_repaint();
        }
        let frames: Vec<ShownFrame> = frames
            .iter()
            .map(|frame| self.requests.shown(frame))
            .collect();
        self.state.protocol.take(frames);
    }

    /// What is shown in the log, as a recording.
    pub(super) fn recording(&self) -> String {
        let log = &self.state.protocol;
        let began = log.began_at().unwrap_or_default();
        let mut first = None;
        let mut text = String::new();
        for frame in log.wanted(0..log.counts().0) {
            let direction = match frame.way {
                Way::ToAgent => Direction::In,
                Way::FromAgent => Direction::Out,
            };
            let millis = frame.at.millis_since(began);
            let is_first = *first.get_or_insert(frame.connection) == frame.connection;
            let connection = (!is_first).then_some(frame.connection);
            let frame = record::frame_of(&frame.text);
            let entry = record::entry(direction, millis, connection, frame);
            text += &entry.to_string();
            text.push('\n');
        }
        text
    }
}

impl Requests {
    fn shown(&mut self, frame: &Frame) -> ShownFrame {
        let value = record::frame_of(&frame.text);
        let way = match frame.direction {
            Direction::In => Way::ToAgent,
            Direction::Out => Way::FromAgent,
        };
        ShownFrame {
            number: frame.number,
            connection: frame.connection,
            way,
            at: frame.at,
            method: self.method(frame.connection, way, &value),
            text: value.to_string(),
            bytes: frame.bytes,
        }
    }

    /// The method, or the kind of a message that has none.
    fn method(&mut self, connection: ConnectionId, way: Way, value: &Value) -> String {
        let word = |name: &str| value.get(name).and_then(Value::as_str);
        let id = value.get("id").map(Value::to_string);
        let from_us = way == Way::ToAgent;
        if let Some(method) = word("method") {
            if let Some(id) = id {
                let key = (connection, from_us, id);
                self.methods.insert(key, method.to_owned());
            }
            return method.to_owned();
        }
        if let Some(id) = id.filter(|_| value.get("result").or(value.get("error")).is_some()) {
            let request = self.methods.remove(&(connection, !from_us, id));
            return request.unwrap_or_default();
        }
        let kinds: Vec<&str> = ["type", "subtype"].into_iter().filter_map(word).collect();
        kinds.join("/")
    }
}
