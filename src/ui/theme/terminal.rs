//! The colors of a terminal, made readable on the ground that output stands on.

use egui::Color32;

use super::{Theme, hex};
use crate::core::screen::Color;

/// The least contrast of text that chose its own color.
const LEAST: f32 = 4.5;
/// The steps of the cube of 216 colors.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

const DARK: [u32; 16] = [
    0x008A_9099,
    0x00F2_766F,
    0x006C_C08B,
    0x00E0_B04A,
    0x007F_B2FF,
    0x00C7_9BF2,
    0x005F_BDC9,
    0x00C9_CCD1,
    0x008A_9099,
    0x00FF_8F88,
    0x0085_D6A2,
    0x00F0_C766,
    0x009C_C4FF,
    0x00D9_B5FA,
    0x007F_D3DD,
    0x00FF_FFFF,
];
const LIGHT: [u32; 16] = [
    0x001C_1D1F,
    0x00B8_2F29,
    0x001B_7440,
    0x0080_5600,
    0x000F_52BA,
    0x0082_37B0,
    0x000F_6B75,
    0x005A_5F67,
    0x005A_5F67,
    0x00A8_241F,
    0x0017_6537,
    0x0073_4D00,
    0x000B_47A3,
    0x0072_2B9E,
    0x000B_5F68,
    0x001C_1D1F,
];

impl Theme {
    /// The color of terminal text, on the sunken ground.
    pub fn terminal_text(&self, color: Color) -> Color32 {
        match color {
            Color::Default => self.text,
            Color::Indexed(index) if index < 16 => self.named(index),
            color => self.readable(shown(color)),
        }
    }

    /// What terminal text stands on; `None` is the ground of all.
    pub fn terminal_ground(&self, color: Color) -> Option<Color32> {
        match color {
            Color::Default => None,
            Color::Indexed(index) if index < 16 => Some(self.named(index).gamma_multiply(0.3)),
            color => Some(shown(color).gamma_multiply(0.4)),
        }
    }

    fn named(&self, index: u8) -> Color32 {
        let colors = if self.dark { &DARK } else { &LIGHT };
        colors
            .get(usize::from(index))
            .map_or(self.text, |rgb| hex(*rgb))
    }

    /// A color moved towards the text's until it can be read.
    fn readable(&self, color: Color32) -> Color32 {
        let steps = [0.0, 0.2, 0.4, 0.6, 0.8];
        let mixed = steps.map(|part| color.lerp_to_gamma(self.text, part));
        let found = mixed
            .into_iter()
            .find(|color| contrast(*color, self.sunken) >= LEAST);
        found.unwrap_or(self.text)
    }
}

fn shown(color: Color) -> Color32 {
    match color {
        Color::Default => Color32::PLACEHOLDER,
        Color::Rgb(red, green, blue) => rgb(red, green, blue),
        Color::Indexed(index) => match index.checked_sub(16) {
            None => Color32::PLACEHOLDER,
            Some(index) if index < 216 => {
                let step = |index: u8| CUBE.get(usize::from(index % 6)).copied().unwrap_or(0);
                rgb(step(index / 36), step(index / 6), step(index))
            }
            Some(index) => {
                let gray = 8 + (index - 216) * 10;
                rgb(gray, gray, gray)
            }
        },
    }
}

fn rgb(red: u8, green: u8, blue: u8) -> Color32 {
    hex(u32::from_be_bytes([0, red, green, blue]))
}

/// The contrast of two colors by WCAG 2, from 1 to 21.
pub fn contrast(one: Color32, other: Color32) -> f32 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The relative luminance of WCAG 2.
fn luminance(color: Color32) -> f32 {
    let linear = |channel: u8| {
        let channel = f32::from(channel) / 255.0;
        if channel <= 0.039_28 {
            channel / 12.92
        } else {
            ((channel + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
}
