//! Finding in a transcript: every block is searched, a slice of them in each UI frame, and again when it changes.

pub mod unit_text;
pub mod units;

use std::ops::Range;

use crate::core::ids::BlockId;
use crate::core::transcript::Block;
use crate::ui::text::finding::Spot;
use crate::ui::text::query::{Options, Query};
use crate::ui::transcript::find::units::Searched;
use crate::ui::transcript::rows::Direction;

/// How much is searched in one UI frame, in bytes: a few milliseconds of work.
pub const SLICE_BYTES: usize = 150_000;
/// What a block costs beyond its text.
const BLOCK_COST: usize = 200;

/// What is searched for in a transcript, and what was found so far.
#[derive(Debug, Default)]
pub struct Find {
    pub is_open: bool,
    /// What the person typed.
    pub text: String,
    pub options: Options,
    query: Option<Query>,
    /// The rows with matches, in order.
    hits: Vec<Hit>,
    /// The first row that is still to be searched.
    next: usize,
    /// The transcript's revision up to which changes were seen.
    revision: u64,
    current: Option<Current>,
    /// The row from which the first match is wanted.
    wanted_from: Option<usize>,
    pub seek: Seek,
    pub keyboard: Keyboard,
    /// The input method has not decided yet what the text is.
    pub is_composing: bool,
}

/// Where the keyboard is to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keyboard {
    #[default]
    Stays,
    ToField,
    ToDraft,
}

/// A row with matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hit {
    row: usize,
    count: usize,
    /// Matches in rows before this one.
    before: usize,
}

/// The match that was gone to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Current {
    row: usize,
    /// Which one of its row, counted from 0.
    nth: usize,
    spot: Spot,
}

/// What has to be done to have the current match in view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Seek {
    #[default]
    Nothing,
    /// It may be in view already.
    Look,
    /// It is scrolled to; so many more UI frames may do that.
    Scroll(u8),
}

impl Find {
    /// Opens the field with what was typed last.
    pub fn open(&mut self) {
        self.is_open = true;
        self.keyboard = Keyboard::ToField;
    }

    /// Closes the field; nothing is marked any more.
    pub fn close(&mut self) {
        self.is_open = false;
        self.keyboard = Keyboard::ToDraft;
        self.forget();
    }

    /// Whether the keyboard is to go there now; it is asked once.
    pub fn takes_keyboard(&mut self, to: Keyboard) -> bool {
        let is_wanted = self.keyboard == to;
        if is_wanted {
            self.keyboard = Keyboard::Stays;
        }
        is_wanted
    }

    /// What is marked, while the field is open.
    pub fn query(&self) -> Option<&Query> {
        self.query.as_ref().filter(|_| self.is_open)
    }

    /// The match that was gone to, and its block.
    pub fn current(&self) -> Option<(BlockId, &Spot)> {
        let current = self.current.as_ref().filter(|_| self.is_open)?;
        Some((BlockId(current.row as u64), &current.spot))
    }

    /// The number of the current match, counted from 1.
    pub fn number(&self) -> Option<usize> {
        let current = self.current.as_ref()?;
        let hit = self.hits.get(self.hit_of(current.row).ok()?)?;
        Some(hit.before + current.nth + 1)
    }

    /// Whether there are matches in these rows.
    pub fn is_found(&self, rows: Range<usize>) -> bool {
        let at = self.hits.partition_point(|hit| hit.row < rows.start);
        self.is_open && self.hits.get(at).is_some_and(|hit| hit.row < rows.end)
    }

    /// How many matches were found so far.
    pub fn total(&self) -> usize {
        self.hits.last().map_or(0, |hit| hit.before + hit.count)
    }

    /// Whether every row was searched.
    pub fn is_finished(&self, rows: usize) -> bool {
        self.query.is_none() || self.next >= rows
    }

    /// Takes in what was typed. The first match from `row` on is wanted, else the last one before it.
    pub fn set_text(&mut self, row: usize) {
        let query = Query::new(&self.text, self.options);
        if query == self.query {
            return;
        }
        self.forget();
        self.query = query;
        self.wanted_from = Some(row);
    }

    /// Searches what has changed and the next rows, up to `SLICE_BYTES`. `compared` are blocks of whose changes more is
    /// known by now.
    pub fn update(&mut self, searched: Searched<'_>, compared: &[BlockId]) {
        let Some(query) = self.query.clone().filter(|_| self.is_open) else {
            return;
        };
        let transcript = searched.session.transcript();
        if transcript.blocks().len() < self.next {
            self.next = 0;
            self.hits.clear();
        }
        self.look_again(&query, searched, compared);
        let mut cost = 0;
        while let Some(block) = transcript.blocks().get(self.next)
            && cost < SLICE_BYTES
        {
            let (count, read) = count(&query, searched, block);
            self.note(self.next, count);
            self.next += 1;
            cost += read + BLOCK_COST;
        }
        self.choose_first(searched);
    }

