//! Makes attachments of files and pictures: pictures as base64 where the agent takes them, other files as links.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use egui::ColorImage;
use image::{ImageFormat, RgbaImage};

use crate::core::tool_call::ImageData;
use crate::core::transcript::Attachment;
use crate::ui::state::{DraftImage, Notice};

/// A larger picture is not sent, in bytes.
const PICTURE_BYTES_MOST: u64 = 10 * 1024 * 1024;

/// What a file became.
#[derive(Debug)]
pub(super) enum Attached {
    Picture(DraftImage),
    File(Attachment),
    /// It is a folder, to work in.
    Folder(PathBuf),
    Refused(Notice),
}

/// Whether the agent takes pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pictures {
    Taken,
    NotTaken,
}

/// Makes an attachment of a file. Reads it, so it may take its time.
pub(super) fn file(path: &Path, pictures: Pictures) -> Attached {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let Ok(metadata) = std::fs::metadata(path) else {
        return Attached::Refused(Notice::FileUnreadable(name));
    };
    if metadata.is_dir() {
        return Attached::Folder(path.to_owned());
    }
    let media_type = media_type(path).filter(|_| pictures == Pictures::Taken);
    let Some(media_type) = media_type else {
        return Attached::File(Attachment {
            name,
            uri: file_uri(path),
            text: None,
        });
    };
    if metadata.len() > PICTURE_BYTES_MOST {
        return Attached::Refused(Notice::PictureTooLarge(name));
    }
    let Ok(bytes) = std::fs::read(path) else {
        return Attached::Refused(Notice::FileUnreadable(name));
    };
    let Ok((width, height)) = image::ImageReader::new(Cursor::new(&bytes))
        .with_guessed_format()
        .map_err(image::ImageError::from)
        .and_then(image::ImageReader::into_dimensions)
    else {
        return Attached::Refused(Notice::FileUnreadable(name));
    };
    Attached::Picture(DraftImage {
        name,
        data: ImageData {
            media_type: media_type.to_owned(),
            base64: base64::engine::general_purpose::STANDARD.encode(&bytes),
            uri: Some(file_uri(path)),
        },
        width,
        height,
    })
}

/// Makes an attachment of a picture from the clipboard.
pub(super) fn picture(picture: &ColorImage) -> Attached {
    let [width, height] = picture.size;
    let (width, height) = (
        u32::try_from(width).unwrap_or(u32::MAX),
        u32::try_from(height).unwrap_or(u32::MAX),
    );
    let pixels = picture
        .pixels
        .iter()
        .flat_map(egui::Color32::to_srgba_unmultiplied)
        .collect();
    let mut png = Cursor::new(Vec::new());
    let is_written = RgbaImage::from_raw(width, height, pixels)
        .is_some_and(|image| image.write_to(&mut png, ImageFormat::Png).is_ok());
    let png = png.into_inner();
    if !is_written {
        return Attached::Refused(Notice::FileUnreadable(String::new()));
    }
    if png.len() as u64 > PICTURE_BYTES_MOST {
        return Attached::Refused(Notice::PictureTooLarge(String::new()));
    }
    Attached::Picture(DraftImage {
        name: String::new(),
        data: ImageData {
            media_type: "image/png".to_owned(),
            base64: base64::engine::general_purpose::STANDARD.encode(&png),
            uri: None,
        },
        width,
        height,
    })
}

fn media_type(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_string_lossy().to_lowercase();
    match extension.as_str() {
        "png" => Some("image/png"),
        "jpg" | "jpeg" => Some("image/jpeg"),
        _ => None,
    }
}

/// A path as a `file:` address. Everything that is not plain is percent-encoded.
fn file_uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    let path = path.to_string_lossy().replace('\\', "/");
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
            let digit = |value: u8| {
                DIGITS
                    .get(usize::from(value))
                    .map_or('0', |digit| char::from(*digit))
            };
            uri.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_files() {
        let cases = [
            ("/tmp/a b.txt", "file:///tmp/a%20b.txt"),
            ("/港/岸.md", "file:///%E6%B8%AF/%E5%B2%B8.md"),
            (r"C:\logs\a.log", "file:///C:/logs/a.log"),
        ];
        for (path, expected) in cases {
            assert_eq!(file_uri(Path::new(path)), expected);
        }
    }

    #[test]
    fn pictures_are_sent_where_they_are_taken_and_linked_elsewhere() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("dot.png");
        RgbaImage::new(3, 2).save(&path).expect("a picture");
        let Attached::Picture(image) = file(&path, Pictures::Taken) else {
            panic!("a picture");
        };
        assert_eq!((image.width, image.height), (3, 2));
        assert_eq!(image.data.media_type, "image/png");
        assert!(matches!(file(&path, Pictures::NotTaken), Attached::File(_)));
    }

    #[test]
    fn folders_and_what_can_t_be_read_are_told_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let pictures = Pictures::Taken;
        assert!(matches!(file(folder.path(), pictures), Attached::Folder(_)));
        let missing = folder.path().join("missing.txt");
        assert!(matches!(file(&missing, pictures), Attached::Refused(_)));
        let broken = folder.path().join("broken.png");
        std::fs::write(&broken, "no picture").expect("a file");
        assert!(matches!(file(&broken, pictures), Attached::Refused(_)));
    }

    #[test]
    fn a_pasted_picture_becomes_a_png() {
        let pasted = ColorImage::filled([4, 3], egui::Color32::TRANSPARENT);
        let Attached::Picture(image) = picture(&pasted) else {
            panic!("a picture");
        };
        assert_eq!((image.width, image.height), (4, 3));
        let png = base64::engine::general_purpose::STANDARD.decode(image.data.base64);
        assert!(png.expect("base64").starts_with(b"\x89PNG"));
    }
}
