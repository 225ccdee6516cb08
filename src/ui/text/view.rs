//! A Markdown text on the page: its parts laid out once, and only those in view drawn.

use egui::{Id, Pos2, Rangef, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::ui::text::code_block;
use crate::ui::text::code_view::CodeView;
use crate::ui::text::cx::TextCx;
use crate::ui::text::document::{Document, Growth, PartView, Slot};
use crate::ui::text::draw::flow_ui;
use crate::ui::text::flow::{Flow, Setting, Weight};
use crate::ui::text::inline::{InlineStyle, Inlines, Voice};
use crate::ui::text::markdown::LineBreaks;
use crate::ui::text::part::{Inset, Part, PartKind};
use crate::ui::text::place::{self, Edge};
use crate::ui::text::table_view::TableView;
use crate::ui::widgets::text;

/// A text up to this size is laid out as a whole, so that its height is known; of a longer one only what is in view.
const WHOLE_BYTES_MOST: usize = 8_000;

/// A text with everything that is kept of it.
#[derive(Debug)]
pub struct TextView {
    document: Document<View>,
}

/// What is kept of a part.
#[derive(Debug, Default)]
pub struct View {
    height: f32,
    /// When it was laid out; 0 when it has to be again.
    epoch: u64,
    content: Content,
    /// Some of it is written from right to left, which egui does not lay out: a line below says so.
    is_right_to_left: bool,
}

#[derive(Debug, Default)]
enum Content {
    #[default]
    None,
    Flow(Flow),
    Code(Box<CodeView>),
    Table(Box<TableView>),
}

/// Where a text stands.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    pub top_left: Pos2,
    pub width: f32,
    pub id: Id,
}

impl PartView for View {
    fn part_changed(&mut self) {
        self.epoch = 0;
    }
}

impl TextView {
    /// An empty text.
    pub fn new(line_breaks: LineBreaks) -> Self {
        Self {
            document: Document::new(line_breaks),
        }
    }

    /// Takes in the whole text as it is now.
    pub fn update(&mut self, text: &str, growth: Growth) {
        self.document.update(text, growth);
    }

    /// The size of the text in bytes, as a measure of what it costs to keep.
    pub fn size_bytes(&self) -> usize {
        self.document.size_bytes()
    }

    /// Where a part begins, from the top of the text.
    pub fn part_top(&self, part: usize) -> f32 {
        self.tops().nth(part).unwrap_or_default()
    }

    /// The part at a distance from the top of the text: the first one that begins there or below, else the last.
    pub fn part_at(&self, distance: f32) -> usize {
        let above = self.tops().take_while(|top| *top < distance).count();
        above.min(self.tops().count().saturating_sub(1))
    }

    fn tops(&self) -> impl Iterator<Item = f32> {
        let mut bottom = 0.0;
        let mut above = None;
        self.document.slots().map(move |slot| {
            let edge = Edge::of(&slot.part);
            let top = bottom + place::gap(above, edge);
            bottom = top + slot.view.height;
            above = Some(edge);
            top
        })
    }

    /// Draws what is in view and returns the height of all.
    pub fn text_ui(
        &mut self,
        ui: &mut Ui,
        cx: &mut TextCx<'_>,
        setting: Setting,
        frame: Frame,
    ) -> f32 {
        let is_short = self.document.size_bytes() <= WHOLE_BYTES_MOST;
        let clip = ui.clip_rect().y_range().expand(1.0);
        let mut top = frame.top_left.y;
        let mut above = None;
        for (index, slot) in self.document.slots_mut().enumerate() {
            let edge = Edge::of(&slot.part);
            top += place::gap(above, edge);
            let inset = place::inset(cx.theme, &slot.part.insets);
            let width = (frame.width - inset).max(60.0);
            if slot.view.height == 0.0 {
                slot.view.height = estimate(cx, &slot.part, width);
            }
            let is_in_view = |height| Rangef::new(top, top + height).intersects(clip);
            if slot.view.epoch != cx.epoch && (is_short || is_in_view(slot.view.height)) {
                lay_out(ui, cx, slot, setting, width);
            }
            let height = slot.view.height;
            if is_in_view(height) {
                let at = pos2(frame.top_left.x + inset, top);
                let mut rect = Rect::from_min_size(at, vec2(width, height));
                if slot.view.is_right_to_left {
                    rect.max.y -= direction_height(cx);
                    let id = frame.id.with(("direction", index));
                    direction_ui(ui, cx, rect.left_bottom(), (width, id));
                }
                place::paint_insets(ui, cx.theme, &slot.part, frame.top_left.x, rect, above);
                cx.finding.at(index, 0);
                part_ui(ui, cx, slot, rect, frame.id.with(index));
            }
            top += height;
            above = Some(edge);
        }
        top - frame.top_left.y
    }
}

