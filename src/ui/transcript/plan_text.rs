//! The plan that a call asks to carry out, as Markdown.

use crate::core::tool_call::{ToolCall, ToolCallContent, ToolKind};

/// The plan among the arguments of a call; `None` for any other call.
pub fn in_input(call: &ToolCall) -> Option<String> {
    if call.kind != ToolKind::SwitchMode {
        return None;
    }
    let input = call.input()?;
    let plan = input.get("plan")?.as_str()?;
    (!plan.trim().is_empty()).then(|| plan.to_owned())
}

/// The plan of a call that waits for an answer: where no argument holds it, it is what the call shows.
pub fn proposed(call: &ToolCall) -> Option<String> {
    if call.kind != ToolKind::SwitchMode {
        return None;
    }
    let in_content = || {
        let texts = call.content.iter().filter_map(|content| match content {
            ToolCallContent::Text(text) => Some(text.as_str()),
            ToolCallContent::Diff(_)
            | ToolCallContent::Terminal { .. }
            | ToolCallContent::Image(_)
            | ToolCallContent::Resource { .. }
            | ToolCallContent::Unsupported { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n\n")
    };
    let text = in_input(call).unwrap_or_else(in_content);
    (!text.trim().is_empty()).then_some(text)
}

/// The first line that says something, without the marks of Markdown.
pub fn first_line(plan: &str) -> String {
    let mut lines = plan
        .lines()
        .map(|line| line.replace(['#', '*', '`', '_'], ""));
    let found = lines.find(|line| !line.trim().is_empty());
    found.unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plan_is_in_the_input_or_in_the_content() {
        let mut switch = ToolCall::given(ToolKind::SwitchMode, json!({"plan": "# Plan"}));
        assert_eq!(proposed(&switch).as_deref(), Some("# Plan"));
        assert_eq!(in_input(&switch).as_deref(), Some("# Plan"));
        switch.raw_input = Some(json!({"allowedPrompts": []}).into());
        assert_eq!(proposed(&switch), None);
        switch
            .content
            .push(ToolCallContent::Text("1. Look".to_owned()));
        assert_eq!(proposed(&switch).as_deref(), Some("1. Look"));
        assert_eq!(in_input(&switch), None);
    }

    #[test]
    fn only_a_switch_of_the_mode_is_about_a_plan() {
        let cases = [
            ToolCall::given(ToolKind::Execute, json!({"plan": "rm -rf"})),
            ToolCall::given(ToolKind::SwitchMode, json!({"plan": " "})),
            ToolCall::given(ToolKind::SwitchMode, json!({})),
        ];
        for call in cases {
            assert_eq!(proposed(&call), None);
            assert_eq!(in_input(&call), None);
        }
    }

    #[test]
    fn a_plan_is_named_by_its_first_line() {
        assert_eq!(
            first_line("\n## Split **the** `parser`\n\n1. Look"),
            "Split the parser"
        );
        assert_eq!(first_line(" \n#\n"), "");
    }
}
