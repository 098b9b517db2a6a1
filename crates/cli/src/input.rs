//! Text read whole from files and streams, up to a limit.
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The text of a file, at most `limit` bytes.
pub fn read_file(path: &Path, limit: u64) -> io::Result<String> {
    read_text(File::open(path)?, limit)
}

/// All text of a stream, at most `limit` bytes: a device or a pipe that never ends is given up after as many.
pub(crate) fn read_text(stream: impl Read, limit: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    stream.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("longer than {}", size(limit))));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "not UTF-8 text"))
}

/// A limit as messages show it.
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
