//! CPU time of this thread: what a busy machine does beside it does not count.

use std::time::Duration;

/// The CPU time that this thread has used.
#[cfg(unix)]
pub(crate) fn thread_cpu() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    #[expect(unsafe_code, reason = "the standard library has no clock of CPU time")]
    // SAFETY: the pointer is to a live value of the type that the call fills.
    unsafe {
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time);
    }
    Duration::new(
        time.tv_sec.unsigned_abs(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}

/// Wall time where there is no such clock.
#[cfg(not(unix))]
pub(crate) fn thread_cpu() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// What `work` costs in CPU time.
pub(crate) fn cost_of(work: impl FnOnce()) -> Duration {
    let before = thread_cpu();
    work();
    thread_cpu().saturating_sub(before)
}
