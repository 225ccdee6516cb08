//! Questions of the agent: elicitations and Grok's own, each answered once, by the person alone.

use serde_json::json;

use super::*;
use crate::core::event::SessionEvent;
use crate::core::ids::{RequestId, ToolCallId};
use crate::core::question::{AnswerForm, AnswerValue, QuestionAnswer, QuestionKind};

fn elicitation(id: u64, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params})
}

fn form(id: u64) -> Value {
    let schema = json!({"type": "object", "properties": {"confirm": {"type": "boolean"}}, "required": ["confirm"]});
    elicitation(
        id,
        &json!({"mode": "form", "sessionId": "s1", "toolCallId": "t1", "message": "Overwrite it?", "requestedSchema": schema}),
    )
}

fn address(id: u64) -> Value {
    elicitation(
        id,
        &json!({"mode": "url", "sessionId": "s1", "elicitationId": "e1", "url": "https://example.com/a", "message": "Sign in"}),
    )
}

fn answer_of(request: u64, answer: QuestionAnswer) -> AgentMessage {
    AgentMessage::AnswerQuestion {
        session: SESSION,
        request: RequestId::Number(request.cast_signed()),
        answer,
    }
}

fn yes() -> QuestionAnswer {
    QuestionAnswer::Submitted(vec![("confirm".to_owned(), AnswerValue::YesNo(true))])
}

fn result(id: u64, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

#[test]
fn we_say_that_we_can_ask() {
    let mut bridge = Bridge::new(CONNECTION, &spec(), client());
    let output = bridge.start();
    let frame: Value = serde_json::from_str(&output.frames[0]).unwrap();
    assert_eq!(
        frame.pointer("/params/clientCapabilities/elicitation"),
        Some(&json!({"form": {}, "url": {}}))
    );
}

#[test]
fn a_form_is_asked_and_answered_once() {
    let mut wire = Wire::open();
    let events = wire.hear(&form(7));
    let [
        Event::Session {
            session: SESSION,
            event:
                SessionEvent::QuestionAsked {
                    request,
                    tool_call,
                    message,
                    kind: QuestionKind::Form(questions),
                },
        },
    ] = events.as_slice()
    else {
        panic!("a question, not {events:?}");
    };
    assert_eq!(
        (request, tool_call, message.as_deref()),
        (
            &RequestId::Number(7),
            &Some(ToolCallId::from("t1")),
            Some("Overwrite it?")
        )
    );
    assert!(matches!(
        questions[0].answer,
        AnswerForm::YesNo { default: None }
    ));
    assert_eq!(wire.sent, [] as [Value; 0]);
    for answer in [yes(), QuestionAnswer::Skipped, yes()] {
        drop(wire.say(answer_of(7, answer)));
    }
    let content = json!({"action": "accept", "content": {"confirm": true}});
    assert_eq!(wire.sent, [result(7, &content)]);
}

#[test]
fn declined_and_cancelled_are_two_answers() {
    let cases = [
        (QuestionAnswer::Skipped, "decline"),
        (QuestionAnswer::Cancelled, "cancel"),
    ];
    for (answer, action) in cases {
        let mut wire = Wire::open();
        drop(wire.hear(&form(7)));
        drop(wire.say(answer_of(7, answer)));
        assert_eq!(wire.sent, [result(7, &json!({"action": action}))]);
    }
}

#[test]
fn an_address_that_is_done_with_is_accepted_and_its_card_goes() {
    let mut wire = Wire::open();
    let events = wire.hear(&address(7));
    assert!(
        matches!(
            events.as_slice(),
            [Event::Session {
                event: SessionEvent::QuestionAsked { kind: QuestionKind::Url { url }, .. },
                ..
            }] if url == "https://example.com/a"
        ),
        "{events:?}"
    );
    let done = |id: &str| json!({"jsonrpc": "2.0", "method": "elicitation/complete", "params": {"elicitationId": id}});
    assert_eq!(wire.hear(&done("other")), []);
    let request = RequestId::Number(7);
    let gone = of(SESSION, SessionEvent::QuestionWithdrawn { request });
    assert_eq!(wire.hear(&done("e1")), [gone]);
    assert_eq!(wire.hear(&done("e1")), []);
    drop(wire.say(answer_of(7, QuestionAnswer::Skipped)));
    assert_eq!(wire.sent, [result(7, &json!({"action": "accept"}))]);
}

#[test]
fn a_question_that_can_not_be_shown_is_refused() {
    let session =
        json!({"mode": "form", "sessionId": "nobody", "requestedSchema": {"properties": {}}});
    let cases = [
        json!({}),
        json!({"mode": "form", "sessionId": "s1"}),
        json!({"mode": "voice", "sessionId": "s1", "requestedSchema": {"properties": {}}}),
        json!({"mode": "url", "sessionId": "s1"}),
        json!({"mode": "form", "sessionId": "s1", "url": "https://example.com"}),
        session,
    ];
    for params in cases {
        let mut wire = Wire::open();
        assert_eq!(wire.hear(&elicitation(7, &params)), [], "{params}");
        let [refusal] = wire.sent.as_slice() else {
            panic!("one answer to {params}, not {:?}", wire.sent);
        };
        assert_eq!(refusal["error"]["code"], -32602, "{params}");
    }
}

#[test]
fn what_is_asked_for_a_sign_in_is_shown_in_the_session_that_waits() {
    let mut wire = Wire::open();
    drop(wire.say(AgentMessage::Authenticate {
        method: "oauth".into(),
    }));
    let params = json!({"mode": "url", "requestId": 3, "elicitationId": "e1", "url": "https://example.com/a", "message": "Sign in"});
    let events = wire.hear(&elicitation(7, &params));
    assert!(
        matches!(
            events.as_slice(),
            [Event::Session {
                session: SESSION,
                event: SessionEvent::QuestionAsked { .. }
            }]
        ),
        "{events:?}"
    );
}

#[test]
fn a_question_that_is_taken_back_or_whose_session_is_closed_is_answered_at_once() {
    let mut wire = Wire::open();
    for id in [7, 8, 8] {
        drop(wire.hear(&form(id)));
    }
    let take_back =
        json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 7}});
    let request = RequestId::Number(7);
    let gone = of(SESSION, SessionEvent::QuestionWithdrawn { request });
    assert_eq!(wire.hear(&take_back), [gone]);
    drop(wire.say(AgentMessage::CloseSession { session: SESSION }));
    let answers: Vec<_> = wire
        .sent
        .iter()
        .map(|frame| (frame["id"].clone(), frame["error"]["code"].clone()))
        .collect();
    let expected = [
        (json!(8), json!(-32600)),
        (json!(7), json!(-32800)),
        (json!(8), Value::Null),
    ];
    assert_eq!(answers.get(..3), Some(expected.as_slice()));
    assert_eq!(wire.sent[2]["result"], json!({"action": "cancel"}));
}

