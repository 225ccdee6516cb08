//! Questions, plans, MCP servers and bills of an agent, as the cards show them.

use agent_panel::core::event::SessionEvent;
use agent_panel::core::ids::{RequestId, SessionKey, ToolCallId};
use agent_panel::core::mcp::{McpReport, McpServerStatus, McpSource, McpState, McpTool};
use agent_panel::core::permission::{PermissionOption, PermissionOptionKind};
use agent_panel::core::question::{AnswerForm, AnswerLimits, AnswerOption, Question, QuestionKind};
use agent_panel::core::tool_call::{ToolCallPatch, ToolKind};
use agent_panel::core::transcript::BlockContent;
use agent_panel::ui::cx::UiCx;
use agent_panel::ui::panels::mcp_card::mcp_card_ui;
use agent_panel::ui::theme;
use egui_kittest::{Harness, HarnessBuilder};
use serde_json::json;

use crate::world::World;

pub(crate) fn question(key: &str, text: &str, answer: AnswerForm) -> Question {
    Question {
        key: key.to_owned(),
        header: None,
        text: text.to_owned(),
        answer,
        required: true,
        limits: AnswerLimits::default(),
    }
}

#[expect(
    clippy::fn_params_excessive_bools,
    reason = "the two switches of a choice, named where they are used"
)]
pub(crate) fn choice(options: &[(&str, &str)], many: bool, other: bool) -> AnswerForm {
    let option = |(label, description): &(&str, &str)| AnswerOption {
        value: (*label).to_owned(),
        label: (*label).to_owned(),
        description: Some((*description).to_owned()).filter(|text| !text.is_empty()),
    };
    AnswerForm::Choice {
        options: options.iter().map(option).collect(),
        many,
        other,
        default: Vec::new(),
    }
}

/// A single choice and a choice of many, as Claude asks them.
pub(crate) fn two_questions() -> Vec<Question> {
    let color = choice(
        &[("Red", "Stands out"), ("Blue", "Fits the theme")],
        false,
        true,
    );
    let scenes = choice(
        &[("Harbor", "Where it begins"), ("Game", "The game itself")],
        true,
        true,
    );
    let mut questions = vec![
        question(
            "Which color should the button have?",
            "Which color should the button have?",
            color,
        ),
        question("Which scenes get it?", "Which scenes get it?", scenes),
    ];
    for (question, header) in questions.iter_mut().zip(["Color", "Scenes"]) {
        question.header = Some(header.to_owned());
    }
    questions
}

pub(crate) fn ask_form(
    world: &mut World,
    session: SessionKey,
    request: i64,
    questions: Vec<Question>,
) {
    ask(world, session, request, QuestionKind::Form(questions));
}

pub(crate) fn ask(world: &mut World, session: SessionKey, request: i64, kind: QuestionKind) {
    let event = SessionEvent::QuestionAsked {
        request: RequestId::Number(request),
        tool_call: None,
        message: None,
        kind,
    };
    world.session_event(session, event);
}

pub(crate) const PLAN: &str = "# Split the parser\n\n\
    1. Read `src/parser.rs` and list what depends on it\n\
    2. Move the **tokens** into a file of their own\n\
    3. Run `cargo test`, and fix what breaks\n\n\
    ## What stays as it is\n\n\
    - The names of all public functions\n\
    - The fixtures\n\n\
    ```rust\npub mod tokens;\npub use tokens::Token;\n```\n\n\
    Nothing outside of the folder is touched.\n";

/// A plan that waits for the person, in the words of the agent.
pub(crate) fn ask_for_plan(world: &mut World, session: SessionKey, request: i64, plan: &str) {
    let option = |id: &str, name: &str, kind| PermissionOption {
        id: id.into(),
        name: name.to_owned(),
        kind,
        scope: None,
    };
    let patch = ToolCallPatch {
        title: Some("Implement this plan?".to_owned()),
        kind: Some(ToolKind::SwitchMode),
        raw_input: Some(json!({"plan": plan}).into()),
        ..ToolCallPatch::default()
    };
    let event = SessionEvent::PermissionRequested {
        request: RequestId::Number(request),
        tool_call: ToolCallId::from("plan"),
        patch: Box::new(patch),
        options: vec![
            option(
                "go",
                "Yes, implement this plan",
                PermissionOptionKind::AllowOnce,
            ),
            option("no", "No, keep planning", PermissionOptionKind::RejectOnce),
        ],
    };
    world.session_event(session, event);
}

