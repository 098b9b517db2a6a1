//! File names as text. Escapes make any sequence of bytes fit into one line, and are undone exactly.
use std::borrow::Cow;
use std::path::Path;

use serde::Serialize;

/// Message for a text that [`unescape`] refuses.
pub(crate) const BAD_ESCAPE: &str = "a malformed, needless or missing escape";

/// Appends a name. Escapes every byte that would break the line or hide something from a reader.
///
/// A backslash becomes `\\`, a newline `\n`. Other control, invisible or direction-changing characters and
/// bytes that are not UTF-8 become `\xNN`, byte by byte. [`unescape`] is the exact inverse.
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

/// Returns the folder of a path: the current one, `.`, for a name alone.
pub(crate) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns the escaped name as a new string.
pub(crate) fn escape(name: &[u8]) -> String {
    let mut out = String::with_capacity(name.len());
    escape_to(&mut out, name);
    out
}

/// Returns a path as error messages show it, escaped.
pub fn escape_path(path: &Path) -> String {
    escape(path.as_os_str().as_encoded_bytes())
}

/// Returns an input as error messages show it, with words for `-`.
pub(crate) fn escape_input(path: &Path) -> String {
    named(path).map_or_else(|| "standard input".to_owned(), escape_path)
}

/// Returns the path, or `None` for `-`, which stands for standard input or output.
pub fn named(path: &Path) -> Option<&Path> {
    (path.as_os_str() != "-").then_some(path)
}

/// Escapes control and invisible characters of a message. Everything else, backslashes included, stays as it is.
pub fn printable(message: &str) -> String {
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

/// Decodes an escaped name; most names need no copy. `None` unless `text` is exactly what [`escape`] prints:
/// needless, malformed and missing escapes are refused.
pub(crate) fn unescape(text: &str) -> Option<Cow<'_, [u8]>> {
    // The common case borrows: names of printable ASCII characters stand for themselves.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'\\') {
        return Some(Cow::Borrowed(text.as_bytes()));
    }
    let bytes = unescape_any(text)?;
    // Escaping the result again proves that no second text stands for the same name.
    (escape(&bytes) == text).then_some(Cow::Owned(bytes))
}

/// Decodes an escaped name, and accepts needless escapes too.
fn unescape_any(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        // Number of characters after the backslash that belong to this escape.
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

/// Returns the bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        push_hex(&mut out, *byte);
    }
    out
}

/// Decodes exactly `N` bytes from lower-case hexadecimal digits. `None` for any other text.
pub fn unhex<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    let mut out = [0; N];
    unhex_into(text, &mut out)?;
    Some(out)
}

/// Decodes hexadecimal digits to `out`, without a further copy, as for keys. Otherwise like [`unhex`].
/// Variable time: it stops at a wrong digit.
pub(crate) fn unhex_into(text: &[u8], out: &mut [u8]) -> Option<()> {
    if text.len() != 2 * out.len() {
        return None;
    }
    for (byte, pair) in out.iter_mut().zip(text.chunks_exact(2)) {
        *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
    }
    Some(())
}

/// Parses a decimal number. Refuses signs and leading zeros, so that each number has one form.
pub(crate) fn decimal(text: &str) -> Option<u64> {
    let canonical = text == "0" || text.starts_with(|first| matches!(first, '1'..='9'));
    text.parse().ok().filter(|_| canonical)
}

