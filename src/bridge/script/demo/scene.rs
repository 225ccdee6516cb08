//! The scenes of the demo: files of the same form as recordings, cut into beats that stream.

use serde_json::{Value, json};

use crate::bridge::script::{Recording, Role, Step};

/// How much of a text streams at once, in characters.
const PIECE_CHARS: usize = 7;

/// A scene as it is offered.
pub(super) struct SceneInfo {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    english: &'static str,
    japanese: &'static str,
}

macro_rules! scene {
    ($name:literal, $description:literal) => {
        SceneInfo {
            name: $name,
            description: $description,
            english: include_str!(concat!("../../../../assets/demo/made_", $name, "_en.jsonl")),
            japanese: include_str!(concat!("../../../../assets/demo/made_", $name, "_ja.jsonl")),
        }
    };
}

/// All scenes, in the order in which they are played.
pub(super) const SCENES: [SceneInfo; 5] = [
    scene!(
        "tour",
        "What this window shows, as streaming Markdown with a thought"
    ),
    scene!("plan", "A plan whose entries move on"),
    scene!("tools", "Reading, searching, and a call that fails"),
    scene!("edit", "An edit with its diff and a permission card"),
    scene!("shell", "A command with its output, and one that fails"),
];

/// The language of a scene's texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    Japanese,
}

/// A frame and when it is sent, in milliseconds since the scene began.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Beat {
    pub(super) at_ms: u64,
    pub(super) frame: Value,
}

/// A scene ready to be played.
#[derive(Debug, Clone, Default)]
pub(super) struct Scene {
    pub(super) main: Vec<Beat>,
    /// What is played instead of the rest when the person refuses; its times count from the refusal.
    pub(super) refused: Vec<Beat>,
}

/// The scene that a prompt asks for by its slash command.
pub(super) fn named_in(prompt: &str) -> Option<usize> {
    let name = prompt.trim().strip_prefix('/')?.split_whitespace().next()?;
    SCENES.iter().position(|scene| scene.name == name)
}

impl Language {
    /// The language in which somebody writes.
    pub(super) fn of(prompt: &str) -> Self {
        let is_japanese = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}');
        if prompt.chars().any(is_japanese) {
            Self::Japanese
        } else {
            Self::English
        }
    }
}

impl Scene {
    /// Reads a scene. The files are part of the program, and a test reads them all.
    pub(super) fn read(index: usize, language: Language) -> Self {
        let text = SCENES.get(index).map_or("", |scene| match language {
            Language::English => scene.english,
            Language::Japanese => scene.japanese,
        });
        let steps = Recording::parse(text)
            .map(|recording| recording.steps)
            .unwrap_or_default();
        let mut parts = steps.split(|step| step.role == Role::Remark);
        Self {
            main: beats(parts.next().unwrap_or_default()),
            refused: beats(parts.next().unwrap_or_default()),
        }
    }
}

fn beats(steps: &[Step]) -> Vec<Beat> {
    let sent: Vec<_> = steps
        .iter()
        .filter(|step| !step.role.is_from_client())
        .collect();
    let ends = sent.iter().skip(1).map(|step| step.t_ms);
    let last = sent.last().map_or(0, |step| step.t_ms);
    let with_ends = sent.iter().zip(ends.chain([last]));
    with_ends
        .flat_map(|(step, end)| stream(step, end))
        .collect()
}

/// A text is cut into pieces, spread over the time until the next frame.
fn stream(step: &Step, end_ms: u64) -> Vec<Beat> {
    let place = "/params/update/content/text";
    let text = step.frame.pointer(place).and_then(Value::as_str);
    let Some(text) = text else {
        return vec![Beat {
            at_ms: step.t_ms,
            frame: step.frame.clone(),
        }];
    };
    let chars: Vec<_> = text.chars().collect();
    let pieces: Vec<String> = chars
        .chunks(PIECE_CHARS)
        .map(|piece| piece.iter().collect())
        .collect();
    let span = end_ms.saturating_sub(step.t_ms);
    let count = pieces.len().max(1) as u64;
    let one = |(index, piece): (usize, String)| {
        let mut frame = step.frame.clone();
        if let Some(text) = frame.pointer_mut(place) {
            *text = json!(piece);
        }
        Beat {
            at_ms: step.t_ms + span * index as u64 / count,
            frame,
        }
    };
    pieces.into_iter().enumerate().map(one).collect()
}
