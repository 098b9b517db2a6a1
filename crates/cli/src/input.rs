//! Checks files before they are read, and reads text from files and streams whole, up to a limit.
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::name::{escape_path, named};

/// Returns the path if it leads to an ordinary file. Other files may never end, or make the process wait.
/// Here `-` is the name of a file.
pub(crate) fn ordinary_file(path: &Path) -> Result<PathBuf> {
    let about = std::fs::metadata(path).with_context(|| escape_path(path))?;
    ensure!(about.is_file(), "{}: not an ordinary file", escape_path(path));
    Ok(if named(path).is_some() { path.to_path_buf() } else { Path::new(".").join(path) })
}

/// Reads a file, or standard input for `-`. Fails after `limit` bytes.
#[cfg(feature = "lists")]
pub(crate) fn read_bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    match named(path) {
        None => read_to(io::stdin(), limit),
        Some(path) => read_to(File::open(path)?, limit),
    }
}

/// Reads a file as UTF-8 text. Fails if it is longer than `limit` bytes.
pub fn read_file(path: &Path, limit: u64) -> io::Result<String> {
    read_text(File::open(path)?, limit)
}

/// Reads a stream as UTF-8 text. Fails after `limit` bytes, so that an endless device or pipe does not fill the memory.
pub(crate) fn read_text(stream: impl Read, limit: u64) -> io::Result<String> {
    String::from_utf8(read_to(stream, limit)?)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "not UTF-8 text"))
}

fn read_to(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than the limit shows that there is more.
    stream.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("longer than {}", size(limit))));
    }
    Ok(bytes)
}

/// Formats a limit for messages.
fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        mebibytes => format!("{mebibytes} MiB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_up_to_the_limit_is_read() {
        for (text, limit, whole) in [("", 0, true), ("abc", 3, true), ("abc", 2, false), ("abc", 9, true)] {
            let read = read_text(text.as_bytes(), limit);
            assert_eq!(read.is_ok_and(|read| read == text), whole, "{text:?} of {limit}");
        }
        let error = read_text(io::repeat(b'0'), 2 << 20).expect_err("no end");
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::FileTooLarge, "longer than 2 MiB".into()));
        assert_eq!(read_text(&b"\xff"[..], 1).expect_err("no text").to_string(), "not UTF-8 text");
    }
}