/// Appends a number in at least `width` decimal digits, at most 20. It takes a third of the time of `write!`.
pub(crate) fn push_decimal(out: &mut String, mut number: u64, width: usize) {
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    while number > 0 || digits.len() - first < width {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    digits[first..].iter().for_each(|digit| out.push(char::from(*digit)));
}

/// Formats a value as a line of JSON. Misleading characters become `\uNNNN`, so that they affect
/// no terminal and no reader.
pub fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let line = serde_json::to_string(value)?;
    if !line.chars().any(misleading) {
        return Ok(line);
    }
    // serde_json has escaped ASCII control characters. Others occur in strings only, where `\u` is valid.
    let mut out = String::with_capacity(line.len() + 16);
    for c in line.chars() {
        if misleading(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    Ok(out)
}

/// Returns whether a character could mislead a reader. These are control characters, line separators, and
/// characters that are invisible or reverse the direction of text.
///
/// The ranges are Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt, version 16), U+2028,
/// U+2029, and U+FFF9 to U+FFFB, further format characters without a glyph.
fn misleading(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

fn hex_escape(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        out.push_str("\\x");
        push_hex(out, *byte);
    }
}

/// Appends two digits. Keys are written by it, so it computes the digits: an index into a table would be an
/// address that depends on them.
fn push_hex(out: &mut String, byte: u8) {
    for digit in [byte >> 4, byte & 15] {
        // 9 - digit borrows for 10 to 15, and only then the distance from '9' + 1 to 'a' is added.
        let letter = 9_u8.wrapping_sub(digit) >> 7;
        out.push(char::from(b'0' + digit + letter * (b'a' - b'9' - 1)));
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

    /// One character of each range is escaped; their neighbours on both sides are not.
    #[test]
    fn invisible_characters_are_escaped() {
        let hidden = "\u{ad}\u{34f}\u{61c}\u{115f}\u{17b4}\u{180e}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{2028}\u{202a}\u{202e}\
                      \u{2060}\u{2066}\u{2069}\u{206f}\u{3164}\u{fe00}\u{fe0f}\u{feff}\u{ffa0}\u{fff9}\u{1bca0}\u{1d173}\u{e0001}\u{e0020}";
        for c in hidden.chars() {
            let name = format!("a{c}b");
            let text = escape(name.as_bytes());
            assert!(text.is_ascii() && printable(&name).is_ascii(), "{c:?}");
            assert_eq!(unescape(&text).as_deref(), Some(name.as_bytes()));
            let line = json(&name).expect("a string");
            assert!(line.is_ascii() && line.contains("\\u"), "{line}");
            assert_eq!(serde_json::from_str::<String>(&line).ok(), Some(name));
        }
        let shown = "¬ ® ̈ ؛ ᄀ ឳ ᠐ ‐ ‧ ⁰ ㅣ ｡ 𝅘𝅥 猫 kůň";
        assert_eq!(escape(shown.as_bytes()), shown);
        assert_eq!(json(&shown).ok(), Some(format!("\"{shown}\"")));
    }

    #[test]
    fn malformed_escapes_are_refused() {
        for text in ["\\", "a\\q", "\\x", "\\x1", "\\xgg", "\\xAB", "\\x1é"] {
            assert_eq!(unescape(text), None, "{text}");
        }
    }

    #[test]
    fn only_what_escape_prints_is_read() {
        // A needless escape, of one byte or of a whole character; another form of a needed one; a missing
        // one.
        for text in ["\\x41", "\\xc3\\xa9", "\\x0a", "\\x5c", "a\tb", "a\nb", "a\r", "\u{200b}", "é\u{ad}"] {
            assert_eq!(unescape(text), None, "{text:?}");
        }
        for (text, bytes) in
            [("é", "é".as_bytes()), ("\\xc3", b"\xc3"), ("\\xc3é", b"\xc3\xc3\xa9"), ("\\x7f", b"\x7f")]
        {
            assert_eq!(unescape(text).as_deref(), Some(bytes), "{text}");
        }
    }

    #[test]
    fn decimals_are_those_of_the_standard_library() {
        for number in [0, 9, 10, 123_456_789, 1_000_000_000, u64::MAX] {
            let mut out = String::new();
            push_decimal(&mut out, number, 1);
            assert_eq!((out.as_str(), decimal(&out)), (number.to_string().as_str(), Some(number)));
            push_decimal(&mut out, number, 9);
            assert_eq!(out, format!("{number}{number:09}"));
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
