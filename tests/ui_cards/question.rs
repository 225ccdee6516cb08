//! The question card: answers go where they were meant to, and nowhere by accident.

use agent_panel::core::command::Command;
use agent_panel::core::ids::{RequestId, SessionKey};
use agent_panel::core::question::{
    AnswerForm, AnswerValue, Question, QuestionAnswer, QuestionKind,
};
use agent_panel::core::time::Timestamp;
use agent_panel::ui::cx::UiAction;
use agent_panel::ui::panels::composer::field_id;
use egui::accesskit::{Role, Toggled};
use egui::{Event, Key, Modifiers, PointerButton};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::cards::{ask, ask_form, choice, question, two_questions};
use super::world::{World, in_one_frame, pass, window};
use super::{WIDE, click, composed, in_frames, preedit, press, settled, shows, type_text};

const COLOR: &str = "Which color should the button have?";
const SCENES: &str = "Which scenes get it?";

fn with(questions: Vec<Question>) -> World {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "go");
    ask_form(&mut world, session, 5, questions);
    world
}

pub(super) fn asking() -> World {
    with(two_questions())
}

pub(super) fn asking_for_text() -> World {
    let whole = AnswerForm::Number {
        integer: true,
        default: None,
    };
    let text = words();
    let yes_no = AnswerForm::YesNo { default: None };
    let mut questions = vec![
        question("count", "How many rocks?", whole),
        question("name", "What is it called?", text),
        question("force", "Overwrite it?", yes_no),
    ];
    if let Some(second) = questions.get_mut(1) {
        second.required = false;
    }
    with(questions)
}

fn words() -> AnswerForm {
    AnswerForm::Text {
        default: None,
        secret: false,
    }
}

fn asking_for_address(url: &str) -> World {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "go");
    let url = url.to_owned();
    ask(&mut world, session, 5, QuestionKind::Url { url });
    world
}

fn shown(window: &Harness<'_, World>) -> SessionKey {
    window.state().state.shown.expect("a session")
}

#[expect(clippy::panic, reason = "another command is a failure")]
fn answered(window: &mut Harness<'_, World>) -> Option<QuestionAnswer> {
    let session = shown(window);
    let commands = window.state_mut().apply_commands();
    let [command] = commands.as_slice() else {
        assert_eq!(commands, []);
        return None;
    };
    let Command::AnswerQuestion {
        session: answered,
        request,
        answer,
    } = command
    else {
        panic!("{command:?}");
    };
    assert_eq!((*answered, request), (session, &RequestId::Number(5)));
    Some(answer.clone())
}

fn text(key: &str, text: &str) -> (String, AnswerValue) {
    (key.to_owned(), AnswerValue::Text(text.to_owned()))
}

fn many(key: &str, values: &[&str]) -> (String, AnswerValue) {
    let values = values.iter().map(|value| (*value).to_owned());
    (key.to_owned(), AnswerValue::Many(values.collect()))
}

fn is_enabled(window: &Harness<'_, World>, label: &str) -> bool {
    !window.get_by_label(label).accesskit_node().is_disabled()
}

#[test]
fn a_set_is_answered_step_by_step() {
    let mut window = settled(asking());
    assert!(shows(&window, COLOR));
    assert!(!is_enabled(&window, "Submit"));
    click(&mut window, "Blue");
    // A single choice leads on to what is still open.
    assert!(shows(&window, SCENES));
    assert!(!shows(&window, COLOR));
    assert!(shows(&window, "Several answers are possible"));
    assert!(!is_enabled(&window, "Submit"));
    click(&mut window, "Game");
    click(&mut window, "Harbor");
    click(&mut window, "Submit");
    let expected = vec![text(COLOR, "Blue"), many(SCENES, &["Harbor", "Game"])];
    assert_eq!(
        answered(&mut window),
        Some(QuestionAnswer::Submitted(expected))
    );
    pass(&mut window, 600);
    assert!(!shows(&window, "has 2 questions"));
}

