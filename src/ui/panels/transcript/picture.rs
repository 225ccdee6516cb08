//! Pictures: decoded when they come into view, one in a UI frame, and only up to a size.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use egui::{
    ColorImage, CornerRadius, Id, Rect, Role, Sense, Stroke, StrokeKind, TextureOptions, Ui,
    WidgetInfo, pos2, vec2,
};
use image::ImageFormat;

use crate::core::ids::BlockId;
use crate::core::tool_call::ImageData;
use crate::ui::icons;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::theme::UNTINTED;
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::views::{Picture, ViewKey, ViewPart};
use crate::ui::widgets::text;

/// What is not decoded: more text than this, more pixels than this.
const BASE64_BYTES_MOST: usize = 16 * 1024 * 1024;
const PIXELS_MOST: u64 = 12_000_000;
/// A larger picture is kept smaller than it is, in pixels.
const SIDE_MOST: u32 = 1_600;
/// The size of a thumbnail, in points.
const THUMBNAIL: egui::Vec2 = vec2(280.0, 180.0);

/// Shows a picture as a thumbnail, or in full width once it was clicked.
pub(super) fn picture_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: BlockId,
    place: usize,
    image: &ImageData,
) {
    let key = ViewKey {
        block,
        part: ViewPart::Content(place),
    };
    let i18n = cx.cx.i18n;
    let name = image
        .uri
        .as_deref()
        .and_then(|uri| uri.rsplit('/').next())
        .map(crate::ui::untrusted::one_line);
    let label = match &name {
        Some(name) => i18n.tr_args("transcript.image.named", &[("name", name.into())]),
        None => i18n.tr("transcript.image").to_owned(),
    };
    let waits = matches!(
        cx.views.pictures.get(key, || Picture::Waiting),
        Picture::Waiting
    );
    if waits
        && cx.pictures > 0
        && ui.is_rect_visible(Rect::from_min_size(ui.cursor().min, vec2(1.0, 1.0)))
    {
        cx.pictures -= 1;
        let picture = decode(ui, image);
        let pixels = match &picture {
            Picture::Ready { texture, .. } => texture.size().iter().product(),
            Picture::Waiting | Picture::Failed => 0,
        };
        *cx.views.pictures.get(key, || Picture::Waiting) = picture;
        cx.views.pictures.set_cost(&key, pixels);
    } else if waits {
        ui.ctx().request_repaint();
    }
    match cx.views.pictures.peek(&key) {
        Some(Picture::Ready {
            texture,
            width,
            height,
        }) => {
            let (texture, size) = (texture.id(), (*width, *height));
            let is_large = cx.folds.is_open(block, FoldPart::Picture(place));
            let id = Id::unique(("picture", cx.session.key().0, block.0, place));
            if shown_ui(ui, cx, texture, size, is_large, (&label, id)) {
                cx.folds.toggle(block, FoldPart::Picture(place));
            }
        }
        Some(Picture::Failed) => failed_ui(ui, cx, &label),
        Some(Picture::Waiting) | None => {
            ui.allocate_space(vec2(THUMBNAIL.x, 120.0));
        }
    }
}

fn shown_ui(
    ui: &mut Ui,
    cx: &RowCx<'_, '_>,
    texture: egui::TextureId,
    (width, height): (u32, u32),
    is_large: bool,
    (label, id): (&str, Id),
) -> bool {
    let theme = cx.cx.theme;
    let natural = vec2(width as f32, height as f32);
    let room = if is_large {
        vec2(ui.available_width(), f32::INFINITY)
    } else {
        THUMBNAIL
    };
    let scale = (room.x / natural.x).min(room.y / natural.y).min(1.0);
    let (_, rect) = ui.allocate_space((natural * scale).max(vec2(16.0, 16.0)));
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, label));
    let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let radius = CornerRadius::same(6);
    let shape = egui::epaint::RectShape::filled(rect, radius, UNTINTED).with_texture(texture, uv);
    ui.painter().add(shape);
    let stroke = if response.has_focus() {
        Stroke::new(2.0, theme.link)
    } else {
        Stroke::new(1.0, theme.border)
    };
    ui.painter()
        .rect_stroke(rect, radius, stroke, StrokeKind::Outside);
    let words = format!("{label}  {width}×{height}");
    let galley = text::line_ui(
        ui,
        &words,
        theme.meta(),
        theme.secondary,
        ui.available_width(),
    );
    let (_, caption) = ui.allocate_space(galley.size());
    ui.painter().galley(caption.min, galley, theme.secondary);
    response
        .on_hover_cursor(egui::CursorIcon::PointingHand)
        .clicked()
}

