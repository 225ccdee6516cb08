//! Every color and size of the window. The fonts are in `fonts.rs`.

pub mod terminal;

#[cfg(test)]
mod tests;

use egui::{Color32, Context, CornerRadius, FontId, Shadow, Stroke, TextStyle};

use crate::core::backend::AgentLook;
use crate::ui::fonts::{self, Face};

/// The colors of one theme and the sizes that the person chose.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    pub dark: bool,
    /// Another number whenever the fonts are others.
    pub fonts: u32,
    pub page: Color32,
    pub raised: Color32,
    pub sunken: Color32,
    pub hover: Color32,
    pub pressed: Color32,
    pub hairline: Color32,
    pub border: Color32,
    pub text: Color32,
    pub secondary: Color32,
    pub disabled: Color32,
    pub link: Color32,
    pub ok: Color32,
    pub busy: Color32,
    pub caution: Color32,
    pub error: Color32,
    /// The one button that a surface is about, and what stands on it.
    pub primary: Color32,
    pub primary_hover: Color32,
    pub on_primary: Color32,
    pub selection: Color32,
    /// What a search found, and the match that was gone to.
    pub found: Color32,
    pub found_current: Color32,
    pub diff_added: Color32,
    pub diff_added_word: Color32,
    pub diff_removed: Color32,
    pub diff_removed_word: Color32,
    pub syntax: Syntax,
    pub size: Sizes,
}

/// The colors of code, by what a word is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Syntax {
    pub comment: Color32,
    pub string: Color32,
    pub number: Color32,
    pub keyword: Color32,
    pub function: Color32,
    pub type_name: Color32,
    pub attribute: Color32,
}

/// Text sizes in points, all scaled by the body size that the person chose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sizes {
    pub body: f32,
    pub mono: f32,
    pub meta: f32,
    pub heading: [f32; 3],
    pub icon: f32,
}

/// The widest a transcript's column gets, in points.
pub const COLUMN_WIDTH: f32 = 760.0;
/// The height of the header, in points.
pub const HEADER_HEIGHT: f32 = 40.0;
/// The height of the status bar, in points.
pub const STATUS_HEIGHT: f32 = 24.0;
/// Below this width the chips of the composer fold into one, in points.
pub const NARROW_WIDTH: f32 = 340.0;
/// Pictures are shown in their own colors.
pub const UNTINTED: Color32 = Color32::WHITE;
/// The height of a line as a multiple of the text size: Latin and Japanese.
pub const LINE_HEIGHT: f32 = 1.5;
pub const LINE_HEIGHT_JAPANESE: f32 = 1.6;
/// Gaps between turns, blocks, and the parts of one, in points.
pub const TURN_GAP: f32 = 24.0;
pub const BLOCK_GAP: f32 = 12.0;
pub const PART_GAP: f32 = 4.0;
pub const CARD_RADIUS: CornerRadius = CornerRadius::same(8);
pub const COMPOSER_RADIUS: CornerRadius = CornerRadius::same(12);
pub const BUTTON_RADIUS: CornerRadius = CornerRadius::same(6);

impl Sizes {
    /// The sizes that go with a body size in points.
    pub fn for_body(body: u8) -> Self {
        let body = f32::from(body);
        let scaled = |size: f32| (size * body / 14.0 * 2.0).round() / 2.0;
        Self {
            body,
            mono: scaled(13.0),
            meta: scaled(12.0),
            heading: [scaled(20.0), scaled(17.0), scaled(15.0)],
            icon: scaled(16.0),
        }
    }
}

impl Theme {
    /// The dark theme with this body size in points.
    pub fn dark(text_size: u8) -> Self {
        Self {
            dark: true,
            fonts: 0,
            page: hex(0x0018_191C),
            raised: hex(0x0021_2327),
            sunken: hex(0x0014_1518),
            hover: hex(0x002A_2D32),
            pressed: hex(0x0032_363C),
            hairline: hex(0x002C_2F34),
            border: hex(0x0041_454C),
            text: hex(0x00E7_E8EA),
            secondary: hex(0x00A3_A8B1),
            disabled: hex(0x006C_717A),
            link: hex(0x007F_B2FF),
            ok: hex(0x006C_C08B),
            busy: hex(0x005A_A7F0),
            caution: hex(0x00E0_B04A),
            error: hex(0x00F2_766F),
            primary: hex(0x00E7_E8EA),
            primary_hover: hex(0x00FF_FFFF),
            on_primary: hex(0x0018_191C),
            selection: hex(0x002C_4A73),
            found: hex(0x004A_401F),
            found_current: hex(0x007C_5A0E),
            diff_added: hex(0x001C_2F24),
            diff_added_word: hex(0x002D_5B3D),
            diff_removed: hex(0x0035_2024),
            diff_removed_word: hex(0x006C_3038),
            syntax: Syntax {
                comment: hex(0x0080_8790),
                string: hex(0x0093_C796),
                number: hex(0x00DE_A97A),
                keyword: hex(0x00BB_A3F0),
                function: hex(0x0082_B4F5),
                type_name: hex(0x0070_C4CC),
                attribute: hex(0x00D2_B36A),
            },
            size: Sizes::for_body(text_size),
        }
    }