#[test]
fn tabs_lead_back_and_keep_what_was_answered() {
    let mut window = settled(asking());
    click(&mut window, "Blue");
    click(&mut window, "Color");
    assert!(shows(&window, COLOR));
    let red = window.get_by_label("Red");
    assert_eq!(red.accesskit_node().toggled(), Some(Toggled::False));
    let blue = window.get_by_label("Blue");
    assert_eq!(blue.accesskit_node().toggled(), Some(Toggled::True));
    // Changing it leads to the next that is open, too.
    click(&mut window, "Red");
    assert!(shows(&window, SCENES));
}

#[test]
fn an_answer_of_ones_own_counts_when_it_is_written() {
    let mut window = settled(asking());
    click(&mut window, "Blue");
    click(&mut window, "Harbor");
    click(&mut window, "Color");
    click(&mut window, "Other…");
    assert!(!is_enabled(&window, "Submit"), "nothing is written yet");
    type_text(&mut window, "Green");
    assert!(is_enabled(&window, "Submit"));
    click(&mut window, "Submit");
    let expected = vec![text(COLOR, "Green"), many(SCENES, &["Harbor"])];
    assert_eq!(
        answered(&mut window),
        Some(QuestionAnswer::Submitted(expected))
    );
}

#[test]
fn an_answer_of_ones_own_joins_the_others_where_several_are_possible() {
    let options = choice(&[("Harbor", ""), ("Game", "")], true, true);
    let mut window = settled(with(vec![question("scenes", SCENES, options)]));
    click(&mut window, "Game");
    click(&mut window, "Other…");
    type_text(&mut window, "Credits");
    // Enter sends nothing: more may follow.
    press(&mut window, Key::Enter);
    click(&mut window, "Submit");
    let expected = vec![many("scenes", &["Game", "Credits"])];
    assert_eq!(
        answered(&mut window),
        Some(QuestionAnswer::Submitted(expected))
    );
}

#[test]
fn enter_in_an_answer_of_ones_own_leads_on() {
    let mut window = settled(asking());
    click(&mut window, "Other…");
    press(&mut window, Key::Enter);
    assert!(shows(&window, COLOR), "an empty answer leads nowhere");
    type_text(&mut window, "Green");
    press(&mut window, Key::Enter);
    assert!(shows(&window, SCENES));
    assert_eq!(window.state().commands, []);
}

#[test]
fn numbers_texts_and_yes_or_no() {
    let mut window = settled(asking_for_text());
    window
        .get_by_role_and_label(Role::TextInput, "How many rocks?")
        .focus();
    window.run_ok();
    type_text(&mut window, "many");
    assert!(shows(&window, "Enter a whole number"));
    for _ in 0..4 {
        press(&mut window, Key::Backspace);
    }
    type_text(&mut window, "12");
    assert!(!shows(&window, "Enter a whole number"));
    pass(&mut window, 600);
    click(&mut window, "Q3");
    assert!(!is_enabled(&window, "Submit"));
    click(&mut window, "No");
    // The optional one is shown next, and can be left out.
    assert!(shows(&window, "Optional"));
    click(&mut window, "Submit");
    let expected = vec![
        ("count".to_owned(), AnswerValue::Number("12".to_owned())),
        ("force".to_owned(), AnswerValue::YesNo(false)),
    ];
    assert_eq!(
        answered(&mut window),
        Some(QuestionAnswer::Submitted(expected))
    );
}

#[test]
fn skipping_is_an_answer_as_well() {
    let mut window = settled(asking());
    click(&mut window, "Skip");
    assert_eq!(answered(&mut window), Some(QuestionAnswer::Skipped));
}

#[test]
fn a_set_can_be_answered_with_the_keyboard_alone() {
    let mut window = settled(asking());
    press(&mut window, Key::F6);
    press(&mut window, Key::Num2);
    pass(&mut window, 600);
    assert!(shows(&window, SCENES));
    // The first answer of the next question has the keyboard.
    press(&mut window, Key::Space);
    pass(&mut window, 600);
    press(&mut window, Key::Num2);
    pass(&mut window, 600);
    click(&mut window, "Submit");
    let expected = vec![text(COLOR, "Blue"), many(SCENES, &["Harbor", "Game"])];
    assert_eq!(
        answered(&mut window),
        Some(QuestionAnswer::Submitted(expected))
    );
}