fn failed_ui(ui: &mut Ui, cx: &RowCx<'_, '_>, label: &str) {
    let theme = cx.cx.theme;
    let words = format!("{label}: {}", cx.cx.i18n.tr("transcript.image.failed"));
    ui.horizontal(|ui| {
        ui.add_space(20.0);
        let at = ui.cursor().left_center();
        text::paint_icon(
            ui,
            at.x - 20.0,
            at.y,
            icons::IMAGE,
            theme.icon(),
            theme.secondary,
        );
        text::label_ui(ui, &words, theme.meta(), theme.secondary, f32::INFINITY);
    });
}

fn decode(ui: &Ui, image: &ImageData) -> Picture {
    let Some((size, pixels, (width, height))) = pixels(image) else {
        return Picture::Failed;
    };
    let pixels = ColorImage::from_rgba_unmultiplied(size, &pixels);
    let texture = ui
        .ctx()
        .load_texture("picture", pixels, TextureOptions::LINEAR);
    Picture::Ready {
        texture,
        width,
        height,
    }
}

/// The pixels to keep and their size, and the size of the picture itself.
/// Size as shown, pixels, and the size of the original.
type Pixels = ([usize; 2], Vec<u8>, (u32, u32));

fn pixels(image: &ImageData) -> Option<Pixels> {
    if image.base64.len() > BASE64_BYTES_MOST {
        return None;
    }
    let bytes = STANDARD.decode(image.base64.trim()).ok()?;
    let format = image::guess_format(&bytes).ok()?;
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg) {
        return None;
    }
    let (width, height) = dimensions(&bytes, format)?;
    if u64::from(width) * u64::from(height) > PIXELS_MOST {
        return None;
    }
    let decoded = image::load_from_memory_with_format(&bytes, format).ok()?;
    let kept = if width.max(height) > SIDE_MOST {
        decoded.thumbnail(SIDE_MOST, SIDE_MOST)
    } else {
        decoded
    };
    let rgba = kept.into_rgba8();
    let size = [rgba.width() as usize, rgba.height() as usize];
    Some((size, rgba.into_raw(), (width, height)))
}

/// The size that a picture says it has, before anything is decoded.
fn dimensions(bytes: &[u8], format: ImageFormat) -> Option<(u32, u32)> {
    let number = |at: usize, length: usize| {
        let bytes = bytes.get(at..at + length)?;
        Some(
            bytes
                .iter()
                .fold(0_u32, |number, byte| number << 8 | u32::from(*byte)),
        )
    };
    if format == ImageFormat::Png {
        return Some((number(16, 4)?, number(20, 4)?));
    }
    // JPEG: segments up to the one that begins the picture.
    let mut at = 2;
    loop {
        let marker = *bytes.get(at + 1)?;
        match (*bytes.get(at)?, marker) {
            (0xFF, 0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF) => {
                return Some((number(at + 7, 2)?, number(at + 5, 2)?));
            }
            (0xFF, 0xFF) => at += 1,
            (0xFF, _) => at += 2 + number(at + 2, 2)? as usize,
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use image::ExtendedColorType;
    use image::ImageEncoder as _;
    use image::codecs::jpeg::JpegEncoder;
    use image::codecs::png::PngEncoder;

    use super::*;

    fn png(width: u32, height: u32) -> ImageData {
        let mut bytes = Vec::new();
        let pixels = image::RgbaImage::new(width, height);
        PngEncoder::new(&mut bytes)
            .write_image(&pixels, width, height, ExtendedColorType::Rgba8)
            .expect("a picture can be written");
        ImageData {
            media_type: "image/png".to_owned(),
            base64: STANDARD.encode(bytes),
            uri: None,
        }
    }

    #[test]
    fn pictures_are_decoded_and_kept_small() {
        let (size, pixels, original) = pixels(&png(40, 20)).expect("a picture");
        assert_eq!((size, pixels.len(), original), ([40, 20], 3_200, (40, 20)));
        let (size, _, original) = super::pixels(&png(3_200, 16)).expect("a picture");
        assert_eq!((size, original), ([1_600, 8], (3_200, 16)));
    }

    #[test]
    fn the_size_of_a_jpeg_is_read_from_its_head() {
        let mut bytes = Vec::new();
        let pixels = image::RgbImage::new(33, 21);
        JpegEncoder::new(&mut bytes)
            .write_image(&pixels, 33, 21, ExtendedColorType::Rgb8)
            .expect("a picture can be written");
        assert_eq!(dimensions(&bytes, ImageFormat::Jpeg), Some((33, 21)));
        assert_eq!(dimensions(&[0xFF, 0xD8, 0xFF], ImageFormat::Jpeg), None);
    }

    #[test]
    fn what_is_no_picture_or_too_large_is_refused() {
        let text = ImageData {
            base64: STANDARD.encode("text"),
            ..png(1, 1)
        };
        let broken = ImageData {
            base64: "***".to_owned(),
            ..png(1, 1)
        };
        for image in [text, broken, png(6_000, 2_001)] {
            assert!(pixels(&image).is_none());
        }
    }
}
