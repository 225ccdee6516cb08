//! The same transcript as most clients draw it: all of it, by a Markdown widget, in each frame.

use std::time::Duration;

use egui::{Context, Pos2, RawInput, Rect, ScrollArea};
use egui_commonmark::{CommonMarkCache, CommonMarkViewer};

use crate::clock::cost_of;
use crate::stage::{SIZE, message};

pub(crate) struct Naive {
    ctx: Context,
    cache: CommonMarkCache,
    blocks: Vec<String>,
}

impl Naive {
    /// As many blocks as the window's: a message and a line for a tool call in turn.
    pub(crate) fn with_blocks(count: usize) -> Self {
        let block = |place| match place % 2 {
            0 => message(place),
            _ => "Read `src/harbor.rs`".to_owned(),
        };
        Self {
            ctx: Context::default(),
            cache: CommonMarkCache::default(),
            blocks: (0..count).map(block).collect(),
        }
    }

    pub(crate) fn frame(&mut self) -> Duration {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            ..RawInput::default()
        };
        let (blocks, cache) = (&self.blocks, &mut self.cache);
        cost_of(|| {
            let output = self.ctx.run_ui(input, |ui| {
                ScrollArea::vertical().stick_to_bottom(true).show(ui, |ui| {
                    for block in blocks {
                        CommonMarkViewer::new().show(ui, cache, block);
                    }
                });
            });
            std::hint::black_box(self.ctx.tessellate(output.shapes, output.pixels_per_point));
        })
    }
}
