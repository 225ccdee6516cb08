//! The bundled fonts and the families made of them.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily, FontId};

/// A cut of the text, as a family of its own: bold is bold and italic is italic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Face {
    Regular,
    SemiBold,
    Italic,
    SemiBoldItalic,
    /// Digits of equal width, for numbers that change.
    Tabular,
    Mono,
    MonoBold,
    Icon,
}

impl Face {
    /// The family that egui knows this face by.
    pub fn family(self) -> FontFamily {
        match self {
            Self::Regular => FontFamily::Proportional,
            Self::Mono => FontFamily::Monospace,
            Self::SemiBold => named("semibold"),
            Self::Italic => named("italic"),
            Self::SemiBoldItalic => named("semibold-italic"),
            Self::Tabular => named("tabular"),
            Self::MonoBold => named("mono-bold"),
            Self::Icon => named("icon"),
        }
    }

    /// The face in a size, in points.
    pub fn sized(self, size: f32) -> FontId {
        FontId::new(size, self.family())
    }
}

fn named(name: &str) -> FontFamily {
    FontFamily::Name(name.into())
}

const FILES: &[(&str, &[u8])] = &[
    (
        "inter",
        include_bytes!("../../assets/fonts/Inter-Regular.ttf"),
    ),
    (
        "inter-semibold",
        include_bytes!("../../assets/fonts/Inter-SemiBold.ttf"),
    ),
    (
        "inter-italic",
        include_bytes!("../../assets/fonts/Inter-Italic.ttf"),
    ),
    (
        "inter-semibold-italic",
        include_bytes!("../../assets/fonts/Inter-SemiBoldItalic.ttf"),
    ),
    (
        "inter-tabular",
        include_bytes!("../../assets/fonts/InterTabular-Regular.ttf"),
    ),
    (
        "mono",
        include_bytes!("../../assets/fonts/JetBrainsMono-Regular.ttf"),
    ),
    (
        "mono-bold",
        include_bytes!("../../assets/fonts/JetBrainsMono-Bold.ttf"),
    ),
    (
        "jp",
        include_bytes!("../../assets/fonts/NotoSansJP-Regular.ttf"),
    ),
    (
        "jp-semibold",
        include_bytes!("../../assets/fonts/NotoSansJP-SemiBold.ttf"),
    ),
    (
        "symbols",
        include_bytes!("../../assets/fonts/NotoSansSymbols2-Regular.ttf"),
    ),
    (
        "icons",
        include_bytes!("../../assets/fonts/PhosphorIcons.ttf"),
    ),
];

/// The name of the person's own font for code.
const CODE: &str = "code";

/// All families. Each ends with egui's own fonts (emoji), then the system's come by themselves. `code` is the file of a
/// font for code, which has to be one: egui panics at anything else.
pub fn definitions(code: Option<Vec<u8>>) -> FontDefinitions {
    let mut fonts = bundled();
    let Some(code) = code else { return fonts };
    fonts
        .font_data
        .insert(CODE.to_owned(), Arc::new(FontData::from_owned(code)));
    // The bold cut as well: letters of another width would not stand below each other.
    for face in [Face::Mono, Face::MonoBold] {
        if let Some(family) = fonts.families.get_mut(&face.family()) {
            family.insert(0, CODE.to_owned());
        }
    }
    fonts
}

fn bundled() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let emoji: Vec<String> = fonts
        .families
        .get(&FontFamily::Proportional)
        .cloned()
        .unwrap_or_default();
    for (name, bytes) in FILES {
        fonts
            .font_data
            .insert((*name).to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let families: [(Face, &[&str]); 8] = [
        (Face::Regular, &["inter", "jp", "symbols", "mono", "icons"]),
        (
            Face::SemiBold,
            &[
                "inter-semibold",
                "jp-semibold",
                "symbols",
                "mono-bold",
                "icons",
            ],
        ),
        (
            Face::Italic,
            &["inter-italic", "jp", "symbols", "mono", "icons"],
        ),
        (
            Face::SemiBoldItalic,
            &[
                "inter-semibold-italic",
                "jp-semibold",
                "symbols",
                "mono-bold",
                "icons",
            ],
        ),
        (
            Face::Tabular,
            &["inter-tabular", "inter", "jp", "symbols", "mono", "icons"],
        ),
        (Face::Mono, &["mono", "jp", "symbols", "inter", "icons"]),
        (
            Face::MonoBold,
            &[
                "mono-bold",
                "jp-semibold",
                "symbols",
                "inter-semibold",
                "icons",
            ],
        ),
        (Face::Icon, &["icons", "inter", "symbols"]),
    ];
    for (face, files) in families {
        let own = files.iter().map(|name| (*name).to_owned());
        fonts
            .families
            .insert(face.family(), own.chain(emoji.iter().cloned()).collect());
    }
    fonts
}
