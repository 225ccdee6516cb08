//! Takes secrets out of a frame.

use serde_json::Value;

/// What stands in a secret's place.
const REDACTED: &str = "[redacted]";
/// A name that has one of these words is that of a secret.
const SECRET_WORDS: [&str; 11] = [
    "authorization",
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "credential",
    "credentials",
    "cookie",
    "bearer",
    "apikey",
];

/// The frame without the values of secrets and of environment variables.
pub fn redacted(mut frame: Value) -> Value {
    redact(&mut frame);
    frame
}

fn redact(value: &mut Value) {
    match value {
        Value::String(text) if is_secret_text(text) => REDACTED.clone_into(text),
        Value::Array(values) => values.iter_mut().for_each(redact),
        Value::Object(fields) => {
            // Headers and variables as lists: `{"name": …, "value": …}`.
            let is_named_secret = fields
                .get("name")
                .and_then(Value::as_str)
                .is_some_and(is_secret_name);
            for (name, value) in fields.iter_mut() {
                if is_secret_name(name) || (is_named_secret && name == "value") {
                    hide(value);
                } else if name == "env" || name == "environment" {
                    hide_values(value);
                } else {
                    redact(value);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Hides texts. Numbers stay: they count tokens.
fn hide(value: &mut Value) {
    match value {
        Value::String(text) if !text.is_empty() => REDACTED.clone_into(text),
        Value::Array(values) => values.iter_mut().for_each(|value| {
            if value.is_object() {
                redact(value);
            } else {
                hide(value);
            }
        }),
        Value::Object(_) => redact(value),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Variables as an object of name and value, or as a list.
fn hide_values(value: &mut Value) {
    match value {
        Value::Object(fields) => fields.values_mut().for_each(hide),
        Value::Array(entries) => {
            for entry in entries {
                if let Some(value) = entry.get_mut("value") {
                    hide(value);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_secret_name(name: &str) -> bool {
    let words = words(name);
    words.last().is_some_and(|word| word == "key")
        || words
            .iter()
            .any(|word| SECRET_WORDS.contains(&word.as_str()))
}

fn is_secret_text(text: &str) -> bool {
    let is_bearer = text
        .get(..7)
        .is_some_and(|start| start.eq_ignore_ascii_case("bearer "));
    let is_key = text.starts_with("sk-") && text.len() > 20 && !text.contains(char::is_whitespace);
    is_bearer || is_key
}

/// The words of `apiKey`, `API_KEY` and `x-api-key` are `api` and `key`.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        let starts_word = c.is_uppercase() && was_lower;
        if (starts_word || !c.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_taken_out() {
        let cases = [
            (json!({"apiKey": "abc"}), json!({"apiKey": "[redacted]"})),
            (
                json!({"X-Api-Key": "abc"}),
                json!({"X-Api-Key": "[redacted]"}),
            ),
            (
                json!({"OPENAI_API_KEY": "abc"}),
                json!({"OPENAI_API_KEY": "[redacted]"}),
            ),
            (
                json!({"access_token": ["a", "b"]}),
                json!({"access_token": ["[redacted]", "[redacted]"]}),
            ),
            (
                json!({"a": {"clientSecret": "abc"}}),
                json!({"a": {"clientSecret": "[redacted]"}}),
            ),
            (
                json!({"headers": [{"name": "Authorization", "value": "Bearer x"}, {"name": "Accept", "value": "text"}]}),
                json!({"headers": [{"name": "Authorization", "value": "[redacted]"}, {"name": "Accept", "value": "text"}]}),
            ),
            (
                json!({"env": [{"name": "HOME", "value": "/home/ana"}]}),
                json!({"env": [{"name": "HOME", "value": "[redacted]"}]}),
            ),
            (
                json!({"env": {"HOME": "/home/ana"}}),
                json!({"env": {"HOME": "[redacted]"}}),
            ),
            (json!({"text": "bearer abc"}), json!({"text": "[redacted]"})),
            (json!(["sk-012345678901234567890"]), json!(["[redacted]"])),
        ];
        for (frame, expected) in cases {
            assert_eq!(redacted(frame.clone()), expected, "{frame}");
        }
    }

    #[test]
    fn what_is_no_secret_stays() {
        let cases = [
            json!({"inputTokens": 12, "token_count": 3, "maxTokens": "4096"}),
            json!({"sessionId": "s1", "toolCallId": "t1", "optionId": "allow_once"}),
            json!({"authMethods": [{"id": "api-key", "name": "API key", "vars": [{"name": "OPENAI_API_KEY"}]}]}),
            json!({"keyboard": "de", "keys": ["a"], "monkey": "x"}),
            json!({"text": "sk-"}),
            json!({"api_key": null, "token": "", "secret": true}),
        ];
        for frame in cases {
            assert_eq!(redacted(frame.clone()), frame);
        }
    }
}
