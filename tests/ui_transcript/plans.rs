//! The plan of an agent.

use agent_panel::core::plan::PlanEntryStatus;
use agent_panel::ui::cx::UiAction;

use crate::story::Story;
use crate::world::World;
use crate::{click, window_still};

#[test]
fn a_plan_is_copied_as_a_list() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Go").plan(&[
        ("Look", PlanEntryStatus::Completed),
        ("Write", PlanEntryStatus::Pending),
    ]);
    let mut window = window_still(story);
    click(&mut window, "Copy as Markdown");
    let copied = window
        .state()
        .actions
        .iter()
        .find_map(|action| match action {
            UiAction::CopyText(text) => Some(text.as_str()),
            _ => None,
        });
    assert_eq!(copied, Some("- [x] Look\n- [ ] Write"));
}
