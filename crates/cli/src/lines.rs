//! Tags and digests in lines that other programs print and read.
use clap::ValueEnum;

use crate::name::hex;

/// Formats of lines. Tags in them are keyed: only the forms are those of the programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LineFormat {
    /// TAG, two spaces and NAME, as `sha256sum` prints them.
    Sha256sum,
    /// ALGORITHM (NAME) = TAG, as `sha256sum --tag` and the BSDs print them.
    Bsd,
    /// TAG, two spaces and NAME, as `b3sum` prints them.
    B3,
}

impl LineFormat {
    /// Returns the line of a file, with its end. A name with a backslash or an end of line is escaped, and then the line
    /// begins with a backslash.
    pub(crate) fn line(self, algorithm: &str, name: &[u8], tag: &[u8]) -> Vec<u8> {
        // b3sum reads no escape for CR.
        let has_escape = |byte: &u8| matches!(byte, b'\\' | b'\n') || (*byte == b'\r' && self != Self::B3);
        let escaped = name.iter().any(has_escape);
        let mut line = if escaped { b"\\".to_vec() } else { Vec::new() };
        if self == Self::Bsd {
            line.extend_from_slice(format!("{algorithm} (").as_bytes());
        } else {
            line.extend_from_slice(format!("{}  ", hex(tag)).as_bytes());
        }
        for byte in name {
            match byte {
                b'\\' => line.extend_from_slice(b"\\\\"),
                b'\n' => line.extend_from_slice(b"\\n"),
                b'\r' if self != Self::B3 => line.extend_from_slice(b"\\r"),
                byte => line.push(*byte),
            }
        }
        if self == Self::Bsd {
            line.extend_from_slice(format!(") = {}", hex(tag)).as_bytes());
        }
        line.push(b'\n');
        line
    }
}