#[test]
fn the_questions_of_grok_are_answered_by_their_labels() {
    let grok = json!({"protocolVersion": 1, "_meta": {"grokShell": true}});
    let ask = |method: &str, params: Value| json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    let questions = json!([
        {"question": "Which color?", "options": [{"label": "Red", "description": "A red cube"}, {"label": "Blue"}]},
        {"question": "Which scenes?", "options": [{"label": "Menu"}], "multiSelect": true},
    ]);
    let params = json!({"sessionId": "s1", "toolCallId": "t1", "questions": questions});
    let ours = ask("_x.ai/ask_user_question", params);
    let mut wire = Wire::open_with(&grok);
    let events = wire.hear(&ours);
    assert!(
        matches!(
            events.as_slice(),
            [Event::Session {
                event: SessionEvent::QuestionAsked { kind: QuestionKind::Form(form), .. },
                ..
            }] if form.len() == 2
        ),
        "{events:?}"
    );
    let answers = vec![
        (
            "Which color?".to_owned(),
            AnswerValue::Text("teal".to_owned()),
        ),
        (
            "Which scenes?".to_owned(),
            AnswerValue::Many(vec!["Menu".to_owned()]),
        ),
    ];
    drop(wire.say(answer_of(7, QuestionAnswer::Submitted(answers))));
    let labels = json!({"Which color?": ["teal"], "Which scenes?": ["Menu"]});
    let expected = json!({"outcome": "accepted", "answers": labels});
    assert_eq!(wire.sent, [result(7, &expected)]);

    let schema = json!({"properties": {"confirm": {"type": "boolean"}}});
    let server = ask(
        "_x.ai/mcp/elicit",
        json!({"sessionId": "s1", "mode": "form", "message": "Sure?", "requestedSchema": schema}),
    );
    for (asked, answer, expected) in [
        (
            &ours,
            QuestionAnswer::Skipped,
            json!({"outcome": "cancelled"}),
        ),
        (
            &server,
            QuestionAnswer::Skipped,
            json!({"outcome": "decline"}),
        ),
        (
            &server,
            yes(),
            json!({"outcome": "accept", "content": {"confirm": true}}),
        ),
    ] {
        let mut wire = Wire::open_with(&grok);
        drop(wire.hear(asked));
        drop(wire.say(answer_of(7, answer)));
        assert_eq!(wire.sent, [result(7, &expected)]);
    }
    let mut other = Wire::open();
    drop(other.hear(&ours));
    assert_eq!(other.sent[0]["error"]["code"], -32601);
}

#[test]
fn stop_cancels_an_open_question() {
    let mut desk = Desk::with_prompt();
    desk.agent(&form(7));
    assert_eq!(desk.session().questions().len(), 1);
    desk.user(Command::CancelTurn { session: SESSION });
    let cancelled = result(7, &json!({"action": "cancel"}));
    assert!(desk.sent.contains(&cancelled), "{:?}", desk.sent);
    assert_eq!(desk.session().questions(), []);
    // What crosses the cancellation on the wire is answered and not shown.
    desk.agent(&form(8));
    let cancelled = result(8, &json!({"action": "cancel"}));
    assert!(desk.sent.contains(&cancelled), "{:?}", desk.sent);
    assert_eq!(desk.session().questions(), []);
}
