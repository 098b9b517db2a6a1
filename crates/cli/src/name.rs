//! File names as text: escaped so that any sequence of bytes fits in one line, and back.

/// Appends the name with every byte escaped that would break a line or hide something from a reader.
///
/// A backslash becomes `\\`, a newline `\n`, every other control or direction-changing character and every byte
/// that is not UTF-8 becomes `\xNN`, byte by byte. [`unescape`] undoes it exactly.
pub(crate) fn escape_to(out: &mut String, name: &[u8]) {
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                c if misleading(c) => hex_escape(out, c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => out.push(c),
            }
        }
        hex_escape(out, chunk.invalid());
    }
}

/// The escaped name as a string of its own.
pub(crate) fn escape(name: &[u8]) -> String {
    let mut out = String::with_capacity(name.len());
    escape_to(&mut out, name);
    out
}

/// A message with control characters escaped and everything else, backslashes too, as it is.
pub(crate) fn printable(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    for c in message.chars() {
        if misleading(c) {
            hex_escape(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes());
        } else {
            out.push(c);
        }
    }
    out
}

/// The bytes that an escaped name stands for; `None` if an escape is malformed.
pub(crate) fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        let used = match escape.as_bytes() {
            [b'\\', ..] => {
                out.push(b'\\');
                1
            }
            [b'n', ..] => {
                out.push(b'\n');
                1
            }
            [b'x', high, low, ..] => {
                out.push(nibble(*high)? << 4 | nibble(*low)?);
                3
            }
            _ => return None,
        };
        rest = &escape[used..];
    }
    out.extend_from_slice(rest.as_bytes());
    Some(out)
}

/// Lower-case hexadecimal digits of the bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        push_hex(&mut out, *byte);
    }
    out
}

/// The bytes that lower-case hexadecimal digits stand for; `None` if there are more or fewer than `N` bytes, or
/// anything else than lower-case digits.
pub(crate) fn unhex<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    if text.len() != 2 * N {
        return None;
    }
    let mut out = [0; N];
    for (byte, pair) in out.iter_mut().zip(text.chunks_exact(2)) {
        *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
    }
    Some(out)
}

/// Control characters, separators of lines, and the characters that reverse the direction of writing.
fn misleading(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn hex_escape(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        out.push_str("\\x");
        push_hex(out, *byte);
    }
}

fn push_hex(out: &mut String, byte: u8) {
    for digit in [byte >> 4, byte & 15] {
        out.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_bytes_comes_back_and_stays_in_one_line() {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let name = [b'x', a, b, b'.'];
                let text = escape(&name);
                assert!(!text.chars().any(misleading), "{text:?}");
                assert_eq!(unescape(&text).as_deref(), Some(&name[..]));
            }
        }
    }

    #[test]
    fn text_in_other_scripts_stays_readable() {
        assert_eq!(escape("žluťoučký kůň 猫".as_bytes()), "žluťoučký kůň 猫");
        assert_eq!(escape("a\u{202e}b".as_bytes()), "a\\xe2\\x80\\xaeb");
        assert_eq!(escape(b"a\xff\n\\"), "a\\xff\\n\\\\");
    }

    #[test]
    fn malformed_escapes_are_refused() {
        for text in ["\\", "a\\q", "\\x", "\\x1", "\\xgg", "\\xAB", "\\x1é"] {
            assert_eq!(unescape(text), None, "{text}");
        }
    }

    #[test]
    fn hexadecimal_is_strict() {
        assert_eq!(unhex::<2>(b"0aff"), Some([0x0a, 0xff]));
        for text in [&b"0aFf"[..], b"0af", b"0aff0", b"0ag0", b""] {
            assert_eq!(unhex::<2>(text), None);
        }
        assert_eq!(hex(&[0x0a, 0xff]), "0aff");
    }
}