#[test]
fn what_is_typed_in_the_composer_answers_nothing() {
    let mut world = asking();
    world.state.focus_composer = true;
    let mut window = settled(world);
    let session = shown(&window);
    let focus = |window: &Harness<'_, World>| window.ctx.memory(egui::Memory::focused);
    assert_eq!(focus(&window), Some(field_id(session)));
    for key in [Key::Num1, Key::Space, Key::Y] {
        window.key_press(key);
    }
    type_text(&mut window, "1 y");
    assert_eq!(window.state_mut().state.draft().text, "1 y");
    press(&mut window, Key::Enter);
    let commands = window.state_mut().apply_commands();
    assert!(matches!(commands.as_slice(), [Command::Prompt { .. }]));
    assert_eq!(focus(&window), Some(field_id(session)));
    assert!(shows(&window, COLOR));
}

#[test]
fn a_card_that_has_just_appeared_takes_no_clicks() {
    let mut window = window(asking(), WIDE);
    window.get_by_label("Skip").click();
    window.run_ok();
    assert_eq!(window.state().commands, []);
    pass(&mut window, 499);
    window.get_by_label("Blue").click();
    window.run_ok();
    assert!(shows(&window, COLOR));
    pass(&mut window, 1);
    click(&mut window, "Skip");
    assert_eq!(answered(&mut window), Some(QuestionAnswer::Skipped));
}

#[test]
fn a_press_before_the_card_stood_still_is_no_answer() {
    let mut window = window(asking(), WIDE);
    let at = window.get_by_label("Skip").rect().center();
    let button = |pressed| {
        let event = Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        vec![Event::PointerMoved(at), event]
    };
    in_one_frame(&mut window, button(true));
    pass(&mut window, 600);
    in_one_frame(&mut window, button(false));
    window.run_ok();
    assert_eq!(window.state().commands, []);
}

#[test]
fn a_card_that_moves_takes_no_clicks_for_a_moment() {
    let mut window = settled(asking());
    window
        .state_mut()
        .state
        .draft()
        .text
        .push_str("one\ntwo\nthree");
    window.run_steps(3);
    window.get_by_label("Skip").click();
    window.run_ok();
    assert_eq!(window.state().commands, []);
    pass(&mut window, 600);
    click(&mut window, "Skip");
    assert_eq!(answered(&mut window), Some(QuestionAnswer::Skipped));
}

#[test]
fn the_second_click_of_a_double_click_answers_no_other_question() {
    let options = || choice(&[("Left", ""), ("Right", "")], false, false);
    let mut window = settled(with(vec![
        question("a", "First?", options()),
        question("b", "Second?", options()),
    ]));
    for _ in 0..2 {
        window.get_by_label("Left").click();
        window.run_steps(2);
    }
    assert!(shows(&window, "1 of 2 answered"));
    assert!(shows(&window, "Second?"));
}

#[test]
fn the_click_that_activates_the_window_is_no_answer() {
    let mut world = asking();
    world.state.window.focused_since = Some(Timestamp(100_500));
    let mut window = window(world, WIDE);
    pass(&mut window, 600);
    window.get_by_label("Skip").click();
    window.run_ok();
    assert_eq!(window.state().commands, []);
}

#[test]
fn half_an_answer_waits_while_another_session_is_shown() {
    let mut window = settled(asking());
    let session = shown(&window);
    click(&mut window, "Blue");
    let other = window.state_mut().open("codex");
    window.run_steps(2);
    assert!(!shows(&window, SCENES));
    assert!(shows(&window, "Claude Code waits for you"));
    assert_ne!(session, other);
    window.state_mut().state.shown = Some(session);
    window.run_steps(2);
    pass(&mut window, 600);
    assert!(shows(&window, SCENES));
    assert!(shows(&window, "1 of 2 answered"));
}

#[test]
fn what_was_answered_is_forgotten_with_its_request() {
    let mut window = settled(asking());
    let session = shown(&window);
    click(&mut window, "Blue");
    assert_eq!(window.state().state.cards.questions.len(), 1);
    window.state_mut().session_event(
        session,
        agent_panel::core::event::SessionEvent::QuestionWithdrawn {
            request: RequestId::Number(5),
        },
    );
    window.run_steps(2);
    assert!(window.state().state.cards.questions.is_empty());
    assert!(!shows(&window, "has 2 questions"));
}

