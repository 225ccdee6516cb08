//! JSON of an agent that is kept as long as its session: in as little room as it can be.

use std::borrow::Cow;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// What is no longer than this, in bytes, is kept as text and read again whenever it is looked at. Parsed, it would
/// take up to ten times the room; to read it costs two microseconds at most.
const TEXT_BYTES_MOST: usize = 512;

/// A JSON value that is kept.
#[derive(Debug, Clone)]
pub struct KeptJson(Form);

#[derive(Debug, Clone)]
enum Form {
    Text(Box<str>),
    Parsed(Box<Value>),
}

impl KeptJson {
    /// A value as it is written on the wire. What can't be parsed stands for its text: it is nested too deeply, or
    /// holds half a surrogate pair.
    pub fn from_raw(raw: &RawValue) -> Self {
        let text = raw.get();
        if text.len() <= TEXT_BYTES_MOST {
            Self(Form::Text(text.into()))
        } else {
            Self(Form::Parsed(Box::new(fitted(parsed(text)))))
        }
    }

    /// The value.
    pub fn value(&self) -> Cow<'_, Value> {
        match &self.0 {
            Form::Text(text) => Cow::Owned(parsed(text)),
            Form::Parsed(value) => Cow::Borrowed(value),
        }
    }
}

impl From<Value> for KeptJson {
    fn from(value: Value) -> Self {
        let text = value.to_string();
        if text.len() <= TEXT_BYTES_MOST {
            Self(Form::Text(text.into()))
        } else {
            Self(Form::Parsed(Box::new(fitted(value))))
        }
    }
}

impl PartialEq for KeptJson {
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// A value without the room that it was left to grow: an object as it is parsed takes four times its size.
fn fitted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut exact = Map::with_capacity(object.len());
            exact.extend(
                object
                    .into_iter()
                    .map(|(name, value)| (name, fitted(value))),
            );
            Value::Object(exact)
        }
        Value::Array(values) => {
            let mut values: Vec<Value> = values.into_iter().map(fitted).collect();
            values.shrink_to_fit();
            Value::Array(values)
        }
        Value::String(mut text) => {
            text.shrink_to_fit();
            Value::String(text)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kept(text: &str) -> KeptJson {
        KeptJson::from_raw(serde_json::from_str(text).unwrap())
    }

    #[test]
    fn a_value_is_the_same_whether_it_is_short_or_long() {
        for length in [0, 10, TEXT_BYTES_MOST - 10, TEXT_BYTES_MOST, 5_000] {
            let value = json!({"b": "x".repeat(length), "a": [1, 2.5, null, {"c": true}]});
            let (raw, made) = (kept(&format!(" {value:#} ")), KeptJson::from(value.clone()));
            assert_eq!(*raw.value(), value);
            assert_eq!(*made.value(), value);
            assert_eq!(raw, made);
        }
        assert_ne!(kept("1"), kept("2"));
    }

    #[test]
    fn what_cannot_be_parsed_stands_for_its_text() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let deeper = format!("{}{}", "[".repeat(2_000), "]".repeat(2_000));
        for text in [r#""x\ud83dy""#, &deep, &deeper] {
            assert_eq!(*kept(text).value(), json!(text));
        }
    }

    #[test]
    fn it_takes_little_room() {
        assert!(size_of::<Option<KeptJson>>() <= 24);
    }
}
