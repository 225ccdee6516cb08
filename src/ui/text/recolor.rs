//! Colors for text that is laid out. A run of its own for each color would be shaped by itself, which costs more than
//! all the rest of the layout.

use std::sync::Arc;

use egui::{Color32, Galley};

/// Gives the characters of a text their colors: runs of so many characters in order, line breaks counted.
/// What comes after the last run keeps its color.
pub fn recolored(galley: Arc<Galley>, runs: impl Iterator<Item = (usize, Color32)>) -> Arc<Galley> {
    let mut colors = Colors {
        runs,
        left: (0, None),
    };
    let mut galley = Arc::unwrap_or_clone(galley);
    for placed in &mut galley.rows {
        let row = Arc::make_mut(&mut placed.row);
        for glyph in &row.glyphs {
            let Some(color) = colors.next() else { continue };
            let first = glyph.first_vertex as usize;
            // A blank has no corners; what has a color of its own keeps it.
            if glyph.uv_rect.is_nothing() || glyph.is_color {
                continue;
            }
            let corners = row.visuals.mesh.vertices.get_mut(first..first + 4);
            for corner in corners.into_iter().flatten() {
                corner.color = color;
            }
        }
        if placed.ends_with_newline {
            colors.next();
        }
    }
    Arc::new(galley)
}

struct Colors<R> {
    runs: R,
    /// How many characters of the current run are left, and their color.
    left: (usize, Option<Color32>),
}

impl<R: Iterator<Item = (usize, Color32)>> Colors<R> {
    fn next(&mut self) -> Option<Color32> {
        while self.left.0 == 0 {
            let (chars, color) = self.runs.next()?;
            self.left = (chars, Some(color));
        }
        self.left.0 -= 1;
        self.left.1
    }
}

#[cfg(test)]
mod tests {
    use egui::text::{LayoutJob, TextFormat};
    use egui::{FontId, RawInput};

    use super::*;
    use crate::ui::theme::Theme;

    #[test]
    fn colors_are_those_of_runs_laid_out_one_by_one() {
        let theme = Theme::dark(14);
        let [red, green, blue, white] = [theme.error, theme.ok, theme.busy, theme.text];
        let runs = [("let ", red), ("日本", green), ("\nx ", blue), ("= 1", red)];
        let font = FontId::monospace(12.0);
        let ctx = egui::Context::default();
        let output = ctx.run_ui(RawInput::default(), |ui| {
            let mut one_by_one = LayoutJob::default();
            let mut text = String::new();
            for (run, color) in runs {
                one_by_one.append(run, 0.0, TextFormat::simple(font.clone(), color));
                text.push_str(run);
            }
            let plain = LayoutJob::single_section(text, TextFormat::simple(font.clone(), white));
            let expected = ui.fonts_mut(|fonts| fonts.layout_job(one_by_one));
            let plain = ui.fonts_mut(|fonts| fonts.layout_job(plain));
            let lengths = runs
                .iter()
                .map(|(run, color)| (run.chars().count(), *color));
            let galley = recolored(plain, lengths);
            let colors = |galley: &Galley| -> Vec<Color32> {
                let meshes = galley
                    .rows
                    .iter()
                    .flat_map(|row| &row.visuals.mesh.vertices);
                meshes.map(|vertex| vertex.color).collect()
            };
            assert_eq!(colors(&galley), colors(&expected));
            assert!(!colors(&galley).contains(&white));
        });
        output.drop_without_applying_deltas();
    }
}
