//! Names of Windows as bytes. They are 16-bit units that need not be well-formed UTF-16, and become WTF-8: UTF-8 in which
//! a lone surrogate has three bytes, as if it were a character. Each name so has one form, and is restored exactly.

/// Encodes units as WTF-8, with slashes for backslashes.
pub(super) fn to_bytes(units: impl IntoIterator<Item = u16>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for unit in char::decode_utf16(units) {
        match unit {
            Ok('\\') => bytes.push(b'/'),
            Ok(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(error) => {
                let unit = error.unpaired_surrogate();
                let six = |shift: u16| 0x80 | (unit >> shift & 0x3f) as u8;
                bytes.extend([0xe0 | (unit >> 12) as u8, six(6), six(0)]);
            }
        }
    }
    bytes
}

/// Decodes WTF-8. `None` for other bytes, also for two surrogates that are a pair: their name has another form.
pub(super) fn from_bytes(bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(chunk) = rest.utf8_chunks().next() {
        units.extend(chunk.valid().encode_utf16());
        rest = &rest[chunk.valid().len()..];
        if let [0xed, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, after @ ..] = rest {
            units.push(0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f));
            rest = after;
        } else if !rest.is_empty() {
            return None;
        }
    }
    // Encoding the result again proves that no second text stands for the same name. Backslashes are compared as they are.
    let same = to_bytes(units.iter().map(|unit| if *unit == BACKSLASH { SLASH } else { *unit }));
    let text = bytes.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte });
    text.eq(same).then_some(units)
}

const BACKSLASH: u16 = b'\\' as u16;
const SLASH: u16 = b'/' as u16;

/// Decodes one component of a name. `None` if no file can have it: a colon would name a stream of another file, and a
/// backslash would separate two components.
pub(super) fn component(bytes: &[u8]) -> Option<Vec<u16>> {
    let strange = |byte: &u8| matches!(byte, 0 | b'\\' | b'/' | b':');
    if bytes.is_empty() || bytes.iter().any(strange) { None } else { from_bytes(bytes) }
}

/// Returns the target of a symbolic link or junction, as manifests have it, from the data of its reparse point. `None` for
/// other reparse points.
pub(super) fn target(data: &[u8]) -> Option<Vec<u8>> {
    const SYMLINK: u32 = 0xa000_000c;
    const JUNCTION: u32 = 0xa000_0003;
    /// Links that the Linux subsystem makes. Their targets are bytes, after a version.
    const LINUX: u32 = 0xa000_001d;
    let half = |at: usize| Some(usize::from(u16::from_le_bytes(data.get(at..at + 2)?.try_into().ok()?)));
    let tag = u32::from_le_bytes(data.get(..4)?.try_into().ok()?);
    let text = match tag {
        // Four numbers, for a symbolic link also flags.
        SYMLINK => 20,
        JUNCTION => 16,
        LINUX => return Some(data.get(12..8 + half(4)?)?.to_vec()),
        _ => return None,
    };
    // The name that the system follows, not that for display.
    let (offset, length) = (half(8)?, half(10)?);
    let (units, _) = data.get(text + offset..text + offset + length)?.as_chunks::<2>();
    let bytes = to_bytes(units.iter().map(|unit| u16::from_le_bytes(*unit)));
    // Absolute targets begin with \??\, which no path of a user has.
    Some(match bytes.strip_prefix(b"/??/UNC/") {
        Some(server) => [b"//", server].concat(),
        None => bytes.strip_prefix(b"/??/").unwrap_or(&bytes).to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back() {
        let samples =
            [0x61, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff];
        for a in samples {
            for b in samples {
                for c in samples {
                    let units = [a, b, c];
                    let bytes = to_bytes(units);
                    assert_eq!(from_bytes(&bytes).as_deref(), Some(&units[..]), "{units:x?}");
                }
            }
        }
        assert_eq!(to_bytes([0x61, 0xd800, 0x5c, 0xdc00]), b"a\xed\xa0\x80/\xed\xb0\x80");
        assert_eq!(to_bytes("ž\u{1f980}".encode_utf16()), "ž\u{1f980}".as_bytes());
    }

    #[test]
    fn bytes_that_are_no_name_are_refused() {
        for bytes in [
            &b"\xff"[..],
            b"a\xc3",
            b"\xed\xa0",
            b"\xed\xa0\x80\xed\xb0\x80",
            b"\xc0\x80",
            b"\xf4\x90\x80\x80",
            b"\xed\x9f\xff",
        ] {
            assert_eq!(from_bytes(bytes), None, "{bytes:x?}");
        }
        for bytes in [&b""[..], b"a\\b", b"a:b", b"a\0", b"a/b", b"\xff"] {
            assert_eq!(component(bytes), None, "{bytes:x?}");
        }
        assert_eq!(component(b"CON. "), Some("CON. ".encode_utf16().collect()));
    }

    /// The data of a reparse point with this tag, name, and bytes of flags.
    fn reparse(tag: u32, name: &str, flags: usize) -> Vec<u8> {
        let text: Vec<u8> = format!("x{name}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        let length = text.len() as u16;
        let mut data = tag.to_le_bytes().to_vec();
        data.extend((8 + flags as u16 + length).to_le_bytes());
        data.extend([0, 0]);
        // The name for display is the `x` before the other.
        [2, length - 2, 0, 2].iter().for_each(|half: &u16| data.extend(half.to_le_bytes()));
        data.resize(data.len() + flags, 0);
        data.extend(text);
        data
    }

    #[test]
    fn targets_of_links_are_read() {
        for (tag, flags, name, expected) in [
            (0xa000_000c, 4, r"..\a\b", "../a/b"),
            (0xa000_000c, 4, r"\??\C:\a", "C:/a"),
            (0xa000_000c, 4, r"\??\UNC\server\share", "//server/share"),
            (0xa000_0003, 0, r"\??\C:\a\", "C:/a/"),
        ] {
            let data = reparse(tag, name, flags);
            assert_eq!(target(&data).as_deref(), Some(expected.as_bytes()), "{name}");
            for length in 0..data.len() {
                assert_eq!(target(&data[..length]), None, "{name}: {length}");
            }
        }
        assert_eq!(target(b"\x1d\0\0\xa0\x08\0\0\0\x02\0\0\0a\\b\xff").as_deref(), Some(&b"a\\b\xff"[..]));
        assert_eq!(target(&reparse(0x8000_0017, "a", 0)), None);
    }
}