    /// The light theme with this body size in points.
    pub fn light(text_size: u8) -> Self {
        Self {
            dark: false,
            fonts: 0,
            page: hex(0x00FB_FBFA),
            raised: hex(0x00FF_FFFF),
            sunken: hex(0x00F3_F3F1),
            hover: hex(0x00EE_EEEC),
            pressed: hex(0x00E4_E4E1),
            hairline: hex(0x00E6_E6E3),
            border: hex(0x00CB_CBC7),
            text: hex(0x001C_1D1F),
            secondary: hex(0x005A_5F67),
            disabled: hex(0x009A_9EA5),
            link: hex(0x000F_52BA),
            ok: hex(0x001E_7F45),
            busy: hex(0x001B_6FC2),
            caution: hex(0x008F_5F00),
            error: hex(0x00C5_362F),
            primary: hex(0x001C_1D1F),
            primary_hover: hex(0x003A_3D42),
            on_primary: hex(0x00FF_FFFF),
            selection: hex(0x00BF_D8FB),
            found: hex(0x00FB_EDB8),
            found_current: hex(0x00FF_CF5C),
            diff_added: hex(0x00E4_F5E9),
            diff_added_word: hex(0x00B5_E2C3),
            diff_removed: hex(0x00FB_E7E7),
            diff_removed_word: hex(0x00F3_BDBD),
            syntax: Syntax {
                comment: hex(0x0066_6B73),
                string: hex(0x0023_6E3C),
                number: hex(0x0096_4D0C),
                keyword: hex(0x006F_3BC0),
                function: hex(0x0015_52B0),
                type_name: hex(0x000A_6878),
                attribute: hex(0x0080_5C08),
            },
            size: Sizes::for_body(text_size),
        }
    }

    /// The accent of an agent: for its glyph, the role mark and the focus ring only.
    pub fn accent(&self, look: AgentLook) -> Color32 {
        match (look, self.dark) {
            (AgentLook::Claude, true) => hex(0x00D9_7757),
            (AgentLook::Claude, false) => hex(0x00B3_5233),
            (AgentLook::Gemini, true) => hex(0x006F_A4F9),
            (AgentLook::Gemini, false) => hex(0x002B_62C4),
            (AgentLook::Codex, true) => hex(0x003C_C39B),
            (AgentLook::Codex, false) => hex(0x000F_7A5C),
            (AgentLook::Grok, true) => hex(0x00B4_BCC8),
            (AgentLook::Grok, false) => hex(0x0055_5D69),
            (AgentLook::OpenCode, true) => hex(0x00D6_A94F),
            (AgentLook::OpenCode, false) => hex(0x0086_620C),
            (AgentLook::Qwen, true) => hex(0x00A9_8FF2),
            (AgentLook::Qwen, false) => hex(0x0066_49C2),
            (AgentLook::Vibe, true) => hex(0x00E8_885A),
            (AgentLook::Vibe, false) => hex(0x00A8_501C),
            (AgentLook::Demo, true) => hex(0x005F_BDC9),
            (AgentLook::Demo, false) => hex(0x0017_707C),
            (AgentLook::Custom, true) => hex(0x00A7_8BFA),
            (AgentLook::Custom, false) => hex(0x006D_4BD1),
        }
    }

    /// A length that grows with the text, given for the usual text size, in points.
    pub fn scaled(&self, length: f32) -> f32 {
        (length * self.size.body / 14.0).round()
    }

    /// The shadow under what floats above the page.
    pub fn shadow(&self) -> Shadow {
        Shadow {
            offset: [0, 4],
            blur: 16,
            spread: 0,
            color: Color32::from_black_alpha(if self.dark { 110 } else { 38 }),
        }
    }

    /// The border of a large surface that has the keyboard: seen, but calmer than a ring.
    pub fn focus_border(&self) -> Color32 {
        self.link.gamma_multiply(0.7)
    }

    /// A heading within a panel.
    pub fn heading(&self) -> FontId {
        let [_, second, _] = self.size.heading;
        Face::SemiBold.sized(second)
    }

