//! What a program printed, as a terminal would show it: escape sequences become styles, a carriage return writes its
//! line again. Nothing that is printed acts: titles, links, the clipboard and questions to the terminal are left out.
//!
//! The screen has no height: what scrolls off stays. It is fed piece by piece.

use vte::{Params, Parser, Perform};

/// A longer line goes on in the next one, as at the edge of a terminal. In characters.
pub const COLUMNS_MOST: usize = 1_000;
/// How far up the cursor may go, in lines: a program redraws what it can see.
const ROWS_MOST: usize = 200;
const TAB: usize = 8;

/// A color as a program asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Color {
    #[default]
    Default,
    /// Of the 256: 16 named ones, a cube of 216, and 24 grays.
    Indexed(u8),
    Rgb(u8, u8, u8),
}

/// How characters look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is switched by a code of its own"
)]
pub struct Style {
    pub foreground: Color,
    pub background: Color,
    pub bold: bool,
    pub dim: bool,
    pub italic: bool,
    pub underline: bool,
    pub strike: bool,
    /// Foreground and background change places.
    pub inverse: bool,
    /// Takes room and is not seen.
    pub hidden: bool,
}

/// A run of a line in one style, from the end of the run before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The byte of the line after its last one.
    pub end: usize,
    pub style: Style,
}

/// A line without its line break.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    pub text: String,
    pub runs: Vec<Run>,
}

/// A character in its place.
#[derive(Debug, Clone, Copy)]
struct Cell {
    c: char,
    style: Style,
    /// It stands on the one before and has no place of its own.
    joins: bool,
}

/// All that was printed.
#[derive(Default)]
pub struct Screen {
    parser: Parser,
    page: Page,
}

impl std::fmt::Debug for Screen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Screen")
            .field("page", &self.page)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct Page {
    /// The line with the cursor is here as it was before the cursor came.
    lines: Vec<Line>,
    cells: Vec<Cell>,
    /// Some cell of this row joins another.
    has_marks: bool,
    row: usize,
    column: usize,
    style: Style,
    /// The first row of what a program may draw anew.
    top: usize,
    saved: (usize, usize),
    /// The first row that changed since it was last asked.
    changed: usize,
}

impl Screen {
    /// The screen after this text.
    pub fn of(text: &str) -> Self {
        let mut screen = Self::default();
        screen.feed(text);
        screen
    }

    /// Takes in the next piece of text. A sequence may be cut anywhere.
    pub fn feed(&mut self, text: &str) {
        self.parser.advance(&mut self.page, text.as_bytes());
        self.page.store();
    }

    /// The lines from the first one on; the last one may be empty.
    pub fn lines(&self) -> &[Line] {
        let count = self.page.lines.len();
        let is_blank = |line: &&Line| line.text.trim().is_empty();
        let blank = self.page.lines.iter().rev().take_while(is_blank).count();
        self.page.lines.get(..count - blank).unwrap_or_default()
    }

    /// The first line that changed since the last call.
    pub fn take_changed(&mut self) -> usize {
        std::mem::replace(&mut self.page.changed, usize::MAX)
    }

    /// What is read, without styles.
    pub fn text(&self) -> String {
        let lines: Vec<&str> = self.lines().iter().map(|line| line.text.as_str()).collect();
        lines.join("\n")
    }
}

impl Page {
    /// Puts the line with the cursor back among the others.
    fn store(&mut self) {
        let mut line = Line::default();
        for cell in &self.cells {
            line.text.push(cell.c);
            let end = line.text.len();
            match line.runs.last_mut() {
                Some(run) if run.style == cell.style => run.end = end,
                Some(_) | None => line.runs.push(Run {
                    end,
                    style: cell.style,
                }),
            }
        }
        self.changed = self.changed.min(self.row);
        if self.lines.len() <= self.row {
            self.lines.resize_with(self.row + 1, Line::default);
        }
        if let Some(known) = self.lines.get_mut(self.row) {
            *known = line;
        }
    }

