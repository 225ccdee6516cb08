//! Draws the window in its states, for people to look at: `cargo run --example pictures -- FOLDER [NAME]…`.

#[path = "../tests/support/renderer.rs"]
mod renderer;
#[path = "../tests/support/world.rs"]
#[expect(dead_code, reason = "the tests use the rest")]
mod world;

use std::path::{Path, PathBuf};

use std::collections::BTreeMap;

use agent_panel::core::backend::{AuthMethod, AuthMethodKind};
use agent_panel::core::controls::{AvailableCommand, Mode, Model, Models, Modes};
use agent_panel::core::event::{OpenedSession, SessionEvent};
use agent_panel::core::ids::{ModeId, ModelId};
use agent_panel::core::notice::RpcError;
use agent_panel::core::permission::PermissionOptionKind;
use agent_panel::core::tool_call::{ImageData, ToolCallPatch, ToolKind};
use agent_panel::core::transcript::{Attachment, MessageKind};
use agent_panel::core::usage::{Cost, CostSpan, TokenCounts, TokenReport, TokenSpan, UsageReport};
use agent_panel::i18n::{I18n, Language};
use agent_panel::ui::state::DraftImage;
use agent_panel::ui::theme::Theme;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use renderer::SoftwareRenderer;
use world::{World, built};

const SIZES: [(&str, [f32; 2]); 3] = [
    ("420", [420.0, 700.0]),
    ("900", [900.0, 900.0]),
    ("1500", [1500.0, 950.0]),
];

type State = (&'static str, fn() -> World, fn(&mut Harness<'_, World>));

const STATES: [State; 13] = [
    ("working", working, |_| {}),
    ("streaming", working, |window| {
        let session = window.state().state.shown.expect("a session");
        for text in [
            "Here is a made",
            "-up task with a plan.",
            " Watch its entries ch",
            "ange.",
        ] {
            let event = SessionEvent::Text {
                kind: MessageKind::Agent,
                text: text.to_owned(),
                message_id: None,
            };
            window.state_mut().session_event(session, event);
            window.run_steps(1);
        }
    }),
    ("permission", asking, |_| {}),
    ("details", asking, |window| {
        click(window, &["Show details", "詳細を表示"])
    }),
    ("waiting", asking, |window| {
        click(window, &["1 more waiting", "ほか 1 件が待機中"])
    }),
    ("agents", working, |window| {
        click(window, &["Agent: Claude Code", "エージェント：Claude Code"]);
    }),
    ("menu", working, |window| {
        click(window, &["Menu", "メニュー"])
    }),
    ("model", working, |window| {
        click(window, &["Model: Sonnet 5", "モデル: Sonnet 5"])
    }),
    ("usage", working, |window| {
        click(window, &["Context 63 %", "コンテキスト 63 %"])
    }),
    ("slash", slash, |_| {}),
    ("queue", queue, |_| {}),
    ("folder", folder, |_| {}),
    ("sign-in", sign_in, |_| {}),
];

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().expect("a folder for the pictures"));
    std::fs::create_dir_all(&folder).expect("a folder that can be made");
    let wanted: Vec<String> = args.collect();
    for (name, make, act) in STATES {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            draw(&folder, name, make, act);
        }
    }
}

/// Draws one state in both themes and both languages.
fn draw(folder: &Path, name: &str, make: fn() -> World, act: fn(&mut Harness<'_, World>)) {
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
            let mut harness = built(builder, world, size);
            act(&mut harness);
            world::pass(&mut harness, 600);
            let file = folder.join(format!("{name}-{size_name}-{look}.png"));
            let image = harness.render().expect("a renderer");
            image.save(file).expect("a picture that can be written");
        }
    }
}

/// Clicks what has one of these labels.
fn click(window: &mut Harness<'_, World>, labels: &[&str]) {
    let found = labels
        .iter()
        .find_map(|label| window.query_by_label(label))
        .expect("something with this label");
    found.click();
    window.run_ok();
}

fn opened() -> OpenedSession {
    let model = |id: &str, name: &str| Model {
        id: ModelId::from(id),
        name: name.to_owned(),
        description: Some("Good at long tasks".to_owned()),
        context_window: None,
    };
    let mode = |id: &str, name: &str| Mode {
        id: ModeId::from(id),
        name: name.to_owned(),
        description: None,
    };
    OpenedSession {
        models: Some(Models {
            current: ModelId::from("sonnet"),
            available: vec![
                model("sonnet", "Sonnet 5"),
                model("opus", "Opus 5"),
                model("haiku", "Haiku 5"),
            ],
        }),
        modes: Some(Modes {
            current: ModeId::from("default"),
            available: vec![
                mode("default", "Always ask"),
                mode("plan", "Plan"),
                mode("edits", "Accept edits"),
            ],
        }),
        ..OpenedSession::default()
    }
}

