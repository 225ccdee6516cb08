//! A child ends when the thread that started it ends, however that comes about. Linux only.

use nix::errno::Errno;
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::unistd::{Pid, getppid};
use tokio::process::Command;

/// Ties the child to the thread that spawns it, so that thread has to live as long as the program.
#[expect(
    unsafe_code,
    reason = "`pre_exec` runs between fork and exec; all it calls here are two system calls, which is allowed there"
)]
pub(super) fn die_with_parent(command: &mut Command) {
    let parent = Pid::this();
    let tie = move || {
        set_pdeathsig(Signal::SIGKILL)?;
        // The parent may have died before the line above; then nobody would send the signal.
        if getppid() == parent {
            Ok(())
        } else {
            Err(Errno::ESRCH.into())
        }
    };
    // SAFETY: `tie` allocates nothing, takes no lock and only calls prctl and getppid.
    unsafe {
        command.pre_exec(tie);
    }
}