    /// Body text.
    pub fn body(&self) -> FontId {
        Face::Regular.sized(self.size.body)
    }

    /// Small text beside the content.
    pub fn meta(&self) -> FontId {
        Face::Regular.sized(self.size.meta)
    }

    /// Numbers that change.
    pub fn tabular(&self) -> FontId {
        Face::Tabular.sized(self.size.meta)
    }

    /// Code, commands, paths.
    pub fn mono(&self) -> FontId {
        Face::Mono.sized(self.size.mono)
    }

    /// Icons beside text.
    pub fn icon(&self) -> FontId {
        Face::Icon.sized(self.size.icon)
    }
}

/// The glyph that stands for an agent.
pub fn glyph(look: AgentLook) -> &'static str {
    match look {
        AgentLook::Claude => "\u{2731}",
        AgentLook::Gemini => "\u{25C6}",
        AgentLook::Codex => "\u{25CB}",
        AgentLook::Grok => "\u{2715}",
        AgentLook::OpenCode => "\u{25A3}",
        AgentLook::Qwen => "\u{2726}",
        AgentLook::Vibe => "\u{25B2}",
        AgentLook::Demo => "\u{25CE}",
        AgentLook::Custom => "\u{25C7}",
    }
}

/// Sets the bundled fonts.
pub fn install_fonts(ctx: &Context) {
    ctx.set_fonts(fonts::definitions(None));
}

/// Sets the fonts with another one for code, which has to be a font.
pub fn install_code_font(ctx: &Context, code: Option<Vec<u8>>) {
    ctx.set_fonts(fonts::definitions(code));
}

/// Gives egui's own widgets the look of the theme.
pub fn apply(ctx: &Context, theme: &Theme) {
    ctx.set_theme(if theme.dark {
        egui::Theme::Dark
    } else {
        egui::Theme::Light
    });
    ctx.all_styles_mut(|style| {
        style.text_styles = [
            (TextStyle::Small, theme.meta()),
            (TextStyle::Body, theme.body()),
            (TextStyle::Button, theme.body()),
            (
                TextStyle::Heading,
                Face::SemiBold.sized(theme.size.heading.first().copied().unwrap_or(20.0)),
            ),
            (TextStyle::Monospace, theme.mono()),
        ]
        .into();
        style.animation_time = 0.0;
        style.spacing.item_spacing = egui::vec2(8.0, PART_GAP);
        style.spacing.button_padding = egui::vec2(10.0, 4.0);
        style.spacing.menu_margin = egui::Margin::same(6);
        style.visuals = visuals(theme);
    });
}

fn visuals(theme: &Theme) -> egui::Visuals {
    let mut visuals = if theme.dark {
        egui::Visuals::dark()
    } else {
        egui::Visuals::light()
    };
    visuals.panel_fill = theme.page;
    visuals.window_fill = theme.raised;
    visuals.window_stroke = Stroke::new(1.0, theme.border);
    visuals.extreme_bg_color = theme.sunken;
    visuals.code_bg_color = theme.sunken;
    visuals.faint_bg_color = theme.sunken;
    visuals.hyperlink_color = theme.link;
    visuals.warn_fg_color = theme.caution;
    visuals.error_fg_color = theme.error;
    visuals.selection.bg_fill = theme.selection;
    visuals.selection.stroke = Stroke::new(1.0, theme.link);
    visuals.override_text_color = None;
    visuals.text_cursor.blink = false;
    visuals.window_corner_radius = CARD_RADIUS;
    visuals.menu_corner_radius = CARD_RADIUS;
    let states = [
        (
            &mut visuals.widgets.noninteractive,
            theme.page,
            theme.hairline,
            theme.text,
        ),
        (
            &mut visuals.widgets.inactive,
            theme.raised,
            theme.border,
            theme.text,
        ),
        (
            &mut visuals.widgets.hovered,
            theme.hover,
            theme.border,
            theme.text,
        ),
        (
            &mut visuals.widgets.active,
            theme.pressed,
            theme.link,
            theme.text,
        ),
        (
            &mut visuals.widgets.open,
            theme.hover,
            theme.border,
            theme.text,
        ),
    ];
    for (state, fill, border, text) in states {
        state.bg_fill = fill;
        state.weak_bg_fill = fill;
        state.bg_stroke = Stroke::new(1.0, border);
        state.fg_stroke = Stroke::new(1.0, text);
        state.corner_radius = BUTTON_RADIUS;
        state.expansion = 0.0;
    }
    visuals
}

fn hex(rgb: u32) -> Color32 {
    let [_, red, green, blue] = rgb.to_be_bytes();
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place where colors are made"
    )]
    Color32::from_rgb(red, green, blue)
}
