//! Many measurements of one thing, in a few figures.

use std::time::Duration;

/// Costs of single frames.
pub(crate) struct Spread(Vec<Duration>);

impl Spread {
    /// Of so many frames.
    pub(crate) fn of(frames: usize, mut frame: impl FnMut(usize) -> Duration) -> Self {
        let mut costs: Vec<_> = (0..frames).map(&mut frame).collect();
        costs.sort_unstable();
        Self(costs)
    }

    /// In milliseconds: what so many of a hundred frames stay below.
    pub(crate) fn percentile(&self, hundredth: usize) -> f64 {
        let last = self.0.len().saturating_sub(1);
        let at = last * hundredth / 100;
        self.0.get(at).map_or(0.0, |cost| millis(*cost))
    }

    /// In seconds.
    pub(crate) fn sum(&self) -> f64 {
        self.0.iter().sum::<Duration>().as_secs_f64()
    }

    /// A row of a table: what was measured, then p50, p95 and the most, in milliseconds.
    pub(crate) fn row(&self, what: &str) {
        let [half, most_of_all, most] = [50, 95, 100].map(|part| self.percentile(part));
        println!("| {what} | {half:.3} | {most_of_all:.3} | {most:.3} |");
    }
}

pub(crate) fn head() {
    println!("| frames of | p50 ms | p95 ms | most ms |");
    println!("|---|---|---|---|");
}

pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