    /// Moves the cursor to another row.
    fn go_to_row(&mut self, row: usize) {
        if row == self.row {
            return;
        }
        self.store();
        self.row = row;
        self.top = self.top.max(row.saturating_sub(ROWS_MOST));
        self.cells.clear();
        self.has_marks = false;
        if let Some(line) = self.lines.get(row) {
            let mut runs = line.runs.iter();
            let mut run = runs.next();
            for (at, c) in line.text.char_indices() {
                while run.is_some_and(|run| run.end <= at) {
                    run = runs.next();
                }
                let style = run.map(|run| run.style).unwrap_or_default();
                let joins = is_joined(c);
                self.has_marks |= joins;
                self.cells.push(Cell { c, style, joins });
            }
        } else {
            self.changed = self.changed.min(row);
        }
    }

    fn new_line(&mut self) {
        self.go_to_row(self.row + 1);
        self.column = 0;
    }

    /// Where the cell of a column is, marks not counted.
    fn cell_of(&self, column: usize) -> usize {
        if !self.has_marks {
            return column;
        }
        let mut left = column;
        for (index, cell) in self.cells.iter().enumerate() {
            if cell.joins {
                continue;
            }
            if left == 0 {
                return index;
            }
            left -= 1;
        }
        self.cells.len() + left
    }

    fn put(&mut self, c: char) {
        if is_joined(c) {
            let style = self.style;
            let at = self.cell_of(self.column);
            if at > 0 && at <= self.cells.len() {
                let joins = true;
                self.has_marks = true;
                self.cells.insert(at, Cell { c, style, joins });
            }
            return;
        }
        if self.column >= COLUMNS_MOST {
            self.new_line();
        }
        let cell = Cell {
            c,
            style: self.style,
            joins: false,
        };
        // Most text goes on at the end of its line.
        let at = self.cell_of(self.column);
        self.pad(at);
        match self.cells.get_mut(at) {
            Some(known) => {
                *known = cell;
                let after = at + 1;
                while self.cells.get(after).is_some_and(|cell| cell.joins) {
                    self.cells.remove(after);
                }
            }
            None => self.cells.push(cell),
        }
        self.column += 1;
    }

    /// Blanks up to a cell.
    fn pad(&mut self, to: usize) {
        let blank = Cell {
            c: ' ',
            style: Style::default(),
            joins: false,
        };
        while self.cells.len() < to {
            self.cells.push(blank);
        }
    }

    fn erase_in_line(&mut self, mode: u16) {
        let at = self.cell_of(self.column);
        match mode {
            0 => self.cells.truncate(at),
            1 => {
                let style = Style::default();
                for cell in self.cells.iter_mut().take(at + 1) {
                    *cell = Cell {
                        c: ' ',
                        style,
                        joins: false,
                    };
                }
            }
            _ => self.cells.clear(),
        }
    }

    fn erase_below(&mut self, mode: u16) {
        match mode {
            0 => {
                self.erase_in_line(0);
                self.lines.truncate(self.row + 1);
                self.changed = self.changed.min(self.row);
            }
            // A cleared screen begins below what was there, which is still worth reading.
            2 | 3 => {
                self.store();
                let end = self.lines.iter().rposition(|line| !line.text.is_empty());
                let row = end.map_or(0, |end| end + 1);
                self.lines.truncate(row);
                self.cells.clear();
                self.row = row;
                self.top = row;
                self.column = 0;
                self.changed = self.changed.min(row);
            }
            _ => {}
        }
    }

    fn move_rows(&mut self, by: isize) {
        let row = self.row.saturating_add_signed(by).max(self.top);
        // Below the end there is nothing to be drawn over.
        let end = self.lines.len().max(self.row + 1).saturating_sub(1);
        self.go_to_row(row.min(end.max(self.top)));
    }

    fn set_styles(&mut self, params: &Params) {
        let mut codes = params.iter();
        while let Some(code) = codes.next() {
            let first = code.first().copied().unwrap_or_default();
            match first {
                38 | 48 | 58 => {
                    let color = if code.len() > 1 {
                        color(code.get(1..).unwrap_or_default())
                    } else {
                        let kind = codes.next().and_then(|code| code.first().copied());
                        let count = if kind == Some(2) { 3 } else { 1 };
                        let mut values = vec![kind.unwrap_or_default()];
                        let rest = codes.by_ref().take(count);
                        values.extend(rest.filter_map(|code| code.first().copied()));
                        color(&values)
                    };
                    match (first, color) {
                        (38, Some(color)) => self.style.foreground = color,
                        (48, Some(color)) => self.style.background = color,
                        _ => {}
                    }
                }
                code => self.style = self.style.with(code),
            }
        }
    }
}

