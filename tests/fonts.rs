//! The bundled fonts: what they cover, that they share a baseline, and that each has its licence.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::epaint::text::{FontData, FontDefinitions, FontFamily, Fonts, TextOptions};
use egui::{Color32, FontId};

const SYMBOLS: &str = "✓✗•›▸▾→←↑↓…●◆◯✱✕◇·–—‘’“”×≤≥≠≈⏺◐☐☑☒⚠✔✘✻⏵⏸⠋⠙─│╭╮╰╯█░❯★";
const JAPANESE: &str =
    "送信停止許可待ち　エージェントを再起動、。「」・ーｶﾅＡ１～－①㈱≒髙﨑剝𠮟塡頰凜";

const TEXT: [&str; 4] = [
    "Inter-Regular",
    "NotoSansJP-Regular",
    "NotoSansSymbols2-Regular",
    "JetBrainsMono-Regular",
];
const BOLD: [&str; 4] = [
    "Inter-SemiBold",
    "NotoSansJP-SemiBold",
    "NotoSansSymbols2-Regular",
    "JetBrainsMono-Bold",
];
const CODE: [&str; 4] = [
    "JetBrainsMono-Regular",
    "NotoSansJP-Regular",
    "NotoSansSymbols2-Regular",
    "Inter-Regular",
];

#[test]
fn every_family_draws_symbols_and_japanese() {
    for files in [TEXT, BOLD, CODE] {
        let mut fonts = fonts(&files);
        let missing: String = SYMBOLS
            .chars()
            .chain(JAPANESE.chars())
            .filter(|c| !has_glyph(&mut fonts, *c))
            .collect();
        assert_eq!(missing, "", "not in {files:?}");
    }
}

#[test]
fn every_character_of_the_locales_is_drawn() {
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("locales");
    let mut fonts = fonts(&TEXT);
    for path in files_in(&locales)
        .iter()
        .flat_map(|language| files_in(language))
    {
        let text = fs::read_to_string(&path).expect("a readable catalog");
        let missing: String = text
            .chars()
            .filter(|c| !c.is_control())
            .filter(|c| !has_glyph(&mut fonts, *c))
            .collect();
        assert_eq!(missing, "", "{}", path.display());
    }
}

#[test]
fn a_character_that_no_bundled_font_has_is_seen_as_missing() {
    let mut fonts = fonts(&TEXT);
    assert!(!has_glyph(&mut fonts, '\u{1F9FF}'));
}

#[test]
fn scripts_share_one_baseline() {
    for files in [TEXT, BOLD, CODE] {
        let mut fonts = fonts(&files);
        let galley = fonts.with_pixels_per_point(1.0).layout_no_wrap(
            "Run 実行 ✗ ─ ok".to_owned(),
            FontId::proportional(14.0),
            Color32::PLACEHOLDER,
        );
        let row = galley.rows.first().expect("one row of text");
        let baselines: Vec<f32> = row.glyphs.iter().map(|glyph| glyph.pos.y).collect();
        assert!(
            baselines
                .windows(2)
                .all(|pair| (pair[0] - pair[1]).abs() < 0.01),
            "{files:?}: {baselines:?}"
        );
    }
}

#[test]
fn changing_numbers_keep_their_width() {
    let mut fonts = fonts(&["InterTabular-Regular", "Inter-Regular"]);
    let widths: Vec<f32> = ('0'..='9')
        .map(|digit| {
            fonts
                .with_pixels_per_point(1.0)
                .glyph_width(&FontId::proportional(14.0), digit)
        })
        .collect();
    assert!(
        widths
            .windows(2)
            .all(|pair| (pair[0] - pair[1]).abs() < 0.01),
        "{widths:?}"
    );
}

#[test]
fn every_icon_in_the_table_is_in_the_icon_font() {
    let table = fs::read_to_string(folder().join("README.md")).expect("the table of icons");
    let icons: Vec<(&str, char)> = table.lines().filter_map(icon).collect();
    assert!(
        icons.len() >= 40,
        "only {} icons found in the table",
        icons.len()
    );

    let mut fonts = fonts(&["PhosphorIcons"]);
    for (name, code_point) in icons {
        assert!(has_glyph(&mut fonts, code_point), "{name}");
    }
}

#[test]
fn every_font_has_its_licence_and_all_are_small_enough() {
    let mut size_bytes = 0;
    for path in files_in(&folder()) {
        size_bytes += fs::metadata(&path).expect("a readable file").len();
        if path.extension().is_some_and(|extension| extension == "ttf") {
            let name = path
                .file_stem()
                .expect("a font has a name")
                .to_string_lossy()
                .replace("Tabular", "");
            let family = name
                .split('-')
                .next()
                .expect("a name has a first part")
                .to_owned();
            assert!(
                folder().join(format!("{family}-LICENSE.txt")).is_file(),
                "no licence for {family}"
            );
        }
    }
    assert!(size_bytes <= 12_000_000, "{size_bytes} bytes of fonts");
}

/// A row of the table: `| name | U+E000 | drawing |`.
fn icon(line: &str) -> Option<(&str, char)> {
    let mut cells = line.split('|').map(str::trim).skip(1);
    let name = cells.next()?.trim_matches('`');
    let code_point = u32::from_str_radix(cells.next()?.strip_prefix("U+")?, 16).ok()?;
    Some((name, char::from_u32(code_point)?))
}

fn fonts(files: &[&str]) -> Fonts {
    let mut definitions = FontDefinitions::empty();
    for file in files {
        let bytes = fs::read(folder().join(format!("{file}.ttf"))).expect("a bundled font");
        definitions
            .font_data
            .insert((*file).to_owned(), Arc::new(FontData::from_owned(bytes)));
    }
    let names: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        definitions.families.insert(family, names.clone());
    }
    Fonts::new(TextOptions::default(), definitions)
}

fn has_glyph(fonts: &mut Fonts, c: char) -> bool {
    fonts
        .with_pixels_per_point(1.0)
        .has_glyph(&FontId::proportional(14.0), c)
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    entries
        .map(|entry| entry.expect("a readable entry").path())
        .collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/fonts")
}
