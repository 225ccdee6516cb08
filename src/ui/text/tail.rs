//! Tells whether a text goes on where it ended the last time, without keeping a copy of it.

/// How much of its end is compared, in bytes.
const COMPARED_BYTES: usize = 64;

/// The length and the end of a text.
#[derive(Debug, Clone, Default)]
pub struct Tail {
    length: usize,
    end: String,
}

impl Tail {
    /// The end of this text.
    pub fn of(text: &str) -> Self {
        let start = text.floor_char_boundary(text.len().saturating_sub(COMPARED_BYTES));
        Self {
            length: text.len(),
            end: text.get(start..).unwrap_or_default().to_owned(),
        }
    }

    /// The length of the text in bytes.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Whether a text begins with the known one, as far as its end tells.
    pub fn goes_on_in(&self, text: &str) -> bool {
        text.get(self.length - self.end.len()..self.length) == Some(&self.end)
    }

    /// Whether a text is the known one.
    pub fn is(&self, text: &str) -> bool {
        text.len() == self.length && self.goes_on_in(text)
    }
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
}