/// A color of the 256 or of all, after its introducing code.
fn color(values: &[u16]) -> Option<Color> {
    let byte = |value: &u16| u8::try_from(*value).ok();
    match values {
        [5, index, ..] => Some(Color::Indexed(byte(index)?)),
        [2, _, red, green, blue, ..] | [2, red, green, blue] => {
            Some(Color::Rgb(byte(red)?, byte(green)?, byte(blue)?))
        }
        _ => None,
    }
}

impl Style {
    /// The style after one code of `ESC [ … m`.
    fn with(mut self, code: u16) -> Self {
        let index = |base: u16| u8::try_from(code - base).unwrap_or_default();
        match code {
            0 => self = Self::default(),
            1 => self.bold = true,
            2 => self.dim = true,
            3 => self.italic = true,
            4 | 21 => self.underline = true,
            7 => self.inverse = true,
            8 => self.hidden = true,
            9 => self.strike = true,
            22 => (self.bold, self.dim) = (false, false),
            23 => self.italic = false,
            24 => self.underline = false,
            27 => self.inverse = false,
            28 => self.hidden = false,
            29 => self.strike = false,
            30..=37 => self.foreground = Color::Indexed(index(30)),
            39 => self.foreground = Color::Default,
            40..=47 => self.background = Color::Indexed(index(40)),
            49 => self.background = Color::Default,
            90..=97 => self.foreground = Color::Indexed(index(90) + 8),
            100..=107 => self.background = Color::Indexed(index(100) + 8),
            _ => {}
        }
        self
    }
}

/// A mark that belongs to the character before it.
fn is_joined(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{200D}' | '\u{20D0}'..='\u{20FF}' | '\u{3099}' | '\u{309A}' | '\u{FE00}'..='\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')
}

impl Perform for Page {
    fn print(&mut self, c: char) {
        self.put(c);
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\n' | 0x0B | 0x0C => self.new_line(),
            b'\r' => self.column = 0,
            0x08 => self.column = self.column.saturating_sub(1),
            b'\t' => {
                let column = (self.column / TAB + 1) * TAB;
                let at = self.cell_of(self.column.min(COLUMNS_MOST));
                if at >= self.cells.len() {
                    let end = self.cell_of(column.min(COLUMNS_MOST));
                    self.pad(end);
                }
                self.column = column.min(COLUMNS_MOST);
            }
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _ignore: bool, c: char) {
        if !intermediates.is_empty() {
            // Modes and questions.
            return;
        }
        let value = |at: usize| {
            let code = params.iter().nth(at).and_then(|code| code.first().copied());
            code.unwrap_or_default()
        };
        let count = usize::from(value(0).max(1));
        let rows = isize::try_from(count).unwrap_or(isize::MAX);
        match c {
            'm' => self.set_styles(params),
            'K' => self.erase_in_line(value(0)),
            'J' => self.erase_below(value(0)),
            'A' => self.move_rows(-rows),
            'B' => self.move_rows(rows),
            'C' => self.column = (self.column + count).min(COLUMNS_MOST),
            'D' => self.column = self.column.saturating_sub(count),
            'E' => {
                self.move_rows(rows);
                self.column = 0;
            }
            'F' => {
                self.move_rows(-rows);
                self.column = 0;
            }
            'G' | '`' => self.column = (count - 1).min(COLUMNS_MOST),
            'H' | 'f' => {
                let row = self.top + count - 1;
                let by = isize::try_from(row).unwrap_or(isize::MAX)
                    - isize::try_from(self.row).unwrap_or(isize::MAX);
                self.move_rows(by);
                self.column = usize::from(value(1).max(1) - 1).min(COLUMNS_MOST);
            }
            'P' => {
                let at = self.cell_of(self.column).min(self.cells.len());
                let end = (at + count).min(self.cells.len());
                self.cells.drain(at..end);
            }
            's' => self.saved = (self.row, self.column),
            'u' => {
                let (row, column) = self.saved;
                self.go_to_row(row.clamp(self.top, self.lines.len().max(self.top)));
                self.column = column;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