/// A command with options that have no names of their own.
pub(crate) fn ask_for_command(world: &mut World, session: SessionKey, request: i64) {
    let option = |id: &str, kind, scope: Option<&str>| PermissionOption {
        id: id.into(),
        name: String::new(),
        kind,
        scope: scope.map(str::to_owned),
    };
    let patch = ToolCallPatch {
        title: Some("Run the tests".to_owned()),
        kind: Some(ToolKind::Execute),
        raw_input: Some(json!({"command": "npm test -- --watch=false"}).into()),
        ..ToolCallPatch::default()
    };
    let event = SessionEvent::PermissionRequested {
        request: RequestId::Number(request),
        tool_call: ToolCallId::from("run"),
        patch: Box::new(patch),
        options: vec![
            option("allow", PermissionOptionKind::AllowOnce, None),
            option(
                "always-0",
                PermissionOptionKind::AllowAlways,
                Some("Bash(npm test:*)"),
            ),
            option("deny", PermissionOptionKind::RejectOnce, None),
        ],
    };
    world.session_event(session, event);
}

pub(crate) fn server(name: &str, state: &str, tools: &[&str]) -> McpServerStatus {
    let tool = |tool: &&str| McpTool {
        name: (*tool).to_owned(),
        wire_name: Some(format!("mcp__{name}__{tool}")),
        description: Some(format!(
            "What {tool} does, in as many words as its server has for it: it looks at the scene that is open in the \
             editor, and answers with everything that it finds there, be it asked for or not"
        )),
        read_only: Some(*tool == "list_scenes"),
        destructive: Some(*tool == "delete_object"),
    };
    McpServerStatus {
        software: None,
        name: name.to_owned(),
        state: McpState::from(state),
        tools: tools.iter().map(tool).collect(),
        error: (state == "failed").then(|| "spawn npx ENOENT".to_owned()),
    }
}

pub(crate) fn servers() -> Vec<McpServerStatus> {
    vec![
        server(
            "unity-ops",
            "connected",
            &["list_scenes", "move_object", "delete_object"],
        ),
        server("files", "failed", &[]),
        server("issues", "needs-auth", &[]),
        server("slow", "pending", &[]),
        server("odd", "warming-up", &[]),
    ]
}

pub(crate) fn report_mcp(
    world: &mut World,
    session: SessionKey,
    source: McpSource,
    servers: Vec<McpServerStatus>,
) {
    world.session_event(session, SessionEvent::McpReported { source, servers });
}

/// The cards of MCP servers in a session, each drawn as the transcript does.
pub(crate) fn mcp_cards_ui(ui: &mut egui::Ui, world: &mut World) {
    let session = world.state.shown.and_then(|key| world.hub.session(key));
    let session = session.expect("a session");
    let blocks = session.transcript().blocks().iter();
    let cards: Vec<(_, &McpReport)> = blocks
        .filter_map(|block| match &block.content {
            BlockContent::McpStatus(report) => Some((block.id, report)),
            _ => None,
        })
        .collect();
    let mut cx = UiCx {
        hub: &world.hub,
        settings: &world.settings,
        i18n: &world.i18n,
        theme: &world.theme,
        now: world.now,
        commands: &mut world.commands,
        actions: &mut world.actions,
    };
    let page = ui.ctx().content_rect();
    ui.painter().rect_filled(page, 0.0, world.theme.page);
    for (block, report) in cards {
        let open = &mut world.state.cards.open_servers;
        mcp_card_ui(ui, &mut cx, open, session, block, report);
        ui.add_space(12.0);
    }
}

/// A page with the cards of a world.
pub(crate) fn mcp_page(
    builder: HarnessBuilder<World>,
    world: World,
    size: [f32; 2],
) -> Harness<'static, World> {
    let theme = world.theme.clone();
    let egui_theme = if theme.dark {
        egui::Theme::Dark
    } else {
        egui::Theme::Light
    };
    let mut harness = builder
        .with_size(size)
        .with_theme(egui_theme)
        .with_context_setup(move |ctx| {
            theme::install_fonts(ctx);
            theme::apply(ctx, &theme);
        })
        .build_ui_state(mcp_cards_ui, world);
    harness.run_ok();
    harness
}
