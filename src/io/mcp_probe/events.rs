//! Server-sent events out of bytes, however they are cut.

/// More is not kept of events that don't end.
const PENDING_BYTES_MOST: usize = 4 * 1024 * 1024;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SentEvent {
    /// Its kind; empty when it has none.
    pub(super) kind: String,
    pub(super) data: String,
}

/// An event that is too long.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Bytes that have not become an event yet.
#[derive(Debug, Default)]
pub(super) struct EventReader {
    line: Vec<u8>,
    after_carriage_return: bool,
    event: SentEvent,
    has_data: bool,
}

impl EventReader {
    /// Takes in a piece of the stream; the events that it completes, in order.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Vec<SentEvent>, TooLong> {
        let mut events = Vec::new();
        for byte in bytes {
            let after_carriage_return = std::mem::take(&mut self.after_carriage_return);
            match byte {
                b'\n' if after_carriage_return => {}
                b'\n' => events.extend(self.end_line()),
                b'\r' => {
                    self.after_carriage_return = true;
                    events.extend(self.end_line());
                }
                byte => self.line.push(*byte),
            }
            if self.line.len() + self.event.data.len() > PENDING_BYTES_MOST {
                return Err(TooLong);
            }
        }
        Ok(events)
    }

    fn end_line(&mut self) -> Option<SentEvent> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return std::mem::take(&mut self.has_data).then_some(event);
        }
        let line = String::from_utf8_lossy(&line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.kind),
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_the_same_however_the_bytes_are_cut() {
        let text = "event: endpoint\r\ndata: /messages?a=b\r\n\r\n: ping\n\nid: 1\ndata:é\ndata:  b\n\ndata\r\revent: x\n\ndata: half";
        let event = |kind: &str, data: &str| SentEvent {
            kind: kind.to_owned(),
            data: data.to_owned(),
        };
        let expected = [
            event("endpoint", "/messages?a=b"),
            event("", "é\n b"),
            event("", ""),
        ];
        for size in 1..text.len() {
            let mut reader = EventReader::default();
            let mut events = Vec::new();
            for piece in text.as_bytes().chunks(size) {
                events.extend(reader.push(piece).expect("it is short"));
            }
            assert_eq!(events, expected, "{size}");
        }
    }

    #[test]
    fn an_event_without_end_is_given_up() {
        let mut reader = EventReader::default();
        let long = vec![b'x'; PENDING_BYTES_MOST];
        assert_eq!(reader.push(&long), Ok(Vec::new()));
        assert_eq!(reader.push(b"x"), Err(TooLong));
    }
}
