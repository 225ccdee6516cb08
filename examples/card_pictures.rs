//! Draws the cards in their states, for people to look at: `cargo run --example card_pictures -- FOLDER [NAME]…`.

#[path = "../tests/support/cards.rs"]
mod cards;
#[path = "../tests/support/renderer.rs"]
mod renderer;
#[path = "../tests/support/world.rs"]
mod world;

use std::path::PathBuf;

use agent_panel::core::command::Command;
use agent_panel::core::event::SessionEvent;
use agent_panel::core::ids::SessionKey;
use agent_panel::core::mcp::McpSource;
use agent_panel::core::question::{AnswerForm, QuestionKind};
use agent_panel::core::time::Timestamp;
use agent_panel::core::usage::{
    Cost, CostSpan, ModelUsage, Quota, TokenCounts, TokenReport, TokenSpan, UsageReport,
};
use agent_panel::i18n::{I18n, Language};
use agent_panel::ui::theme::Theme;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, HarnessBuilder};
use renderer::SoftwareRenderer;
use world::{World, built};

type Page = fn(HarnessBuilder<World>, World, [f32; 2]) -> Harness<'static, World>;
type State = (
    &'static str,
    fn() -> World,
    Page,
    fn(&mut Harness<'_, World>),
);

const SIZES: [(&str, [f32; 2]); 2] = [("420", [420.0, 700.0]), ("900", [900.0, 900.0])];

const STATES: [State; 14] = [
    ("question", questions, built, |_| {}),
    ("question-other", questions, built, |window| {
        click(window, &["Other…", "その他…"]);
    }),
    ("question-many", questions, built, |window| {
        click(window, &["Blue"]);
        click(window, &["Game"]);
    }),
    ("question-text", form, built, |_| {}),
    ("question-url", url, built, |_| {}),
    (
        "question-and-permission",
        question_and_permission,
        built,
        |_| {},
    ),
    ("plan", plan, built, |_| {}),
    ("plan-reason", plan, built, |window| {
        click(
            window,
            &["Reject and say what to change…", "変更点を伝えて差し戻す…"],
        );
    }),
    ("permission", permission, built, |_| {}),
    ("permission-reason", permission, built, |window| {
        click(window, &["Deny and say why…", "理由を添えて拒否…"]);
    }),
    ("mcp", mcp, cards::mcp_page, |_| {}),
    ("mcp-open", mcp, cards::mcp_page, |window| {
        click(
            window,
            &[
                "unity-ops, connected, 3 tools",
                "unity-ops, 接続済み, ツール 3 個",
            ],
        );
    }),
    ("usage", usage, built, |window| {
        click(window, &["Context 82 %", "コンテキスト 82 %"]);
    }),
    ("slash", slash, built, |_| {}),
];

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().expect("a folder for the pictures"));
    std::fs::create_dir_all(&folder).expect("a folder that can be made");
    let wanted: Vec<String> = args.collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    for (name, make, page, act) in STATES.into_iter().filter(|state| is_wanted(state.0)) {
        for (size_name, size) in SIZES {
            for (look, theme, language) in [
                ("dark-en", Theme::dark(14), Language::English),
                ("light-ja", Theme::light(14), Language::Japanese),
            ] {
                let mut world = make();
                world.theme = theme;
                world.i18n = I18n::new(language);
                let builder = Harness::builder()
                    .renderer(SoftwareRenderer::default())
                    .with_render_cursor(false);
                let mut harness = page(builder, world, size);
                world::pass(&mut harness, 600);
                act(&mut harness);
                world::pass(&mut harness, 600);
                let file = folder.join(format!("{name}-{size_name}-{look}.png"));
                let image = harness.render().expect("a renderer");
                image.save(file).expect("a picture that can be written");
            }
        }
    }
}

/// Clicks what has one of these labels.
fn click(window: &mut Harness<'_, World>, labels: &[&str]) {
    let mut labels = labels.iter();
    let found = labels.find_map(|label| window.query_by_label(label));
    found.expect("something with this label").click();
    window.run_ok();
    world::pass(window, 600);
}

