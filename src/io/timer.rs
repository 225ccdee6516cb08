//! Wake-ups at a time of day.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;

use crate::core::event::Event;
use crate::core::time::Timestamp;
use crate::io::clock;
use crate::io::events::EventSender;

/// The clock is looked at anew after this time: it may be set, or stand still while the machine sleeps.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);

/// The wake-ups that are asked for and have not come.
#[derive(Debug, Default)]
struct Pending(BTreeSet<Timestamp>);

impl Pending {
    /// How long until the soonest.
    fn sleep(&self, now: Timestamp) -> Option<Duration> {
        let soonest = self.0.first()?;
        Some(Duration::from_millis(soonest.millis_since(now)).min(LONGEST_SLEEP))
    }

    /// Takes out those that are due. Whether there were any.
    fn take_due(&mut self, now: Timestamp) -> bool {
        let later = self.0.split_off(&now.plus_millis(1));
        let due = std::mem::replace(&mut self.0, later);
        !due.is_empty()
    }
}

/// Sends a tick at each time that comes in.
pub(super) async fn run(mut wanted: UnboundedReceiver<Timestamp>, events: EventSender) {
    let mut pending = Pending::default();
    loop {
        let sleep = pending.sleep(clock::now());
        tokio::select! {
            at = wanted.recv() => match at {
                Some(at) => {
                    pending.0.insert(at);
                }
                None => return,
            },
            () = tokio::time::sleep(sleep.unwrap_or_default()), if sleep.is_some() => {
                if pending.take_due(clock::now()) {
                    events.send(Event::Tick).await;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soonest_counts_and_none_is_lost() {
        let mut pending = Pending::default();
        assert_eq!(pending.sleep(Timestamp(0)), None);
        pending
            .0
            .extend([Timestamp(300), Timestamp(100), Timestamp(200)]);
        assert_eq!(
            pending.sleep(Timestamp(40)),
            Some(Duration::from_millis(60))
        );
        assert!(!pending.take_due(Timestamp(99)));
        assert!(pending.take_due(Timestamp(200)));
        assert_eq!(
            pending.sleep(Timestamp(200)),
            Some(Duration::from_millis(100))
        );
        assert!(pending.take_due(Timestamp(301)));
        assert_eq!(pending.sleep(Timestamp(301)), None);
    }

    #[test]
    fn what_is_late_is_due_and_what_is_far_is_looked_at_again() {
        let mut pending = Pending::default();
        pending.0.insert(Timestamp(1_000_000));
        assert_eq!(pending.sleep(Timestamp(0)), Some(LONGEST_SLEEP));
        assert_eq!(pending.sleep(Timestamp(2_000_000)), Some(Duration::ZERO));
        assert!(pending.take_due(Timestamp(2_000_000)));
    }
}
