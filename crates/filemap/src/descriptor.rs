//! File descriptors that this process was given, by their numbers.
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};

/// A duplicate of an open file descriptor: the same open file, with the same position. It is closed on
/// drop, the original stays open.
///
/// # Errors
/// `EBADF` if no file is open under this number; `EMFILE` if this process has too many open files.
pub fn duplicate(number: u32) -> io::Result<OwnedFd> {
    let bad = || io::Error::from_raw_os_error(EBADF);
    let number = i32::try_from(number).map_err(|_| bad())?;
    // SAFETY: the number is not -1, and the borrow ends with this statement, in which it is only handed to
    // fcntl(F_DUPFD_CLOEXEC): that fails with EBADF if the descriptor is not open.
    unsafe { BorrowedFd::borrow_raw(number) }.try_clone_to_owned()
}

/// No open file has this number. The value is the same on all Unix systems.
pub(crate) const EBADF: i32 = 9;

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::{Read as _, Write as _};
    use std::os::fd::AsRawFd as _;

    #[test]
    fn a_duplicate_is_the_same_open_file() {
        let (mut reader, mut writer) = io::pipe().expect("a pipe");
        let number = u32::try_from(writer.as_raw_fd()).expect("not negative");
        let mut copy = File::from(duplicate(number).expect("a duplicate"));
        copy.write_all(b"one ").expect("write");
        drop(copy);
        writer.write_all(b"two").expect("the original is still open");
        drop(writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("read");
        assert_eq!(text, "one two");
    }

    #[test]
    fn numbers_that_are_not_open_are_errors() {
        for number in [1_000_000, i32::MAX as u32, 1 << 31, u32::MAX] {
            assert_eq!(duplicate(number).expect_err("closed").raw_os_error(), Some(EBADF), "{number}");
        }
    }
}
