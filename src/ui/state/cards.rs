//! What the cards remember: answers that are given by half, reasons that are being written, lists that are open.

use std::collections::{BTreeMap, BTreeSet};

use crate::core::ids::{BlockId, RequestId, SessionKey};
use crate::core::policy::always::{Lifetime, ProposalWords};
use crate::ui::text::view::TextView;
use crate::ui::transcript::kept_changes::KeptChanges;
use crate::ui::widgets::stillness::Stillness;

/// The MCP servers whose tools are shown, by the card they stand in.
pub type OpenServers = BTreeSet<(SessionKey, BlockId, String)>;

/// A request of a session.
pub type RequestKey = (SessionKey, RequestId);

/// The state of all cards that an agent puts up.
#[derive(Debug, Default)]
pub struct CardsState {
    /// Answers that are not sent yet.
    pub questions: BTreeMap<RequestKey, QuestionDraft>,
    /// Whether the question card stands still.
    pub question_stillness: Stillness,
    /// What the person writes with a refusal.
    pub reasons: BTreeMap<RequestKey, ReasonDraft>,
    /// What the person is about to allow or to refuse from now on.
    pub always: BTreeMap<RequestKey, AlwaysDraft>,
    /// The plan that is shown, laid out.
    pub plan: Option<(RequestKey, TextView)>,
    /// The changes in the details of the request that is shown, compared; by their place.
    pub changes: Option<(RequestKey, BTreeMap<usize, KeptChanges>)>,
    pub open_servers: OpenServers,
}

/// The answers to one set of questions, as far as they are given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QuestionDraft {
    /// The question that is shown.
    pub shown: usize,
    /// In the order of the questions.
    pub answers: Vec<AnswerDraft>,
    /// What gets the keyboard in the next frame, because the person uses it here.
    pub focus: FocusWish,
    /// The address was opened.
    pub is_opened: bool,
}

/// What of the question card is to get the keyboard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FocusWish {
    #[default]
    None,
    /// Where the shown question is answered.
    Answer,
    Submit,
}

/// The answer to one question, as far as it is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerDraft {
    /// The chosen options, by their place.
    pub chosen: BTreeSet<usize>,
    /// The person's own answer is chosen.
    pub other: bool,
    /// A text, a number, or the person's own answer.
    pub text: String,
    pub yes_no: Option<bool>,
}

/// What the person writes with a refusal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReasonDraft {
    /// The field is shown.
    pub is_open: bool,
    pub text: String,
    /// Give the keyboard to its field in the next frame.
    pub wants_focus: bool,
}

/// What the person is about to allow or to refuse from now on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AlwaysDraft {
    /// The choices that are shown.
    pub open: Option<Lasting>,
    /// The chosen rule; else the first that is offered.
    pub chosen: Option<ProposalWords>,
    pub lifetime: Lifetime,
    pub home: RuleHome,
}

/// What holds from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasting {
    Allow,
    Deny,
}

/// Whose file a rule goes to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RuleHome {
    /// The person's own.
    #[default]
    User,
    /// That of the working folder, which goes along with it.
    Folder,
}
