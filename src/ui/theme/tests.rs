//! The colors by the rule for reading: text has a contrast of at least 4.5 to 1 wherever it stands.

use super::terminal::contrast;
use super::*;
use crate::core::screen::Color;

const LEAST: f32 = 4.5;

#[track_caller]
fn check(theme: &Theme, texts: &[(&str, Color32)], grounds: &[(&str, Color32)]) {
    for (text_name, text) in texts {
        for (ground_name, ground) in grounds {
            let contrast = contrast(*text, *ground);
            let name = if theme.dark { "dark" } else { "light" };
            assert!(
                contrast >= LEAST,
                "{name}: {text_name} on {ground_name} has {contrast:.2}"
            );
        }
    }
}

fn themes() -> [Theme; 2] {
    [Theme::dark(14), Theme::light(14)]
}

#[test]
fn contrast_is_computed_as_wcag_says() {
    assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 0.01);
    assert!((contrast(Color32::GRAY, Color32::GRAY) - 1.0).abs() < 0.01);
}

#[test]
fn text_can_be_read_on_every_surface() {
    for theme in themes() {
        let texts = [
            ("text", theme.text),
            ("secondary", theme.secondary),
            ("link", theme.link),
            ("ok", theme.ok),
            ("busy", theme.busy),
            ("caution", theme.caution),
            ("error", theme.error),
        ];
        let surfaces = [
            ("page", theme.page),
            ("raised", theme.raised),
            ("sunken", theme.sunken),
        ];
        check(&theme, &texts, &surfaces);
        let pointed_at = [("hover", theme.hover), ("pressed", theme.pressed)];
        check(
            &theme,
            &[("text", theme.text), ("secondary", theme.secondary)],
            &pointed_at,
        );
    }
}

#[test]
fn text_can_be_read_on_what_is_marked() {
    for theme in themes() {
        let marks = [
            ("selection", theme.selection),
            ("found", theme.found),
            ("found and current", theme.found_current),
            ("added", theme.diff_added),
            ("added word", theme.diff_added_word),
            ("removed", theme.diff_removed),
            ("removed word", theme.diff_removed_word),
        ];
        check(&theme, &[("text", theme.text)], &marks);
        let primary = [
            ("primary", theme.primary),
            ("primary under the pointer", theme.primary_hover),
        ];
        check(&theme, &[("on primary", theme.on_primary)], &primary);
    }
}

#[test]
fn code_can_be_read() {
    for theme in themes() {
        let syntax = theme.syntax;
        let texts = [
            ("comment", syntax.comment),
            ("string", syntax.string),
            ("number", syntax.number),
            ("keyword", syntax.keyword),
            ("function", syntax.function),
            ("type", syntax.type_name),
            ("attribute", syntax.attribute),
        ];
        check(&theme, &texts, &[("sunken", theme.sunken)]);
    }
}

#[test]
fn accents_can_be_read_as_text() {
    let looks = [
        AgentLook::Claude,
        AgentLook::Gemini,
        AgentLook::Codex,
        AgentLook::Grok,
        AgentLook::OpenCode,
        AgentLook::Qwen,
        AgentLook::Vibe,
        AgentLook::Demo,
        AgentLook::Custom,
    ];
    for theme in themes() {
        let accents = looks.map(|look| (glyph(look), theme.accent(look)));
        check(
            &theme,
            &accents,
            &[("page", theme.page), ("raised", theme.raised)],
        );
    }
}

#[test]
fn terminal_text_can_be_read() {
    for theme in themes() {
        let colors = (0..=u8::MAX).map(Color::Indexed);
        for color in colors.chain([
            Color::Default,
            Color::Rgb(20, 20, 20),
            Color::Rgb(250, 250, 240),
        ]) {
            let text = theme.terminal_text(color);
            let contrast = contrast(text, theme.sunken);
            assert!(contrast >= LEAST, "{color:?} has {contrast:.2}");
        }
    }
}
