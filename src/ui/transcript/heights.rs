//! The heights of all rows, so that the row at a place is found without walking over the others.

use crate::core::growth;

/// Heights with their sums: a Fenwick tree. Changing one, finding a place and adding one all cost the logarithm of
/// their number.
#[derive(Debug, Clone, Default)]
pub struct Heights {
    values: Vec<f32>,
    /// At `i - 1`: the sum of the `i & -i` values that end with number `i`, counted from 1.
    sums: Vec<f64>,
}

impl Heights {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The height of a row; 0 when there is no such row.
    pub fn get(&self, row: usize) -> f32 {
        self.values.get(row).copied().unwrap_or_default()
    }

    /// Adds a row at the end.
    pub fn push(&mut self, height: f32) {
        let height = rounded(height);
        growth::push(&mut self.values, height);
        let number = self.values.len();
        let first = number - lowest_bit(number);
        let sum = f64::from(height) + self.before(number - 1) - self.before(first);
        growth::push(&mut self.sums, sum);
    }

    /// Gives a row another height.
    pub fn set(&mut self, row: usize, height: f32) {
        let height = rounded(height);
        let Some(value) = self.values.get_mut(row) else {
            return;
        };
        let change = f64::from(height) - f64::from(*value);
        *value = height;
        let mut number = row + 1;
        while let Some(sum) = self.sums.get_mut(number - 1) {
            *sum += change;
            number += lowest_bit(number);
        }
    }

    /// The height of all rows before this one.
    pub fn before(&self, row: usize) -> f64 {
        let mut number = row.min(self.values.len());
        let mut total = 0.0;
        while number > 0 {
            total += self.sums.get(number - 1).copied().unwrap_or_default();
            number -= lowest_bit(number);
        }
        total
    }

    /// The height of all rows.
    pub fn total(&self) -> f64 {
        self.before(self.values.len())
    }

    /// The row at a distance from the top; the last one when it is beyond all.
    pub fn at(&self, distance: f64) -> usize {
        let row = self.descend(|sum| sum <= distance.max(0.0));
        row.min(self.values.len().saturating_sub(1))
    }

    /// The next row that has a height.
    pub fn next(&self, row: usize) -> Option<usize> {
        let end = self.before(row + 1);
        let next = self.descend(|sum| sum <= end);
        (next > row && next < self.values.len()).then_some(next)
    }

    /// The row before this one that has a height.
    pub fn previous(&self, row: usize) -> Option<usize> {
        let start = self.before(row);
        (start > 0.0).then(|| self.descend(|sum| sum < start))
    }

    /// The most rows from the start whose sum satisfies a condition that larger sums don't.
    fn descend(&self, holds: impl Fn(f64) -> bool) -> usize {
        let mut row = 0;
        let mut total = 0.0;
        let mut step = self
            .values
            .len()
            .checked_next_power_of_two()
            .unwrap_or_default();
        while step > 0 {
            if let Some(sum) = self.sums.get(row + step - 1)
                && holds(total + sum)
            {
                total += sum;
                row += step;
            }
            step /= 2;
        }
        row
    }
}

/// Parts of a pixel that add up without an error.
fn rounded(height: f32) -> f32 {
    (height.clamp(0.0, 1e7) * 64.0).round() / 64.0
}

fn lowest_bit(number: usize) -> usize {
    number & number.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn heights(values: &[f32]) -> Heights {
        let mut heights = Heights::default();
        for value in values {
            heights.push(*value);
        }
        heights
    }

    #[test]
    fn places_and_rows() {
        let heights = heights(&[10.0, 0.0, 20.0, 0.0, 0.0, 5.0]);
        assert!((heights.total() - 35.0).abs() < 1e-9);
        for (distance, row) in [
            (-5.0, 0),
            (0.0, 0),
            (9.9, 0),
            (10.0, 2),
            (29.9, 2),
            (30.0, 5),
            (99.0, 5),
        ] {
            assert_eq!(heights.at(distance), row, "{distance}");
        }
        assert_eq!(
            (heights.next(0), heights.next(2), heights.next(5)),
            (Some(2), Some(5), None)
        );
        assert_eq!(
            (
                heights.previous(5),
                heights.previous(2),
                heights.previous(0)
            ),
            (Some(2), Some(0), None)
        );
        assert_eq!(heights.previous(6), Some(5));
    }

    #[test]
    fn nothing_is_nowhere() {
        let heights = Heights::default();
        assert_eq!(
            (heights.at(3.0), heights.next(0), heights.previous(0)),
            (0, None, None)
        );
    }

    proptest! {
        #[test]
        fn sums_are_the_sums_of_the_heights(
            values in prop::collection::vec(0_u16..2_000, 1..80),
            changes in prop::collection::vec((any::<prop::sample::Index>(), 0_u16..2_000), 0..40),
        ) {
            let mut values: Vec<f32> = values.into_iter().map(f32::from).collect();
            let mut heights = heights(&values);
            for (index, value) in changes {
                let row = index.index(values.len());
                values[row] = f32::from(value);
                heights.set(row, f32::from(value));
            }
            let mut sum = 0.0;
            for (row, value) in values.iter().enumerate() {
                prop_assert!((heights.before(row) - sum).abs() < 1e-9);
                if *value > 0.0 {
                    prop_assert_eq!(heights.at(sum), row);
                    prop_assert_eq!(heights.at(sum + f64::from(*value) - 0.01), row);
                }
                let next = (row + 1..values.len()).find(|next| values[*next] > 0.0);
                prop_assert_eq!(heights.next(row), next);
                let previous = (0..row).rev().find(|before| values[*before] > 0.0);
                prop_assert_eq!(heights.previous(row), previous);
                sum += f64::from(*value);
            }
            prop_assert!((heights.total() - sum).abs() < 1e-9);
        }
    }
}
