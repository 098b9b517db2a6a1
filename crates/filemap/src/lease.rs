//! Read leases: by them the kernel tells a reader whether anybody has the file open for writing.
//!
//! While a read lease is held, no descriptor and no shared map of the file is open for writing, because the lease is refused
//! as long as one is, and whoever opens the file for writing (or truncates it) breaks the lease first. Linux has leases, for
//! the owner of a file and for processes with CAP_LEASE, on file systems that support them (fcntl(2), "Leases").
//!
//! On Windows a second handle that shares no writing serves the same purpose: it is refused while the file is open for
//! writing, and as long as it is held, whoever opens the file for writing is refused. A program that maps the file
//! and has closed it goes unnoticed.
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
/// On Linux, whoever opens the file for writing waits until then, and at most as long as the system says (/proc/sys/fs/lease-break-time,
/// 45 seconds). So ask [`is_held`](Lease::is_held) often, and drop a lease that is not.
#[derive(Debug)]
pub struct Lease<'f> {
    file: &'f File,
    /// What holds the lease, unless the file itself does.
    _holder: system::Holder,
}

impl<'f> Lease<'f> {
    /// Takes a read lease on a file that is open for reading only.
    ///
    /// A broken lease does not disturb the process. The signal for it is set to SIGURG, which is ignored by
    /// default, instead of SIGIO, which ends a process.
    ///
    /// # Errors
    /// If the file is open for writing, or leases cannot be had.
    pub fn read(file: &'f File) -> Result<Self, NoLease> {
        system::take(file).map(|holder| Self { file, _holder: holder })
    }

    /// Whether nobody has opened the file for writing since the lease was taken.
    #[must_use]
    pub fn is_held(&self) -> bool {
        system::is_held(self.file)
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        // Released here, not when the file is closed: a process forked by another thread may keep it open.
        system::release(self.file);
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

    pub(super) type Holder = ();

    pub(super) fn take(file: &File) -> Result<Holder, NoLease> {
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

#[cfg(windows)]
mod system {
    use super::NoLease;
    use crate::windows::deny_writers;
    use std::fs::File;
    use std::io;

    pub(super) type Holder = File;

    pub(super) fn take(file: &File) -> Result<Holder, NoLease> {
        deny_writers(file).map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => NoLease::Writer,
            _ => NoLease::Unavailable(error),
        })
    }

    pub(super) fn is_held(_: &File) -> bool {
        true
    }

    // The handle is closed after this.
    pub(super) fn release(_: &File) {}
}

#[cfg(not(any(target_os = "linux", target_os = "android", windows)))]
mod system {
    use super::NoLease;
    use std::fs::File;
    use std::io;

    pub(super) type Holder = ();

    pub(super) fn take(_: &File) -> Result<Holder, NoLease> {
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

#[cfg(all(test, windows))]
mod tests {
    use super::*;
    use std::fs::OpenOptions;
    use std::io::Read as _;

    #[test]
    fn it_and_writers_refuse_each_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("f");
        std::fs::write(&path, "contents").expect("write");
        let writing = || OpenOptions::new().write(true).open(&path);
        let file = File::open(&path).expect("open");
        let writer = writing().expect("nobody minds");
        assert!(matches!(Lease::read(&file), Err(NoLease::Writer)));
        drop(writer);
        let lease = Lease::read(&file).expect("a lease");
        assert_eq!(writing().expect_err("refused").raw_os_error(), Some(32));
        assert!(lease.is_held());
        let again = File::open(&path).expect("readers do not mind");
        assert!(Lease::read(&again).is_ok());
        let mut text = String::new();
        (&file).read_to_string(&mut text).expect("read");
        assert_eq!(text, "contents");
        drop(lease);
        writing().expect("released");
    }
}
