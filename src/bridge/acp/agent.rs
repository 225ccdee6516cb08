//! The answer to `initialize`: who the agent is, what it can do, how to sign in.

use std::collections::BTreeMap;

use crate::bridge::json::{self, Object};
use crate::bridge::quirks;
use crate::core::backend::{AgentCapabilities, AgentInfo, AuthMethod, AuthMethodKind, Unasked};
use crate::core::identity::shape::CallShape;
use crate::core::ids::AuthMethodId;

/// How the agent names itself, or how it is known by what else it sent.
pub(super) fn info(answer: &Object<'_>) -> AgentInfo {
    let own = answer.object("agentInfo").map(|info| AgentInfo {
        name: info.text("name").unwrap_or_default(),
        title: info.text("title").filter(|title| !title.is_empty()),
        version: info.text("version").unwrap_or_default(),
    });
    own.filter(|info| !info.name.is_empty())
        .or_else(|| {
            answer
                .object("_meta")
                .as_ref()
                .and_then(quirks::unnamed_agent)
        })
        .unwrap_or_default()
}

/// What the agent can do. What it does not say it can't.
pub(super) fn capabilities(answer: &Object<'_>) -> AgentCapabilities {
    let all = answer.object("agentCapabilities").unwrap_or_default();
    let part = |name: &str| all.object(name).unwrap_or_default();
    let (prompt, mcp, session) = (
        part("promptCapabilities"),
        part("mcpCapabilities"),
        part("sessionCapabilities"),
    );
    AgentCapabilities {
        load_session: can(&all, "loadSession"),
        resume_session: can(&session, "resume"),
        list_sessions: can(&session, "list"),
        close_session: can(&session, "close"),
        prompt_image: can(&prompt, "image"),
        prompt_audio: can(&prompt, "audio"),
        prompt_embedded_context: can(&prompt, "embeddedContext"),
        mcp_http: can(&mcp, "http"),
        mcp_sse: can(&mcp, "sse"),
        unasked: Unasked::Nothing,
        late_history: false,
        call_shape: CallShape::default(),
        // The protocol has no place for these.
        mcp_status: false,
        mcp_reconnect: false,
        mcp_set: false,
        reject_message: false,
    }
}

/// A capability is `true`, or an object that says more about it.
fn can(object: &Object<'_>, name: &str) -> bool {
    object.flag(name) == Some(true) || object.object(name).is_some()
}

/// The ways to sign in, in the agent's order.
pub(super) fn auth_methods(answer: &Object<'_>) -> Vec<AuthMethod> {
    let methods = answer.objects("authMethods").unwrap_or_default();
    let read = |method: &Object<'_>| {
        let id = method.text("id")?;
        Some(AuthMethod {
            name: method.text("name").unwrap_or_else(|| id.clone()),
            description: method
                .text("description")
                .map(|text| text.trim().to_owned())
                .filter(|text| !text.is_empty()),
            kind: auth_method_kind(method),
            id: AuthMethodId::from(id),
        })
    };
    methods.iter().filter_map(read).collect()
}

/// A whole command in `_meta["terminal-auth"]` says more than arguments for the agent's own. `type` may stand in
/// `_meta` (Qwen).
fn auth_method_kind(method: &Object<'_>) -> AuthMethodKind {
    let meta = method.object("_meta").unwrap_or_default();
    if let Some(terminal) = meta.object("terminal-auth")
        && let Some(program) = terminal.text("command")
    {
        return AuthMethodKind::Terminal {
            program: Some(program),
            args: args(&terminal),
            env: env(&terminal),
        };
    }
    for place in [method, &meta] {
        match place.str("type").as_deref() {
            Some("terminal") => {
                return AuthMethodKind::Terminal {
                    program: None,
                    args: args(place),
                    env: env(place),
                };
            }
            Some("env_var") => {
                let variables = variables(place);
                return AuthMethodKind::EnvVar { variables };
            }
            Some(_) | None => {}
        }
    }
    AuthMethodKind::Agent
}

fn args(place: &Object<'_>) -> Vec<String> {
    let args = place.list("args").unwrap_or_default();
    args.into_iter()
        .filter_map(json::text)
        .map(std::borrow::Cow::into_owned)
        .collect()
}

/// Variables as an object, or as a list of names and values.
fn env(place: &Object<'_>) -> BTreeMap<String, String> {
    if let Some(list) = place.objects("env") {
        return list
            .iter()
            .filter_map(|item| Some((item.text("name")?, item.text("value")?)))
            .collect();
    }
    let object = place.object("env").unwrap_or_default();
    object
        .members()
        .filter_map(|(name, value)| Some((name.to_owned(), json::text(value)?.into_owned())))
        .collect()
}

