//! Tells whether a text goes on where it ended the last time, without keeping a copy of it.

/// Bytes that are mixed in at once, and how many such streams run side by side.
const WORD_BYTES: usize = 8;
const LANES: usize = 4;

/// The length and a digest of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tail {
    length: usize,
    digest: u64,
}

impl Default for Tail {
    fn default() -> Self {
        Self::of("")
    }
}

impl Tail {
    /// The mark of this text.
    pub fn of(text: &str) -> Self {
        Self {
            length: text.len(),
            digest: digest(text.as_bytes()),
        }
    }

    /// The length of the text in bytes.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Whether a text begins with the known one.
    pub fn goes_on_in(&self, text: &str) -> bool {
        let start = text.get(..self.length);
        start.is_some_and(|start| digest(start.as_bytes()) == self.digest)
    }

    /// Whether a text is the known one.
    pub fn is(&self, text: &str) -> bool {
        text.len() == self.length && self.goes_on_in(text)
    }
}

/// A number that another text is most unlikely to have: no defense against texts that were made to have it. It reads
/// several gigabytes a second, because every text in view is looked at in every UI frame.
fn digest(bytes: &[u8]) -> u64 {
    let mut lanes = [0x9E37_79B9_7F4A_7C15_u64; LANES];
    let mut blocks = bytes.chunks_exact(WORD_BYTES * LANES);
    for block in &mut blocks {
        for (lane, word) in lanes.iter_mut().zip(block.chunks_exact(WORD_BYTES)) {
            *lane = mixed(*lane, word);
        }
    }
    let mut whole = bytes.len() as u64;
    for rest in blocks.remainder().chunks(WORD_BYTES) {
        let mut word = [0; WORD_BYTES];
        for (to, from) in word.iter_mut().zip(rest) {
            *to = *from;
        }
        whole = mixed(whole, &word);
    }
    lanes
        .into_iter()
        .fold(whole, |whole, lane| mixed(whole, &lane.to_le_bytes()))
}

fn mixed(state: u64, word: &[u8]) -> u64 {
    let word = word.try_into().map_or(0, u64::from_le_bytes);
    (state ^ word)
        .wrapping_mul(0xD6E8_FEB8_6659_FD93)
        .rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_text_goes_on_and_another_one_does_not() {
        let tail = Tail::of("日本語");
        assert!(tail.is("日本語") && tail.goes_on_in("日本語で"));
        assert!(!tail.goes_on_in("日本") && !tail.goes_on_in("日本人です") && !tail.is("日本語で"));
        assert!(Tail::default().goes_on_in("anything"));
        let long = "x".repeat(1_000) + "é";
        assert!(Tail::of(&long).goes_on_in(&(long.clone() + "y")));
    }

    #[test]
    fn a_text_that_differs_anywhere_is_another_one() {
        let text = "0123456789".repeat(30);
        let tail = Tail::of(&text);
        for at in 0..text.len() {
            let mut other = text.clone();
            other.replace_range(at..=at, "x");
            assert!(
                !tail.is(&other) && !tail.goes_on_in(&(other + "more")),
                "{at}"
            );
        }
    }
}
