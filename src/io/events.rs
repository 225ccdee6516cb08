//! The bounded way of events to the window. What is full makes the sender wait, and with it the agent.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit, TryAcquireError};

use crate::core::event::Event;

/// How much may wait, in units; an event takes one, and one more for each [`BYTES_PER_UNIT`].
const ROOM: u32 = 4096;
const BYTES_PER_UNIT: usize = 4096;

/// Called after events were put into the channel.
pub(super) type Wake = Box<dyn Fn() + Send + Sync>;

/// An event with the room that it takes.
#[derive(Debug)]
pub(super) struct Parcel {
    event: Event,
    units: u32,
    frame: Option<u64>,
}

impl Parcel {
    /// `bytes` is what came in for it, roughly.
    pub(super) fn new(event: Event, bytes: usize) -> Self {
        let units = u32::try_from(bytes / BYTES_PER_UNIT)
            .unwrap_or(ROOM)
            .saturating_add(1)
            .min(ROOM);
        Self {
            event,
            units,
            frame: None,
        }
    }

    /// The number of the frame that the event came from.
    pub(super) fn of_frame(mut self, frame: Option<u64>) -> Self {
        self.frame = frame;
        self
    }
}

/// The end of the agents.
#[derive(Clone)]
pub(super) struct EventSender {
    queue: mpsc::Sender<Parcel>,
    shared: Arc<Shared>,
}

/// The end of the window.
pub(super) struct EventReceiver {
    queue: mpsc::Receiver<Parcel>,
    shared: Arc<Shared>,
    /// Of the event that was taken out last.
    last_frame: Cell<Option<u64>>,
}

struct Shared {
    room: Semaphore,
    /// The receiver was woken and has not emptied the channel since.
    is_awake: AtomicBool,
    wake: Wake,
}

/// A channel for events.
pub(super) fn channel(wake: Wake) -> (EventSender, EventReceiver) {
    let (sender, receiver) = mpsc::channel();
    let shared = Arc::new(Shared {
        room: Semaphore::new(ROOM as usize),
        is_awake: AtomicBool::new(false),
        wake,
    });
    let ends = Arc::clone(&shared);
    (
        EventSender {
            queue: sender,
            shared,
        },
        EventReceiver {
            queue: receiver,
            shared: ends,
            last_frame: Cell::new(None),
        },
    )
}

impl EventSender {
    /// Puts the first events in as far as there is room, and wakes the receiver once. How many it were.
    pub(super) fn send_first(&self, waiting: &mut VecDeque<Parcel>) -> usize {
        let mut sent = 0;
        while let Some(first) = waiting.front() {
            let permit = self.shared.room.try_acquire_many(first.units);
            if matches!(permit, Err(TryAcquireError::NoPermits)) {
                break;
            }
            if let (Some(parcel), Ok(permit)) = (waiting.pop_front(), permit) {
                self.put(permit, parcel);
            }
            sent += 1;
        }
        if sent > 0 {
            self.wake();
        }
        sent
    }

    /// Waits until there is room for a parcel. Nothing is lost when the wait is given up.
    pub(super) async fn room_for(&self, parcel: &Parcel) {
        if let Ok(permit) = self.shared.room.acquire_many(parcel.units).await {
            drop(permit);
        }
    }

    /// Puts an event in, as soon as there is room, and wakes the receiver.
    pub(super) async fn send(&self, event: Event) {
        self.send_parcel(Parcel::new(event, 0)).await;
    }

    /// The same for an event with its size.
    pub(super) async fn send_parcel(&self, parcel: Parcel) {
        if let Ok(permit) = self.shared.room.acquire_many(parcel.units).await {
            self.put(permit, parcel);
            self.wake();
        }
    }

    /// Wakes the receiver if it does not know yet that there is something.
    fn wake(&self) {
        if !self.shared.is_awake.swap(true, Ordering::AcqRel) {
            (self.shared.wake)();
        }
    }

    /// From now on events are dropped and nobody waits.
    pub(super) fn close(&self) {
        self.shared.room.close();
    }

    fn put(&self, permit: SemaphorePermit<'_>, parcel: Parcel) {
        permit.forget();
        // It fails when the receiver is gone, and then nobody wants the event.
        drop(self.queue.send(parcel));
    }
}

impl EventReceiver {
    /// The next event, if there is one. After `None` the next event calls `wake`.
    pub(super) fn try_next(&self) -> Option<Event> {
        if let Ok(parcel) = self.queue.try_recv() {
            return Some(self.take(parcel));
        }
        self.shared.is_awake.store(false, Ordering::Release);
        // What was put in before the line above did not wake anybody.
        let parcel = self.queue.try_recv().ok()?;
        Some(self.take(parcel))
    }

    /// The next event, waiting for it at most this long.
    pub(super) fn next(&self, timeout: Duration) -> Option<Event> {
        if let Some(event) = self.try_next() {
            return Some(event);
        }
        let parcel = self.queue.recv_timeout(timeout).ok()?;
        Some(self.take(parcel))
    }

    /// The number of the frame that the last event came from.
    pub(super) fn last_frame(&self) -> Option<u64> {
        self.last_frame.get()
    }

    fn take(&self, parcel: Parcel) -> Event {
        self.last_frame.set(parcel.frame);
        self.shared.room.add_permits(parcel.units as usize);
        parcel.event
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    fn counted() -> (EventSender, EventReceiver, Arc<AtomicUsize>) {
        let count = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&count);
        let (sender, receiver) = channel(Box::new(move || {
            counter.fetch_add(1, Ordering::SeqCst);
        }));
        (sender, receiver, count)
    }

    fn send(sender: &EventSender, count: usize, bytes: usize) -> usize {
        let mut waiting: VecDeque<_> = (0..count)
            .map(|_| Parcel::new(Event::Tick, bytes))
            .collect();
        let sent = sender.send_first(&mut waiting);
        assert_eq!(waiting.len(), count - sent);
        sent
    }

    #[test]
    fn a_batch_wakes_once() {
        let (sender, receiver, count) = counted();
        assert_eq!(send(&sender, 5, 0), 5);
        assert_eq!(send(&sender, 5, 0), 5);
        assert_eq!(count.load(Ordering::SeqCst), 1);
        while receiver.try_next().is_some() {}
        assert_eq!(send(&sender, 1, 0), 1);
        assert_eq!(count.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn what_is_full_takes_nothing_until_something_is_taken_out() {
        let (sender, receiver, _) = counted();
        assert_eq!(send(&sender, 10_000, 0), ROOM as usize);
        assert_eq!(receiver.try_next(), Some(Event::Tick));
        assert_eq!(send(&sender, 2, 0), 1);
    }

    #[test]
    fn the_largest_event_fits_alone() {
        let (sender, receiver, _) = counted();
        assert_eq!(send(&sender, 1, usize::MAX), 1);
        assert_eq!(send(&sender, 1, 0), 0);
        assert_eq!(receiver.try_next(), Some(Event::Tick));
        assert_eq!(send(&sender, 1, 0), 1);
    }

    #[test]
    fn nobody_waits_for_a_closed_channel() {
        let (sender, receiver, _) = counted();
        sender.close();
        assert_eq!(send(&sender, 2, usize::MAX), 2);
        assert_eq!(receiver.try_next(), None);
    }
}