fn working() -> (World, SessionKey) {
    let mut world = World::default();
    let session = world.open("claude-acp");
    world.prompt(session, "Make the harbor scene load faster");
    (world, session)
}

fn questions() -> World {
    let (mut world, session) = working();
    cards::ask_form(&mut world, session, 5, cards::two_questions());
    world
}

fn form() -> World {
    let (mut world, session) = working();
    let whole = AnswerForm::Number {
        integer: true,
        default: Some("many".to_owned()),
    };
    let text = AnswerForm::Text { default: None };
    let mut questions = vec![
        cards::question("count", "How many rocks should the harbor have?", whole),
        cards::question("name", "What is the scene called?", text),
        cards::question(
            "force",
            "Overwrite the prefab?",
            AnswerForm::YesNo { default: None },
        ),
    ];
    questions[1].required = false;
    let event = SessionEvent::QuestionAsked {
        request: agent_panel::core::ids::RequestId::Number(6),
        tool_call: None,
        message: Some("The server “unity-ops” needs some details before it goes on.".to_owned()),
        kind: QuestionKind::Form(questions),
    };
    world.session_event(session, event);
    world
}

fn url() -> World {
    let (mut world, session) = working();
    let kind = QuestionKind::Url {
        url: "https://auth.example.com/device?user_code=WDJB-MJHT&client=agent-panel&scope=repo%20read"
            .to_owned(),
    };
    cards::ask(&mut world, session, 7, kind);
    world
}

fn question_and_permission() -> World {
    let (mut world, session) = working();
    cards::ask_for_command(&mut world, session, 8);
    cards::ask_form(&mut world, session, 9, cards::two_questions());
    world
}

fn plan() -> World {
    let (mut world, session) = working();
    cards::ask_for_plan(&mut world, session, 10, cards::PLAN);
    world
}

fn permission() -> World {
    let (mut world, session) = working();
    cards::ask_for_command(&mut world, session, 11);
    world
}

fn mcp() -> World {
    let mut world = World::default();
    let session = world.open("claude-acp");
    world.apply(Command::ShowMcp { session });
    cards::report_mcp(&mut world, session, McpSource::Agent, cards::servers());
    world
}

fn usage() -> World {
    let (mut world, session) = working();
    let counts = |input| TokenCounts {
        input,
        output: input / 9,
        cache_read: input * 12,
        cache_write: input * 2,
    };
    let model = |model: &str, input, cost| ModelUsage {
        model: model.to_owned(),
        counts: counts(input),
        cost_usd: cost,
        ..ModelUsage::default()
    };
    let now = world.now;
    let quota = |name: &str, used_percent, hours: u64| Quota {
        name: name.to_owned(),
        used_percent,
        resets_at: Some(now.plus_millis(hours * 3_600_000)),
    };
    let report = UsageReport {
        context_used: Some(164_000),
        context_window: Some(200_000),
        tokens: Some(TokenReport {
            counts: counts(14_200),
            span: TokenSpan::Turn,
        }),
        models: vec![
            model("claude-sonnet-5", 12_000, Some(0.4213)),
            model("claude-haiku-5", 2_200, None),
        ],
        models_span: Some(TokenSpan::Turn),
        cost: Some(Cost {
            amount: 0.4213,
            currency: "USD".to_owned(),
            span: CostSpan::Session,
        }),
        quotas: vec![quota("five_hour", 92.0, 2), quota("seven_day", 31.0, 76)],
        status_line: None,
    };
    world.session_event(session, SessionEvent::UsageReported(report));
    world.now = Timestamp(world.now.0 + 12_000);
    world
}

fn slash() -> World {
    let mut world = World::default();
    world.open("claude-acp");
    world.state.draft().text = "/".to_owned();
    world.state.focus_composer = true;
    world
}
