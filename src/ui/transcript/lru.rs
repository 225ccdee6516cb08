//! What is kept because it was expensive to make, up to a limit; what was not used for longest goes first.

use std::collections::BTreeMap;

/// Values by key, each with its cost. Dropping any of them changes nothing but time.
#[derive(Debug)]
pub struct Kept<K, V> {
    entries: BTreeMap<K, Entry<V>>,
    cost: usize,
    cost_most: usize,
    frame: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    cost: usize,
    used_in: u64,
}

impl<K: Ord + Clone, V> Kept<K, V> {
    /// Nothing, with a limit of what all values together may cost.
    pub fn with_limit(cost_most: usize) -> Self {
        Self {
            entries: BTreeMap::new(),
            cost: 0,
            cost_most,
            frame: 1,
        }
    }

    /// The value of a key, made if it is not there.
    pub fn get(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let frame = self.frame;
        let entry = self.entries.entry(key).or_insert_with(|| Entry {
            value: make(),
            cost: 0,
            used_in: 0,
        });
        entry.used_in = frame;
        &mut entry.value
    }

    /// The value of a key if it is there.
    pub fn peek(&self, key: &K) -> Option<&V> {
        self.entries.get(key).map(|entry| &entry.value)
    }

    /// Says what a value costs by now.
    pub fn set_cost(&mut self, key: &K, cost: usize) {
        if let Some(entry) = self.entries.get_mut(key) {
            self.cost = self.cost + cost - entry.cost;
            entry.cost = cost;
        }
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Ends a UI frame: forgets down to half of the limit once it is exceeded, but nothing of this frame.
    pub fn end_frame(&mut self) {
        let frame = self.frame;
        self.frame += 1;
        if self.cost <= self.cost_most {
            return;
        }
        let mut oldest: Vec<(u64, K)> = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.used_in < frame)
            .map(|(key, entry)| (entry.used_in, key.clone()))
            .collect();
        oldest.sort_by_key(|(used_in, _)| *used_in);
        for (_, key) in oldest {
            if self.cost <= self.cost_most / 2 {
                break;
            }
            if let Some(entry) = self.entries.remove(&key) {
                self.cost -= entry.cost;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_unused_go_first_and_what_is_in_use_stays() {
        let mut kept = Kept::with_limit(10);
        for key in 0..6 {
            kept.get(key, || key);
            kept.set_cost(&key, 2);
            kept.end_frame();
        }
        assert_eq!(
            (0..6)
                .filter(|key| kept.peek(key).is_some())
                .collect::<Vec<_>>(),
            [4, 5]
        );
        for key in 6..20 {
            kept.get(key, || key);
            kept.set_cost(&key, 2);
        }
        kept.end_frame();
        assert_eq!(kept.len(), 14);
    }
}