    /// Goes to the next match or the one before; after the last one comes the first.
    pub fn go(&mut self, direction: Direction, searched: Searched<'_>) {
        let (Some(first), Some(last)) = (self.hits.first(), self.hits.last()) else {
            return;
        };
        let (first, last) = ((first.row, 0), (last.row, last.count - 1));
        let to = match (&self.current, direction) {
            (None, Direction::Forward) => first,
            (None, Direction::Back) => last,
            (Some(current), _) => {
                let at = self.hit_of(current.row);
                let here = at.ok().and_then(|at| self.hits.get(at));
                let after = at.map_or_else(|at| at, |at| at + 1);
                let before = at.unwrap_or_else(|at| at).checked_sub(1);
                match direction {
                    Direction::Forward if here.is_some_and(|h| current.nth + 1 < h.count) => {
                        (current.row, current.nth + 1)
                    }
                    Direction::Forward => self.hits.get(after).map_or(first, |hit| (hit.row, 0)),
                    Direction::Back if here.is_some() && current.nth > 0 => {
                        (current.row, current.nth - 1)
                    }
                    Direction::Back => before
                        .and_then(|before| self.hits.get(before))
                        .map_or(last, |hit| (hit.row, hit.count - 1)),
                }
            }
        };
        self.wanted_from = None;
        self.go_to(to, searched);
    }

    fn forget(&mut self) {
        *self = Self {
            is_open: self.is_open,
            text: std::mem::take(&mut self.text),
            options: self.options,
            keyboard: self.keyboard,
            is_composing: self.is_composing,
            ..Self::default()
        };
    }

    /// Counts again in the rows that changed since the last time.
    fn look_again(&mut self, query: &Query, searched: Searched<'_>, compared: &[BlockId]) {
        let transcript = searched.session.transcript();
        let known = std::mem::replace(&mut self.revision, transcript.revision());
        let is_same = known == 0 || known == transcript.revision();
        if is_same && compared.is_empty() {
            return;
        }
        let since = if is_same { self.revision } else { known };
        let Some(ids) = transcript.changed_since(since) else {
            // Too much has changed to know what.
            self.next = 0;
            self.hits.clear();
            return;
        };
        let mut rows: Vec<usize> = ids
            .chain(compared.iter().copied())
            .filter_map(|id| usize::try_from(id.0).ok())
            .filter(|row| *row < self.next)
            .collect();
        rows.sort_unstable();
        rows.dedup();
        for row in rows {
            if let Some(block) = transcript.blocks().get(row) {
                let (count, _) = count(query, searched, block);
                self.note(row, count);
            }
        }
        if let Some(current) = &self.current {
            let at = (current.row, current.nth);
            let spot = spot(query, searched, at);
            self.current = spot.map(|spot| Current {
                row: at.0,
                nth: at.1,
                spot,
            });
        }
    }

    /// Notes how many matches a row has.
    fn note(&mut self, row: usize, count: usize) {
        let at = match (self.hit_of(row), count) {
            (Ok(at), 0) => {
                self.hits.remove(at);
                at
            }
            (Err(_), 0) => return,
            (Ok(at), _) => {
                if let Some(hit) = self.hits.get_mut(at) {
                    hit.count = count;
                }
                at
            }
            (Err(at), _) => {
                let hit = Hit {
                    row,
                    count,
                    before: 0,
                };
                self.hits.insert(at, hit);
                at
            }
        };
        let previous = at.checked_sub(1).and_then(|at| self.hits.get(at));
        let mut before = previous.map_or(0, |hit| hit.before + hit.count);
        for hit in self.hits.iter_mut().skip(at) {
            hit.before = before;
            before += hit.count;
        }
    }

    fn choose_first(&mut self, searched: Searched<'_>) {
        let Some(from) = self.wanted_from else { return };
        let at = self.hits.partition_point(|hit| hit.row < from);
        let rows = searched.session.transcript().blocks().len();
        let to = match self.hits.get(at) {
            Some(hit) => Some((hit.row, 0)),
            None if self.is_finished(rows) => self.hits.last().map(|hit| (hit.row, hit.count - 1)),
            None => return,
        };
        self.wanted_from = None;
        if let Some(to) = to {
            self.go_to(to, searched);
        }
    }

    fn go_to(&mut self, (row, nth): (usize, usize), searched: Searched<'_>) {
        let Some(query) = self.query.clone() else {
            return;
        };
        let (mut nth, mut spot) = (nth, self::spot(&query, searched, (row, nth)));
        if spot.is_none()
            && let Some(block) = searched.session.transcript().blocks().get(row)
        {
            // What was compared when it was counted is forgotten by now.
            let (count, _) = count(&query, searched, block);
            self.note(row, count);
            nth = count.saturating_sub(1);
            spot = self::spot(&query, searched, (row, nth));
        }
        self.current = spot.map(|spot| Current { row, nth, spot });
        self.seek = Seek::Look;
    }

    fn hit_of(&self, row: usize) -> Result<usize, usize> {
        self.hits.binary_search_by_key(&row, |hit| hit.row)
    }
}

/// The number of matches in a block, and what it cost to count them.
fn count(query: &Query, searched: Searched<'_>, block: &Block) -> (usize, usize) {
    let mut count = 0;
    let cost = searched.each_unit(block, |_, text| count += query.count(text));
    (count, cost)
}

/// Where a match stands in its block.
fn spot(query: &Query, searched: Searched<'_>, (row, nth): (usize, usize)) -> Option<Spot> {
    let block = searched.session.transcript().blocks().get(row)?;
    let (mut left, mut spot) = (nth, None);
    searched.each_unit(block, |unit, text| {
        if spot.is_some() {
            return;
        }
        let found = query.find(text);
        match found.get(left) {
            Some(range) => {
                let range = range.clone();
                spot = Some(Spot { unit, range });
            }
            None => left -= found.len(),
        }
    });
    spot
}
