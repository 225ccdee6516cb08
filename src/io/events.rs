//! The bounded way of events to the window. What is full makes the sender wait, and with it the agent.

use std::cell::{Cell, RefCell};
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

/// Events that were put in at once, and are counted at once: each would cost as much alone as all of them.
#[derive(Debug, Default)]
struct Batch {
    parcels: VecDeque<Parcel>,
    /// The room that they take together, until the last of them is taken out.
    units: u32,
}

/// The end of the agents.
#[derive(Clone)]
pub(super) struct EventSender {
    queue: mpsc::Sender<Batch>,
    shared: Arc<Shared>,
}

/// The end of the window.
pub(super) struct EventReceiver {
    queue: mpsc::Receiver<Batch>,
    shared: Arc<Shared>,
    /// What is being taken out.
    batch: RefCell<Batch>,
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
            batch: RefCell::default(),
            last_frame: Cell::new(None),
        },
    )
}

impl EventSender {
    /// Puts the first events in as far as there is room, and wakes the receiver once. How many it were.
    pub(super) fn send_first(&self, waiting: &mut VecDeque<Parcel>) -> usize {
        let room = self.shared.room.available_permits();
        let (mut count, mut units) = (0, 0);
        for parcel in &*waiting {
            let with_it = u32::saturating_add(units, parcel.units);
            if with_it as usize > room && !self.shared.room.is_closed() {
                break;
            }
            (count, units) = (count + 1, with_it);
        }
        if count == 0 {
            return 0;
        }
        // Only this thread takes room, so what was there is there. A closed channel drops what is put in.
        match self.shared.room.try_acquire_many(units) {
            Ok(permit) => {
                let parcels = if count == waiting.len() {
                    std::mem::take(waiting)
                } else {
                    waiting.drain(..count).collect()
                };
                self.put(permit, Batch { parcels, units });
                self.wake();
            }
            Err(TryAcquireError::Closed) => drop(waiting.drain(..count)),
            Err(TryAcquireError::NoPermits) => count = 0,
        }
        count
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
            let units = parcel.units;
            let parcels = VecDeque::from([parcel]);
            self.put(permit, Batch { parcels, units });
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

    fn put(&self, permit: SemaphorePermit<'_>, batch: Batch) {
        permit.forget();
        // It fails when the receiver is gone, and then nobody wants the events.
        drop(self.queue.send(batch));
    }
}

impl EventReceiver {
    /// The next event, if there is one. After `None` the next event calls `wake`.
    pub(super) fn try_next(&self) -> Option<Event> {
        self.next_of_batch().or_else(|| {
            if let Ok(batch) = self.queue.try_recv() {
                return self.begin(batch);
            }
            self.shared.is_awake.store(false, Ordering::Release);
            // What was put in before the line above did not wake anybody.
            self.begin(self.queue.try_recv().ok()?)
        })
    }

    /// The next event, waiting for it at most this long.
    pub(super) fn next(&self, timeout: Duration) -> Option<Event> {
        self.try_next()
            .or_else(|| self.begin(self.queue.recv_timeout(timeout).ok()?))
    }

    /// The number of the frame that the last event came from.
    pub(super) fn last_frame(&self) -> Option<u64> {
        self.last_frame.get()
    }

    fn begin(&self, batch: Batch) -> Option<Event> {
        self.batch.replace(batch);
        self.next_of_batch()
    }

    /// The next event of the batch. With the last one its room is free again.
    fn next_of_batch(&self) -> Option<Event> {
        let mut batch = self.batch.borrow_mut();
        let parcel = batch.parcels.pop_front()?;
        if batch.parcels.is_empty() {
            self.shared.room.add_permits(batch.units as usize);
        }
        self.last_frame.set(parcel.frame);
        Some(parcel.event)
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
        let first = 10;
        assert_eq!(send(&sender, first, 0), first);
        assert_eq!(send(&sender, 10_000, 0), ROOM as usize - first);
        for _ in 0..first {
            assert_eq!(send(&sender, 1, 0), 0);
            assert_eq!(receiver.try_next(), Some(Event::Tick));
        }
        assert_eq!(send(&sender, 100, 0), first);
    }

    #[test]
    fn events_come_out_in_order_and_with_their_frames() {
        let (sender, receiver, _) = counted();
        for batch in [0..3_u64, 3..4, 4..10] {
            let parcel = |number| Parcel::new(Event::Tick, 0).of_frame(Some(number));
            let mut waiting: VecDeque<_> = batch.map(parcel).collect();
            let all = waiting.len();
            assert_eq!(sender.send_first(&mut waiting), all);
        }
        for number in 0..10 {
            assert_eq!(receiver.next(Duration::ZERO), Some(Event::Tick));
            assert_eq!(receiver.last_frame(), Some(number));
        }
        assert_eq!(receiver.next(Duration::ZERO), None);
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
