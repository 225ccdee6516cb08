//! The font for code: the bundled one, or a file of the person's own, which is read beside the window.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use skrifa::MetadataProvider as _;

use super::App;
use super::errands::Errand;
use crate::ui::state::Notice;
use crate::ui::theme;

/// A larger file is no font for code.
const FONT_BYTES_MOST: u64 = 32 * 1024 * 1024;

/// What is to be set, and how often something was.
#[derive(Debug, Default)]
pub(super) struct CodeFont {
    next: Next,
    number: u32,
}

/// What is to be set before the next frame.
#[derive(Debug, Default)]
enum Next {
    #[default]
    Nothing,
    Bundled,
    Own(Vec<u8>),
}

impl CodeFont {
    /// Sets the font if it is another one. The number of fonts that were set so far.
    pub(super) fn install(&mut self, ctx: &egui::Context) -> u32 {
        let font = match std::mem::take(&mut self.next) {
            Next::Nothing => return self.number,
            Next::Bundled => None,
            Next::Own(font) => Some(font),
        };
        theme::install_code_font(ctx, font);
        self.number += 1;
        self.number
    }
}

impl App {
    /// Has the chosen font for code read, or goes back to the bundled one.
    pub(super) fn read_code_font(&mut self) {
        match &self.settings.code_font {
            Some(path) => self.errands.run(Errand::ReadFont(path.clone())),
            None => self.code_font.next = Next::Bundled,
        }
    }

    pub(super) fn font_read(&mut self, path: &Path, font: Option<Vec<u8>>) {
        if self.settings.code_font.as_deref() != Some(path) {
            return;
        }
        self.code_font.next = if let Some(font) = font {
            Next::Own(font)
        } else {
            self.state.notice = Some(Notice::FontUnusable(path.to_owned()));
            Next::Bundled
        };
    }
}

/// The bytes of a font with letters, if the file is one.
pub(super) fn read(path: &Path) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(FONT_BYTES_MOST + 1)
        .read_to_end(&mut bytes)
        .ok()?;
    if bytes.len() as u64 > FONT_BYTES_MOST {
        return None;
    }
    let has_letters =
        skrifa::FontRef::from_index(&bytes, 0).is_ok_and(|font| font.charmap().map('M').is_some());
    has_letters.then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fonts_with_letters_are_taken() {
        let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/fonts");
        assert!(read(&bundled.join("JetBrainsMono-Regular.ttf")).is_some());
        assert!(read(&bundled.join("PhosphorIcons.ttf")).is_none(), "icons");
        assert!(read(Path::new(file!())).is_none(), "no font");
        assert!(read(&bundled.join("missing.ttf")).is_none());
    }

    #[test]
    fn a_font_is_set_once() {
        let ctx = egui::Context::default();
        let mut font = CodeFont::default();
        assert_eq!(font.install(&ctx), 0);
        font.next = Next::Bundled;
        assert_eq!((font.install(&ctx), font.install(&ctx)), (1, 1));
    }
}