#[test]
fn the_enter_that_confirms_a_conversion_leads_nowhere() {
    for frames in composed() {
        let mut window = settled(asking());
        click(&mut window, "Other…");
        in_frames(&mut window, frames);
        assert!(shows(&window, COLOR));
        let field = window.get_by_label("Your own answer");
        assert_eq!(field.value().as_deref(), Some("今日"));
        press(&mut window, Key::Enter);
        assert!(shows(&window, SCENES));
    }
}

#[test]
fn escape_leaves_the_field_and_stops_nothing() {
    let mut window = settled(asking());
    click(&mut window, "Other…");
    in_one_frame(&mut window, vec![preedit("きょう")]);
    press(&mut window, Key::Escape);
    in_frames(&mut window, vec![vec![preedit("")]]);
    type_text(&mut window, "Green");
    press(&mut window, Key::Escape);
    assert_eq!(window.state().commands, []);
    type_text(&mut window, "x");
    let field = window.get_by_label("Your own answer");
    assert_eq!(field.value().as_deref(), Some("Green"));
}

#[test]
fn an_address_is_shown_whole_and_opened_once_asked() {
    let address = "https://auth.example/device?code=WDJB";
    let mut window = settled(asking_for_address(address));
    assert!(shows(&window, "auth.example"));
    assert!(shows(&window, address));
    click(&mut window, "Open");
    assert_eq!(
        window.state().actions,
        [UiAction::OpenUrl(address.to_owned())]
    );
    assert_eq!(window.state().commands, []);
    click(&mut window, "Done");
    let done = QuestionAnswer::Submitted(Vec::new());
    assert_eq!(answered(&mut window), Some(done));
}

#[test]
fn an_address_of_another_kind_is_not_opened() {
    for address in [
        "file:///etc/hosts",
        "javascript:alert(1)",
        "https://evil.example\\@bank.example",
    ] {
        let window = settled(asking_for_address(address));
        assert!(shows(&window, "This address cannot be opened from here"));
        assert!(window.query_by_label("Open").is_none(), "{address}");
    }
}

#[test]
fn a_request_behind_is_announced_and_follows() {
    let mut world = asking();
    let session = world.state.shown.expect("a session");
    let more = vec![question("x", "And then?", words())];
    ask_form(&mut world, session, 6, more);
    let mut window = settled(world);
    click(&mut window, "Skip");
    assert_eq!(answered(&mut window), Some(QuestionAnswer::Skipped));
    pass(&mut window, 600);
    assert!(shows(&window, "Claude Code has a question"));
    assert!(shows(&window, "And then?"));
}

fn focus_field(window: &mut Harness<'_, World>, role: Role, label: &str) {
    window.get_by_role_and_label(role, label).focus();
    window.run_ok();
}

#[test]
fn an_answer_outside_the_limits_says_what_is_wrong() {
    let mut name = question("name", "What is it called?", words());
    name.limits.least = Some(3.0);
    name.limits.most = Some(5.0);
    let mut window = settled(with(vec![name]));
    focus_field(&mut window, Role::MultilineTextInput, "What is it called?");
    type_text(&mut window, "ab");
    pass(&mut window, 600);
    assert!(shows(&window, "Enter at least 3 characters"));
    assert!(!is_enabled(&window, "Submit"));
    type_text(&mut window, "cdef");
    pass(&mut window, 600);
    assert!(shows(&window, "Enter at most 5 characters"));
    press(&mut window, Key::Backspace);
    pass(&mut window, 600);
    assert!(is_enabled(&window, "Submit"));
}

#[test]
fn a_secret_is_not_shown_while_it_is_typed() {
    let secret = AnswerForm::Text {
        default: None,
        secret: true,
    };
    let mut window = settled(with(vec![question("token", "The token?", secret)]));
    focus_field(&mut window, Role::PasswordInput, "The token?");
    type_text(&mut window, "hunter2");
    pass(&mut window, 600);
    assert!(!shows(&window, "hunter2"));
    click(&mut window, "Submit");
    let expected = QuestionAnswer::Submitted(vec![text("token", "hunter2")]);
    assert_eq!(answered(&mut window), Some(expected));
}