fn lay_out(ui: &Ui, cx: &mut TextCx<'_>, slot: &mut Slot<View>, setting: Setting, width: f32) {
    let Slot { part, view } = slot;
    let is_quoted = part.insets.contains(&Inset::Quote);
    let setting = if is_quoted {
        Setting {
            color: cx.theme.secondary,
            ..setting
        }
    } else {
        setting
    };
    view.height = match &part.kind {
        PartKind::Paragraph(text) => lay_out_flow(ui, cx, view, text, setting, width),
        PartKind::Heading { level, text } => {
            lay_out_flow(ui, cx, view, text, heading(cx, setting, *level), width)
        }
        PartKind::Source(text) => lay_out_flow(ui, cx, view, &as_source(text), setting, width),
        PartKind::Code(code) => {
            // What is kept of code goes on as it grows.
            let mut code_view = match std::mem::take(&mut view.content) {
                Content::Code(code_view) => code_view,
                Content::None | Content::Flow(_) | Content::Table(_) => Box::default(),
            };
            code_view.update(&code.language, &code.text);
            let height = code_block::height(ui, cx.theme, &code_view, &code.language);
            view.content = Content::Code(code_view);
            height
        }
        PartKind::Table(table) => {
            let mut table_view = Box::<TableView>::default();
            table_view.layout(ui, cx, table, width);
            let height = table_view.height();
            view.content = Content::Table(table_view);
            height
        }
        PartKind::Rule => 1.0,
    };
    view.is_right_to_left = part.is_right_to_left();
    if view.is_right_to_left {
        view.height += direction_height(cx);
    }
    view.epoch = cx.epoch;
}

fn direction_height(cx: &TextCx<'_>) -> f32 {
    cx.theme.scaled(22.0)
}

/// Says below a part that its order can't be trusted.
fn direction_ui(ui: &Ui, cx: &TextCx<'_>, at: Pos2, (width, id): (f32, Id)) {
    let words = cx.i18n.tr("transcript.right_to_left");
    let rect = Rect::from_min_size(at, vec2(width, direction_height(cx)));
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, words));
    let (font, color) = (cx.theme.meta(), cx.theme.caution);
    let galley = text::line_ui(ui, words, font, color, width);
    let y = at.y + direction_height(cx) / 2.0;
    text::paint_at(ui, at.x, y, galley, color);
}

fn lay_out_flow(
    ui: &Ui,
    cx: &mut TextCx<'_>,
    view: &mut View,
    text: &Inlines,
    setting: Setting,
    width: f32,
) -> f32 {
    let earlier = match std::mem::take(&mut view.content) {
        Content::Flow(flow) => flow,
        Content::None | Content::Code(_) | Content::Table(_) => Flow::default(),
    };
    let flow = Flow::new(ui, cx.theme, text, setting, width, &earlier);
    cx.laid_out += 1;
    let height = flow.size.y;
    view.content = Content::Flow(flow);
    height
}

fn part_ui(ui: &mut Ui, cx: &mut TextCx<'_>, slot: &mut Slot<View>, rect: Rect, id: Id) {
    match (&slot.part.kind, &mut slot.view.content) {
        (PartKind::Paragraph(text) | PartKind::Heading { text, .. }, Content::Flow(flow)) => {
            flow_ui(ui, cx, flow, &text.links, rect.min, id);
        }
        (PartKind::Source(_), Content::Flow(flow)) => flow_ui(ui, cx, flow, &[], rect.min, id),
        (PartKind::Code(code), Content::Code(view)) => {
            code_block::code_block_ui(ui, cx, view, code, rect, id);
        }
        (PartKind::Table(table), Content::Table(view)) => view.table_ui(ui, cx, table, rect, id),
        (PartKind::Rule, _) => {
            let stroke = egui::Stroke::new(1.0, cx.theme.border);
            ui.painter().hline(rect.x_range(), rect.top(), stroke);
        }
        _ => {}
    }
}

fn heading(cx: &TextCx<'_>, setting: Setting, level: u8) -> Setting {
    let size = cx
        .theme
        .size
        .heading
        .get(usize::from(level.max(1) - 1))
        .copied();
    Setting {
        size: size.unwrap_or(cx.theme.size.body),
        weight: Weight::SemiBold,
        line_height: 1.35,
        ..setting
    }
}

fn as_source(text: &str) -> Inlines {
    let mut inlines = Inlines::default();
    let style = InlineStyle {
        voice: Voice::Math,
        ..InlineStyle::default()
    };
    inlines.push(text, style);
    inlines
}

/// The height of a part that nobody has laid out.
fn estimate(cx: &TextCx<'_>, part: &Part, width: f32) -> f32 {
    let line = cx.theme.size.body * 1.5;
    let bytes = part.chars() as f32;
    match &part.kind {
        PartKind::Code(_) => bytes / 30.0 * line + 40.0,
        PartKind::Table(table) => (table.rows.len() + 1) as f32 * (line + 12.0),
        PartKind::Rule => 1.0,
        PartKind::Paragraph(_) | PartKind::Heading { .. } | PartKind::Source(_) => {
            (bytes * cx.theme.size.body * 0.46 / width).ceil().max(1.0) * line
        }
    }
}
