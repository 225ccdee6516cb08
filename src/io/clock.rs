//! The time of day.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::core::time::Timestamp;

/// The point in time that is now, in milliseconds since the Unix epoch.
#[expect(
    clippy::disallowed_methods,
    reason = "this is where the clock is read; all others are given the time"
)]
pub fn now() -> Timestamp {
    let since_epoch = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX))
}