fn working() -> World {
    let mut world = World::default();
    let session = world.open_with("claude-code", opened());
    world.prompt(session, "Find out why the harbor tests fail and fix them");
    let commands = ["plan", "compact", "review", "explain"].map(|name| AvailableCommand {
        name: name.to_owned(),
        description: format!("What {name} does, in a few words"),
        hint: (name == "review").then(|| "branch".to_owned()),
    });
    world.session_event(session, SessionEvent::CommandsReplaced(commands.into()));
    let usage = UsageReport {
        context_used: Some(126_400),
        context_window: Some(200_000),
        tokens: Some(TokenReport {
            counts: TokenCounts {
                input: 8_200,
                output: 4_200,
                cache_read: 118_000,
                cache_write: 9_000,
            },
            span: TokenSpan::Turn,
        }),
        cost: Some(Cost {
            amount: 0.1234,
            currency: "USD".to_owned(),
            span: CostSpan::Session,
        }),
        ..UsageReport::default()
    };
    world.session_event(session, SessionEvent::UsageReported(usage));
    world
        .state
        .branches
        .insert(world::FOLDER.into(), "main".to_owned());
    world.now = world.now.plus_millis(14_000);
    world
}

fn asking() -> World {
    let mut world = working();
    let session = world.state.shown.expect("a session");
    let patch = ToolCallPatch {
        title: Some("cargo test --workspace -- --nocapture".to_owned()),
        kind: Some(ToolKind::Execute),
        raw_input: Some(serde_json::json!({
            "command": "cargo test --workspace -- --nocapture",
            "description": "Runs the tests",
        })),
        ..ToolCallPatch::default()
    };
    world.ask_for(
        session,
        7,
        patch,
        &[
            ("a", "Yes", PermissionOptionKind::AllowOnce),
            (
                "b",
                "Yes, and don't ask again for cargo test commands",
                PermissionOptionKind::AllowAlways,
            ),
            (
                "c",
                "No, and tell Claude what to do differently",
                PermissionOptionKind::RejectOnce,
            ),
        ],
    );
    world.ask(session, 8, "Write notes.md");
    world
}

fn slash() -> World {
    let mut world = working();
    world.state.draft().text = "/".to_owned();
    world.state.focus_composer = true;
    world
}

fn queue() -> World {
    let mut world = working();
    let session = world.state.shown.expect("a session");
    world.prompt(session, "And then run the benchmarks");
    world.prompt(session, "Write down what you found in docs/harbor.md");
    let draft = world.state.draft();
    draft.text = "A draft of two lines,\nof which this is the second".to_owned();
    draft.attachments.push(Attachment {
        name: "harbor.log".to_owned(),
        uri: "file:///tmp/harbor.log".to_owned(),
        text: None,
    });
    draft.images.push(DraftImage {
        name: "Screenshot.png".to_owned(),
        data: ImageData {
            media_type: "image/png".to_owned(),
            base64: String::new(),
            uri: None,
        },
        width: 1280,
        height: 800,
    });
    world.state.focus_composer = true;
    world
}

fn folder() -> World {
    let mut world = World::default();
    world.settings.backend = Some("codex".into());
    world
}

fn sign_in() -> World {
    let mut world = World::default();
    let session = world.start("gemini");
    let method = |id: &str, name: &str, kind| AuthMethod {
        id: id.into(),
        name: name.to_owned(),
        description: None,
        kind,
    };
    let methods = vec![
        method("browser", "Google", AuthMethodKind::Agent),
        method(
            "cli",
            "Terminal",
            AuthMethodKind::Terminal {
                program: None,
                args: vec!["--login".to_owned()],
                env: BTreeMap::new(),
            },
        ),
        method(
            "key",
            "API key",
            AuthMethodKind::EnvVar {
                variables: vec!["GEMINI_API_KEY".to_owned()],
            },
        ),
    ];
    world.initialize(session, methods);
    let error = RpcError {
        code: -32_000,
        message: "Authentication required".to_owned(),
        data: None,
    };
    world.session_event(session, SessionEvent::OpenFailed(error));
    world
}
