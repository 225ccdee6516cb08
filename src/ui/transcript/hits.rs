//! What a search printed, by file: lines like `path:12:text`, or paths alone.

/// Rows that show before all are wanted.
const ROWS_FIRST: usize = 12;
/// Files and lines beyond this are not read; the output shows all.
const LINES_MOST: usize = 2_000;

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hits {
    pub files: Vec<FileHits>,
    pub count: usize,
    /// Lines that name no file.
    pub others: usize,
}

/// A file with those of its lines that show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownFile<'a> {
    pub path: &'a str,
    pub lines: &'a [HitLine],
}

/// What was found in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHits {
    pub path: String,
    /// Empty where only the file was found.
    pub lines: Vec<HitLine>,
}

/// A line that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitLine {
    /// Counted from 1.
    pub number: u32,
    pub text: String,
    /// The line of the output it stands in, counted from 0.
    pub at: usize,
}

impl Hits {
    /// `None` when the text is no list of files and lines.
    pub fn of(text: &str) -> Option<Self> {
        let mut hits = Self::default();
        for (at, line) in text.lines().enumerate().take(LINES_MOST) {
            let line = line.trim_end();
            if line.is_empty() || line == "--" {
                continue;
            }
            if let Some((path, number, text)) = place(line) {
                let hit = HitLine {
                    number,
                    text: text.to_owned(),
                    at,
                };
                hits.file(path).lines.push(hit);
                hits.count += 1;
            } else if is_path(line) {
                hits.file(line);
                hits.count += 1;
            } else {
                hits.others += 1;
            }
        }
        // A heading like "Found 3 files" may stand among them.
        (hits.count > 0 && hits.others <= 1 + hits.count / 10).then_some(hits)
    }

    /// How many rows all files and lines take.
    pub fn rows(&self) -> usize {
        let rows = self.files.iter().map(|file| 1 + file.lines.len());
        rows.sum()
    }

    /// Whether there is more than what shows at first.
    pub fn has_more(&self) -> bool {
        self.rows() > ROWS_FIRST
    }

    /// The files with their lines that show, at first or in all, numbered from 1.
    pub fn first(&self, is_whole: bool) -> impl Iterator<Item = (usize, ShownFile<'_>)> {
        let mut left = if is_whole { usize::MAX } else { ROWS_FIRST };
        self.files
            .iter()
            .enumerate()
            .map_while(move |(index, file)| {
                left = left.checked_sub(1)?;
                let shown = file.lines.len().min(left);
                left -= shown;
                let shown = ShownFile {
                    path: &file.path,
                    lines: file.lines.get(..shown)?,
                };
                Some((index + 1, shown))
            })
    }

    fn file(&mut self, path: &str) -> &mut FileHits {
        let at = self.files.iter().rposition(|file| file.path == path);
        let at = at.unwrap_or_else(|| {
            self.files.push(FileHits {
                path: path.to_owned(),
                lines: Vec::new(),
            });
            self.files.len() - 1
        });
        #[expect(clippy::indexing_slicing, reason = "it was just found or pushed")]
        &mut self.files[at]
    }
}

/// `path:12:text`, `path:12-text`, `path:12`.
fn place(line: &str) -> Option<(&str, u32, &str)> {
    // The colon of a drive comes before the one that ends the path.
    let from = usize::from(line.as_bytes().get(1) == Some(&b':')) * 2;
    let end = from + line.get(from..)?.find(':')?;
    let (path, rest) = (line.get(..end)?, line.get(end + 1..)?);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest.get(..digits)?.parse().ok()?;
    let text = rest.get(digits..)?;
    let text = match text.chars().next() {
        None => "",
        Some(':' | '-') => text.get(1..)?,
        Some(_) => return None,
    };
    is_path(path).then_some((path, number, text))
}

/// Whether a line is a path and nothing else, as far as its look tells.
fn is_path(line: &str) -> bool {
    let has_mark = line.contains('/') || line.contains('\\') || line.contains('.');
    let is_plain = !line.contains(['\t', '*', '"', '<', '>', '|'])
        && !line.ends_with([':', '.', ','])
        && !line.contains("  ");
    has_mark && is_plain && line.len() < 400 && line.split(' ').count() <= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_put_to_their_files() {
        let text = "Found 3 matches\nsrc/a.rs:12:fn main() {\nsrc/b.rs:3: x: y\nsrc/a.rs:40:}\n";
        let hits = Hits::of(text).expect("hits");
        assert_eq!((hits.count, hits.others), (3, 1));
        let files: Vec<(&str, Vec<u32>)> = hits
            .files
            .iter()
            .map(|file| {
                let lines = file.lines.iter().map(|line| line.number);
                (file.path.as_str(), lines.collect())
            })
            .collect();
        assert_eq!(files, [("src/a.rs", vec![12, 40]), ("src/b.rs", vec![3])]);
        assert_eq!(hits.files[0].lines[1].at, 3);
        assert_eq!(hits.files[1].lines[0].text, " x: y");
    }

    #[test]
    fn paths_alone_are_files() {
        let hits = Hits::of("/home/me/a.rs\n/home/me/b c.rs\n").expect("hits");
        assert_eq!(hits.files.len(), 2);
        let hits = Hits::of("C:\\a\\b.rs:7:x\n").expect("hits");
        assert_eq!(hits.files[0].path, "C:\\a\\b.rs");
    }

    #[test]
    fn prose_is_no_list() {
        for text in [
            "",
            "No matches found",
            "The file is there.\nIt says: hello.\nAnd a third line.",
            "12:30:00 started\nall is well\nnothing else",
        ] {
            assert_eq!(Hits::of(text), None, "{text}");
        }
    }
}
