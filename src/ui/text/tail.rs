//! Tells whether a text goes on where it ended the last time, without keeping a copy of it.

/// Bytes that are mixed in at once, and how many such streams run side by side.
const WORD_BYTES: usize = 8;
const LANES: usize = 4;
const BLOCK_BYTES: usize = WORD_BYTES * LANES;

/// The length and a digest of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tail {
    length: usize,
    digest: u64,
}

/// What a text is to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    None,
    /// It begins with the text before it.
    Longer,
    Another,
}

impl Default for Tail {
    fn default() -> Self {
        Self {
            length: 0,
            digest: Digest::default().end(&[], 0),
        }
    }
}

impl Tail {
    /// The length of the text in bytes.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Takes in the text as it is now, and says what it is to the one before. Reads it once.
    pub fn follow(&mut self, text: &str) -> Change {
        let bytes = text.as_bytes();
        let mut digest = Digest::default();
        let begins = text.get(..self.length).is_some_and(|start| {
            let start = start.as_bytes();
            let rest = digest.take(start);
            digest.end(rest, start.len()) == self.digest
        });
        let change = match (begins, bytes.len() == self.length) {
            (true, true) => return Change::None,
            (true, false) => Change::Longer,
            (false, _) => Change::Another,
        };
        if change == Change::Another {
            digest = Digest::default();
        }
        let rest = digest.take(bytes.get(digest.read..).unwrap_or_default());
        self.digest = digest.end(rest, bytes.len());
        self.length = bytes.len();
        change
    }
}

/// Makes a number that another text is most unlikely to have; no defense against texts that were made to have it. It
/// reads several gigabytes a second, because every text in view is looked at in every UI frame.
#[derive(Clone, Copy)]
struct Digest {
    lanes: [u64; LANES],
    /// So many bytes are mixed in.
    read: usize,
}

impl Default for Digest {
    fn default() -> Self {
        Self {
            lanes: [0x9E37_79B9_7F4A_7C15; LANES],
            read: 0,
        }
    }
}

impl Digest {
    /// Mixes whole blocks in; what is left of the bytes.
    fn take<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let (blocks, rest) = bytes.as_chunks::<BLOCK_BYTES>();
        for block in blocks {
            let (words, _) = block.as_chunks::<WORD_BYTES>();
            for (lane, word) in self.lanes.iter_mut().zip(words) {
                *lane = mixed(*lane, u64::from_le_bytes(*word));
            }
        }
        self.read += blocks.len() * BLOCK_BYTES;
        rest
    }

    /// The number for a text of this length that ends with these bytes.
    fn end(&self, rest: &[u8], length: usize) -> u64 {
        let mut whole = length as u64;
        for rest in rest.chunks(WORD_BYTES) {
            let mut word = [0; WORD_BYTES];
            for (to, from) in word.iter_mut().zip(rest) {
                *to = *from;
            }
            whole = mixed(whole, u64::from_le_bytes(word));
        }
        self.lanes.into_iter().fold(whole, mixed)
    }
}

fn mixed(state: u64, word: u64) -> u64 {
    (state ^ word)
        .wrapping_mul(0xD6E8_FEB8_6659_FD93)
        .rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(texts: &[&str]) -> Vec<Change> {
        let mut tail = Tail::default();
        texts.iter().map(|text| tail.follow(text)).collect()
    }

    #[test]
    fn a_longer_text_goes_on_and_another_one_does_not() {
        assert_eq!(
            follow(&["", "日本", "日本語で", "日本語で", "日本語", "日本人です"]),
            [
                Change::None,
                Change::Longer,
                Change::Longer,
                Change::None,
                Change::Another,
                Change::Another
            ]
        );
    }

    #[test]
    fn it_does_not_matter_in_which_pieces_a_text_came() {
        let text = "0123456789".repeat(30);
        for size in [1, 7, 31, 32, 33, 150] {
            let mut tail = Tail::default();
            let mut end = 0;
            while end < text.len() {
                end = text.len().min(end + size);
                let start = text.get(..end).expect("ASCII");
                assert_eq!(tail.follow(start), Change::Longer, "{size} {end}");
            }
            let mut whole = Tail::default();
            whole.follow(&text);
            assert_eq!(tail, whole, "{size}");
        }
    }

    #[test]
    fn a_text_that_differs_anywhere_is_another_one() {
        let text = "0123456789".repeat(30);
        let mut tail = Tail::default();
        tail.follow(&text);
        for at in 0..text.len() {
            let mut other = text.clone();
            other.replace_range(at..=at, "x");
            assert_eq!(tail.clone().follow(&other), Change::Another, "{at}");
            other.push_str("more");
            assert_eq!(tail.clone().follow(&other), Change::Another, "{at}");
        }
    }
}