fn variables(place: &Object<'_>) -> Vec<String> {
    let list = place.list("vars").unwrap_or_default();
    list.into_iter()
        .filter_map(|item| match Object::of(item) {
            Some(object) => object.text("name"),
            None => json::text(item).map(std::borrow::Cow::into_owned),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn with<T>(answer: &Value, read: impl Fn(&Object<'_>) -> T) -> T {
        read(&Object::parse(&answer.to_string()).unwrap())
    }

    #[test]
    fn names() {
        let named = |name: &str, title: Option<&str>, version: &str| AgentInfo {
            name: name.to_owned(),
            title: title.map(str::to_owned),
            version: version.to_owned(),
        };
        let cases = [
            (json!({}), AgentInfo::default()),
            (json!({"agentInfo": null}), AgentInfo::default()),
            (json!({"agentInfo": {"name": "a"}}), named("a", None, "")),
            (
                json!({"agentInfo": {"name": "pi-acp", "title": "pi ACP adapter", "version": "0.0.34", "_meta": 3}}),
                named("pi-acp", Some("pi ACP adapter"), "0.0.34"),
            ),
            (
                json!({"_meta": {"grokShell": true, "agentVersion": "1.0.6"}}),
                named("grok", Some("Grok"), "1.0.6"),
            ),
        ];
        for (wire, expected) in cases {
            assert_eq!(with(&wire, info), expected, "{wire}");
        }
    }

    #[test]
    fn what_is_not_said_can_not_be_done() {
        assert_eq!(with(&json!({}), capabilities), AgentCapabilities::default());
        let odd = json!({"agentCapabilities": {
            "loadSession": "yes", "promptCapabilities": true, "sessionCapabilities": {"list": null, "close": {}, "resume": false},
            "mcpCapabilities": {"http": true, "sse": 1},
        }});
        let expected = AgentCapabilities {
            close_session: true,
            mcp_http: true,
            ..AgentCapabilities::default()
        };
        assert_eq!(with(&odd, capabilities), expected);
        let claude = json!({"agentCapabilities": {
            "promptCapabilities": {"image": true, "embeddedContext": true}, "mcpCapabilities": {"http": true, "sse": true},
            "loadSession": true, "sessionCapabilities": {"close": {}, "list": {}, "resume": {}},
        }});
        let expected = AgentCapabilities {
            load_session: true,
            resume_session: true,
            list_sessions: true,
            close_session: true,
            prompt_image: true,
            prompt_embedded_context: true,
            mcp_http: true,
            mcp_sse: true,
            ..AgentCapabilities::default()
        };
        assert_eq!(with(&claude, capabilities), expected);
    }

    #[test]
    fn kinds_of_sign_in() {
        let terminal =
            |program: Option<&str>, args: &[&str], env: &[(&str, &str)]| AuthMethodKind::Terminal {
                program: program.map(str::to_owned),
                args: args.iter().map(|arg| (*arg).to_owned()).collect(),
                env: env
                    .iter()
                    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                    .collect(),
            };
        let cases = [
            (json!({"id": "browser"}), AuthMethodKind::Agent),
            (json!({"id": "x", "type": "agent"}), AuthMethodKind::Agent),
            (
                json!({"id": "x", "type": "hologram"}),
                AuthMethodKind::Agent,
            ),
            (
                json!({"id": "cli", "type": "terminal"}),
                terminal(None, &[], &[]),
            ),
            (
                json!({"id": "pi", "type": "terminal", "args": ["--terminal-login"], "env": {"A": "1"}}),
                terminal(None, &["--terminal-login"], &[("A", "1")]),
            ),
            (
                json!({"id": "openai", "_meta": {"type": "terminal", "args": ["--auth-type=openai"]}}),
                terminal(None, &["--auth-type=openai"], &[]),
            ),
            (
                json!({"id": "claude", "type": "terminal", "args": ["--cli"], "_meta": {"terminal-auth": {
                    "command": "/opt/node", "args": ["index.js", "--cli"], "env": [{"name": "A", "value": "1"}], "label": "L"}}}),
                terminal(Some("/opt/node"), &["index.js", "--cli"], &[("A", "1")]),
            ),
            (
                json!({"id": "key", "type": "env_var", "vars": [{"name": "CODEX_API_KEY"}, "OTHER", 7]}),
                AuthMethodKind::EnvVar {
                    variables: vec!["CODEX_API_KEY".to_owned(), "OTHER".to_owned()],
                },
            ),
        ];
        for (wire, expected) in cases {
            let methods = with(
                &json!({"authMethods": [wire, "odd", {"name": "no id"}]}),
                auth_methods,
            );
            assert_eq!(methods.len(), 1, "{wire}");
            assert_eq!(methods[0].kind, expected, "{wire}");
        }
    }
}
