//! Lists that grow as long as their session lives.

/// Adds an item at the end. When the list is full it grows by a quarter: to double it would leave a long session with
/// megabytes of nothing.
pub fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        list.reserve_exact(64 + list.len() / 4);
    }
    list.push(item);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_has_little_room_that_is_not_used() {
        let mut list = Vec::new();
        for number in 0..100_000 {
            push(&mut list, number);
            assert!(list.capacity() <= list.len() + 64 + list.len() / 4);
        }
        assert!(list.iter().copied().eq(0..100_000));
    }
}
