//! Pictures without a GPU: egui's triangles, filled by hand. The same input gives the same picture, bit for bit.
#![expect(
    clippy::indexing_slicing,
    reason = "pixels by their place; a mistake here fails a picture, not the program"
)]

use std::collections::BTreeMap;

use egui::epaint::{Primitive, Vertex};
use egui::{Color32, FullOutput, ImageData, Rect, TextureId, TexturesDelta};
use egui_kittest::TestRenderer;
use image::{Rgba, RgbaImage};

/// A renderer for [`egui_kittest`].
#[derive(Default)]
pub(crate) struct SoftwareRenderer {
    textures: BTreeMap<TextureId, Texture>,
}

struct Texture {
    width: usize,
    height: usize,
    pixels: Vec<Color32>,
}

impl TestRenderer for SoftwareRenderer {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        let mut set: Vec<_> = delta.set.drain().collect();
        set.sort_by_key(|(id, _)| *id);
        for (id, deltas) in set {
            for delta in deltas {
                let ImageData::Color(image) = &delta.image;
                let [width, height] = image.size;
                match delta.pos {
                    None => {
                        let texture = Texture {
                            width,
                            height,
                            pixels: image.pixels.clone(),
                        };
                        self.textures.insert(id, texture);
                    }
                    Some([left, top]) => {
                        let texture = self.textures.get_mut(&id).expect("a texture to patch");
                        for y in 0..height {
                            for x in 0..width {
                                let at = (top + y) * texture.width + left + x;
                                texture.pixels[at] = image.pixels[y * width + x];
                            }
                        }
                    }
                }
            }
        }
        delta.clear();
    }

    fn render(&mut self, ctx: &egui::Context, output: &FullOutput) -> Result<RgbaImage, String> {
        let scale = ctx.pixels_per_point();
        let size = ctx.content_rect().size() * scale;
        let mut canvas = RgbaImage::new(size.x.round() as u32, size.y.round() as u32);
        for primitive in ctx.tessellate(output.shapes.clone(), scale) {
            let Primitive::Mesh(mesh) = &primitive.primitive else {
                continue;
            };
            let Some(texture) = self.textures.get(&mesh.texture_id) else {
                continue;
            };
            let clip = primitive.clip_rect * scale;
            for corners in mesh.indices.chunks_exact(3) {
                let triangle = [corners[0], corners[1], corners[2]]
                    .map(|index| scaled(mesh.vertices[index as usize], scale));
                fill(&mut canvas, texture, clip, &triangle);
            }
        }
        Ok(canvas)
    }
}

fn scaled(mut vertex: Vertex, scale: f32) -> Vertex {
    vertex.pos = (vertex.pos.to_vec2() * scale).to_pos2();
    vertex
}

fn fill(canvas: &mut RgbaImage, texture: &Texture, clip: Rect, [a, b, c]: &[Vertex; 3]) {
    let area = cross(a, b, c.pos);
    if area == 0.0 {
        return;
    }
    let bounds = Rect::from_points(&[a.pos, b.pos, c.pos]).intersect(clip);
    let right = (bounds.right().ceil() as i64).clamp(0, i64::from(canvas.width()));
    let bottom = (bounds.bottom().ceil() as i64).clamp(0, i64::from(canvas.height()));
    for y in (bounds.top().floor() as i64).max(0)..bottom {
        for x in (bounds.left().floor() as i64).max(0)..right {
            let middle = egui::pos2(x as f32 + 0.5, y as f32 + 0.5);
            if !clip.contains(middle) {
                continue;
            }
            let weights = [
                cross(b, c, middle),
                cross(c, a, middle),
                cross(a, b, middle),
            ];
            if !is_inside(weights, area, [(b, c), (c, a), (a, b)]) {
                continue;
            }
            let [wa, wb, wc] = weights.map(|weight| weight / area);
            let mix = |of: fn(&Vertex) -> f32| wa * of(a) + wb * of(b) + wc * of(c);
            let texel = texture.sample([mix(|v| v.uv.x), mix(|v| v.uv.y)]);
            let color = [
                mix(|v| f32::from(v.color.r())),
                mix(|v| f32::from(v.color.g())),
                mix(|v| f32::from(v.color.b())),
                mix(|v| f32::from(v.color.a())),
            ];
            blend(canvas.get_pixel_mut(x as u32, y as u32), color, texel);
        }
    }
}

/// Twice the area of a triangle, with its sign.
fn cross(a: &Vertex, b: &Vertex, p: egui::Pos2) -> f32 {
    (b.pos - a.pos).x * (p - a.pos).y - (b.pos - a.pos).y * (p - a.pos).x
}

/// Whether a pixel belongs to a triangle; one on an edge that two share belongs to one of them.
fn is_inside(weights: [f32; 3], area: f32, edges: [(&Vertex, &Vertex); 3]) -> bool {
    weights.iter().zip(edges).all(|(weight, (from, to))| {
        let weight = weight * area.signum();
        let edge = (to.pos - from.pos) * area.signum();
        weight > 0.0 || (weight == 0.0 && (edge.y > 0.0 || (edge.y == 0.0 && edge.x < 0.0)))
    })
}

impl Texture {
    fn sample(&self, at: [f32; 2]) -> [f32; 4] {
        let x = (at[0] * self.width as f32 - 0.5).clamp(0.0, self.width as f32 - 1.0);
        let y = (at[1] * self.height as f32 - 0.5).clamp(0.0, self.height as f32 - 1.0);
        let (left, top) = (x.floor() as usize, y.floor() as usize);
        let (right, bottom) = (
            (left + 1).min(self.width - 1),
            (top + 1).min(self.height - 1),
        );
        let (fx, fy) = (x - left as f32, y - top as f32);
        let texel = |x: usize, y: usize| self.pixels[y * self.width + x].to_array().map(f32::from);
        let upper = mixed(texel(left, top), texel(right, top), fx);
        let lower = mixed(texel(left, bottom), texel(right, bottom), fx);
        mixed(upper, lower, fy)
    }
}

fn mixed(from: [f32; 4], to: [f32; 4], share: f32) -> [f32; 4] {
    std::array::from_fn(|channel| from[channel] * (1.0 - share) + to[channel] * share)
}

/// Puts a premultiplied color over a pixel, in gamma space as egui does.
fn blend(pixel: &mut Rgba<u8>, color: [f32; 4], texel: [f32; 4]) {
    let source: [f32; 4] = std::array::from_fn(|channel| color[channel] * texel[channel] / 255.0);
    let rest = 1.0 - source[3] / 255.0;
    for (below, above) in pixel.0.iter_mut().zip(source) {
        *below = (above + f32::from(*below) * rest).round().clamp(0.0, 255.0) as u8;
    }
}
