//! Line breaks in Japanese text: which characters may not begin or end a line.
//!
//! egui breaks a line after or before any kana or ideograph, with a few exceptions that leave out small kana and
//! opening brackets. Here the breaks are chosen first; a gap as wide as the line, put before the first character of
//! each line, then makes egui break exactly there. The gap itself falls between two lines, so it is never seen, and
//! the text that is selected and copied is untouched.

use std::sync::Arc;

use egui::text::{ByteIndex, LayoutJob, LayoutSection};
use egui::{Galley, Ui};

use crate::ui::text::markdown::is_wide;

/// They may not begin a line.
const NOT_FIRST: &str = "、。，．・：；？！‼⁇⁈⁉゛゜ヽヾゝゞ々〻ー’”）］｝〉》」』】〕〗〙〟｠»°′″℃％‰…‥–〜～ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ｡､｣･ｰﾞﾟ!),.:;?]}";
/// They may not end a line.
const NOT_LAST: &str = "‘“（［｛〈《「『【〔〖〘〝｟«￥＄｢([{";

/// Lays out text that wraps; Japanese text by its rules.
pub fn layout(ui: &Ui, job: LayoutJob) -> Arc<Galley> {
    if !job.text.chars().any(is_wide) || !job.wrap.max_width.is_finite() {
        return ui.fonts_mut(|fonts| fonts.layout_job(job));
    }
    let mut unbroken = job.clone();
    unbroken.wrap.max_width = f32::INFINITY;
    let unbroken = ui.fonts_mut(|fonts| fonts.layout_job(unbroken));
    let breaks = breaks(&unbroken, job.wrap.max_width);
    let job = if breaks.is_empty() {
        job
    } else {
        broken_at(job, &breaks)
    };
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// The characters that begin a line, counted from the start of the text.
fn breaks(unbroken: &Galley, width: f32) -> Vec<usize> {
    let mut breaks = Vec::new();
    let mut first_char = 0;
    for row in &unbroken.rows {
        let mut line_start = 0.0;
        let mut candidate: Option<usize> = None;
        for (index, glyph) in row.glyphs.iter().enumerate() {
            if glyph.max_x() - line_start > width
                && let Some(last) = candidate.take()
                && let Some(next) = row.glyphs.get(last + 1)
            {
                breaks.push(first_char + last + 1);
                line_start = next.pos.x;
            }
            let next = row.glyphs.get(index + 1).map(|glyph| glyph.chr);
            if next.is_some_and(|next| may_break(glyph.chr, next)) {
                candidate = Some(index);
            }
        }
        first_char += row.char_count_including_newline().0;
    }
    breaks
}

/// Whether a line may end with `last` and the next one begin with `first`. All of these are places where egui would
/// break as well; otherwise the gap would break the line somewhere else.
fn may_break(last: char, first: char) -> bool {
    if last.is_whitespace() && last != '\u{A0}' {
        return true;
    }
    let is_forbidden = NOT_FIRST.contains(first) || NOT_LAST.contains(last);
    let is_known = is_cjk(last) || (is_cjk(first) && !last.is_ascii_punctuation());
    is_known && !is_forbidden
}

/// What egui takes for kana and ideographs.
fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{2B740}'..='\u{2B81F}')
}

/// The same text with a gap before each of these characters.
fn broken_at(job: LayoutJob, breaks: &[usize]) -> LayoutJob {
    let gap = job.wrap.max_width + 1.0;
    let mut places = Vec::with_capacity(breaks.len());
    let mut chars = job.text.char_indices().map(|(at, _)| at).enumerate();
    for wanted in breaks {
        places.extend(
            chars
                .by_ref()
                .find(|(index, _)| index == wanted)
                .map(|(_, at)| ByteIndex(at)),
        );
    }
    let mut places = places.into_iter().peekable();
    let mut sections = Vec::with_capacity(job.sections.len() + breaks.len());
    for section in job.sections {
        let mut start = section.byte_range.start;
        let mut leading_space = section.leading_space;
        while let Some(place) = places.next_if(|place| *place < section.byte_range.end) {
            if place > start {
                sections.push(LayoutSection {
                    leading_space,
                    byte_range: start..place,
                    format: section.format.clone(),
                });
            }
            leading_space = gap;
            start = place;
        }
        sections.push(LayoutSection {
            leading_space,
            byte_range: start..section.byte_range.end,
            format: section.format,
        });
    }
    LayoutJob { sections, ..job }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::{self, Theme};

    fn rows(text: &str, width: f32) -> Vec<String> {
        let ctx = egui::Context::default();
        theme::install_fonts(&ctx);
        let mut rows = Vec::new();
        ctx.run_ui(egui::RawInput::default(), |ui| {
            let theme = Theme::dark(14);
            let job = LayoutJob::simple(text.to_owned(), theme.body(), theme.text, width);
            let galley = layout(ui, job);
            assert_eq!(galley.text(), text);
            assert!(
                galley.rows.iter().all(|row| row.size.x <= width + 1.0),
                "a row is too wide"
            );
            rows = galley.rows.iter().map(|row| row.text()).collect();
        })
        .drop_without_applying_deltas();
        rows
    }

    #[test]
    fn no_line_begins_or_ends_with_what_may_not() {
        let text = "「チェックアウト」して、（テストを）実行します。エージェントがファイルを「読み取っ」たら、エラーをキャッチしてください。";
        for width in (60..260).step_by(7) {
            let rows = rows(text, width as f32);
            assert_eq!(rows.concat(), text);
            for row in rows.iter().skip(1) {
                let first = row.chars().next().expect("a row has text");
                assert!(!NOT_FIRST.contains(first), "{width}: {rows:?}");
            }
            for row in rows.iter().rev().skip(1) {
                let last = row.chars().next_back().expect("a row has text");
                assert!(!NOT_LAST.contains(last), "{width}: {rows:?}");
            }
        }
    }

    #[test]
    fn lines_are_filled() {
        let rows = rows(&"日本語".repeat(20), 141.0);
        assert_eq!(rows.first().map(|row| row.chars().count()), Some(10));
    }

    #[test]
    fn mixed_text_and_line_breaks_are_kept() {
        let text = "cargo test を実行し、src/main.rs を確認します。\n次の行です。";
        let rows = rows(text, 120.0);
        assert!(rows.len() > 3, "{rows:?}");
        assert_eq!(rows.concat(), text.replace('\n', ""));
    }
}
