//! Read leases: by them the kernel tells a reader whether anybody has the file open for writing.
//!
//! While a read lease is held, no descriptor and no shared map of the file is open for writing, because the lease is refused
//! as long as one is, and whoever opens the file for writing (or truncates it) breaks the lease first. Linux has leases, for
//! the owner of a file and for processes with CAP_LEASE, on file systems that support them (fcntl(2), "Leases").
use std::fs::File;
use std::io;

/// The reason why there is no lease.
#[derive(Debug)]
pub enum NoLease {
    /// The file is open for writing. Network file systems also say this of files on which the server has
    /// granted this computer no lease, whoever has them open.
    Writer,
    /// Leases are not for this process, this file system or this operating system, for the reason given.
    Unavailable(io::Error),
}

/// A read lease, which is released on drop.
///
/// Whoever opens the file for writing waits until then, and at most as long as the system says (/proc/sys/fs/lease-break-time,
/// 45 seconds). So ask [`is_held`](Lease::is_held) often, and drop a lease that is not.
#[derive(Debug)]
pub struct Lease<'f>(&'f File);

impl<'f> Lease<'f> {
    /// Takes a read lease on a file that is open for reading only.
    ///
    /// A broken lease does not disturb the process. The signal for it is set to SIGURG, which is ignored by
    /// default, instead of SIGIO, which ends a process.
    ///
    /// # Errors
    /// If the file is open for writing, or leases cannot be had.
    pub fn read(file: &'f File) -> Result<Self, NoLease> {
        system::take(file).map(|()| Self(file))
    }

    /// Whether nobody has opened the file for writing since the lease was taken.
    #[must_use]
    pub fn is_held(&self) -> bool {
        system::is_held(self.0)
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        // Released here, not when the file is closed: a process forked by another thread may keep it open.
        system::release(self.0);
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    use super::NoLease;
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd as _;

    /// The operation of `fcntl` that sets the signal for events of a descriptor. Its number is the same on
    /// all processors for which Rust has a standard library.
    const F_SETSIG: libc::c_int = 10;

    /// `fcntl` with an operation whose argument is a number, or which has none and ignores it.
    fn control(file: &File, operation: libc::c_int, argument: libc::c_int) -> io::Result<libc::c_int> {
        // SAFETY: the descriptor is open as long as the file is borrowed, and the three operations that call this take a
        // number or nothing, so that the kernel follows no pointer.
        match unsafe { libc::fcntl(file.as_raw_fd(), operation, argument) } {
            -1 => Err(io::Error::last_os_error()),
            value => Ok(value),
        }
    }

    pub(super) fn take(file: &File) -> Result<(), NoLease> {
        // Before there is a lease, since it may be broken at once.
        control(file, F_SETSIG, libc::SIGURG).map_err(NoLease::Unavailable)?;
        control(file, libc::F_SETLEASE, libc::F_RDLCK).map(|_| ()).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => NoLease::Writer,
            _ => NoLease::Unavailable(error),
        })
    }

    pub(super) fn is_held(file: &File) -> bool {
        // While a lease is being broken, the kernel returns the kind that it is to become, F_UNLCK.
        control(file, libc::F_GETLEASE, 0).is_ok_and(|kind| kind == libc::F_RDLCK)
    }

    pub(super) fn release(file: &File) {
        // If the system has taken the lease away meanwhile, there is nothing to release.
        let _ = control(file, libc::F_SETLEASE, libc::F_UNLCK);
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod system {
    use super::NoLease;
    use std::fs::File;
    use std::io;

    pub(super) fn take(_: &File) -> Result<(), NoLease> {
        Err(NoLease::Unavailable(io::ErrorKind::Unsupported.into()))
    }

    pub(super) fn is_held(_: &File) -> bool {
        false
    }

    pub(super) fn release(_: &File) {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs::OpenOptions;
    use std::io::Write as _;
    use std::path::Path;
    use std::thread;
    use std::time::{Duration, Instant};

    fn with_file(test: impl FnOnce(&Path)) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("f");
        std::fs::write(&path, "contents").expect("write");
        test(&path);
    }

    fn writer(path: &Path) -> File {
        OpenOptions::new().read(true).write(true).open(path).expect("open")
    }

    #[test]
    fn there_is_none_while_the_file_is_open_for_writing() {
        with_file(|path| {
            let file = File::open(path).expect("open");
            let other = writer(path);
            assert!(matches!(Lease::read(&file), Err(NoLease::Writer)));
            // SAFETY: nobody shortens the file.
            let map = unsafe { memmap2::MmapMut::map_mut(&other) }.expect("map");
            drop(other);
            assert!(matches!(Lease::read(&file), Err(NoLease::Writer)), "a shared map alone");
            drop(map);
            assert!(Lease::read(&file).expect("a lease").is_held());
            let again = File::open(path).expect("open");
            let two = (Lease::read(&file).expect("one"), Lease::read(&again).expect("another"));
            assert!(two.0.is_held() && two.1.is_held(), "readers do not disturb each other");
        });
    }

    /// The process survives, and the writer waits no longer than for the end of the lease.
    #[test]
    fn whoever_opens_the_file_for_writing_breaks_it() {
        with_file(|path| {
            let file = File::open(path).expect("open");
            let lease = Lease::read(&file).expect("a lease");
            let start = Instant::now();
            thread::scope(|scope| {
                let writing = scope.spawn(|| writer(path).write_all(b"other"));
                while lease.is_held() {
                    assert!(start.elapsed() < Duration::from_secs(30), "the lease is not broken");
                    thread::sleep(Duration::from_millis(1));
                }
                assert!(!writing.is_finished(), "the writer does not wait");
                assert_eq!(std::fs::read(path).expect("read"), b"contents");
                drop(lease);
                writing.join().expect("no panic").expect("write");
            });
            assert!(start.elapsed() < Duration::from_secs(30), "the writer waits for long");
            assert_eq!(std::fs::read(path).expect("read"), b"othernts");
        });
    }

    #[test]
    fn folders_and_pipes_have_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = File::open(folder.path()).expect("open");
        assert!(matches!(Lease::read(&file), Err(NoLease::Unavailable(_))));
    }
}
