//! Reads lists of `sha256sum`, `b3sum`, their BSD forms, and `hashdeep`.
use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};

use crate::name::{escape, unhex};

/// What a list says of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    /// Length in bytes, where the list has it.
    pub(crate) size: Option<u64>,
    pub(crate) digest: Digest,
}

/// The digest of a file, in as much as the list tells which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Digest {
    Sha256([u8; 32]),
    Blake3([u8; 32]),
    /// Either of them: `sha256sum` and `b3sum` print the same lines.
    Either([u8; 32]),
}

/// The first line of the lists of hashdeep.
const HASHDEEP: &[u8] = b"%%%% HASHDEEP-1.0";

/// Parses a list: its files by their names. Fails on any line that is not understood, and if a name has two digests.
pub(super) fn parse(text: &[u8]) -> Result<BTreeMap<Vec<u8>, Listed>> {
    let lines = || text.strip_suffix(b"\n").unwrap_or(text).split(|byte| *byte == b'\n');
    ensure!(!text.is_empty(), "the list is empty");
    // A last line without an end has no CR either.
    let ended = text.iter().rposition(|byte| *byte == b'\n').map_or(&b""[..], |end| &text[..end]);
    let has_cr = !ended.is_empty() && ended.split(|byte| *byte == b'\n').all(|line| line.ends_with(b"\r"));
    ensure!(!has_cr, "its lines end with CR LF, not LF alone");
    let mut columns = None;
    let mut files = BTreeMap::new();
    for (at, line) in lines().enumerate() {
        let entry = if at == 0 && line.starts_with(HASHDEEP) {
            columns = Some(Columns::default());
            continue;
        } else if let Some(columns) = &mut columns {
            match columns.take(line)? {
                Some(entry) => Some(entry),
                None => continue,
            }
        } else if line.starts_with(b"#") {
            // A comment, as for sha256sum.
            continue;
        } else {
            line_of_sum(line)
        };
        let shown = || format!("line {}: \"{}\"", at + 1, escape(&line[..line.len().min(100)]));
        let (name, listed) =
            entry.with_context(|| format!("{}: not a line of sha256sum, b3sum or hashdeep", shown()))?;
        if let Some(before) = files.insert(name, listed.clone()) {
            ensure!(before == listed, "{}: the file has another digest above", shown());
        }
    }
    ensure!(!files.is_empty(), "the list names no file");
    Ok(files)
}

/// Parses a line of `sha256sum` or `b3sum`, in their own form or that of BSD.
fn line_of_sum(line: &[u8]) -> Option<(Vec<u8>, Listed)> {
    let (line, escaped) = match line.strip_prefix(b"\\") {
        Some(line) => (line, true),
        None => (line, false),
    };
    let (digest, name) = bsd(line).or_else(|| gnu(line))?;
    let name = if escaped { unescape(name)? } else { name.to_vec() };
    Some((name, Listed { size: None, digest })).filter(|(name, _)| !name.is_empty())
}

/// DIGEST, two spaces or a space and an asterisk, NAME.
fn gnu(line: &[u8]) -> Option<(Digest, &[u8])> {
    let (digits, rest) = line.split_at_checked(64)?;
    let name = rest.strip_prefix(b"  ").or_else(|| rest.strip_prefix(b" *"))?;
    Some((Digest::Either(unhex_any(digits)?), name))
}

/// ALGORITHM (NAME) = DIGEST
fn bsd(line: &[u8]) -> Option<(Digest, &[u8])> {
    let (digest, rest): (fn(_) -> Digest, _) = match line.strip_prefix(b"SHA256 (") {
        Some(rest) => (Digest::Sha256, rest),
        None => (Digest::Blake3, line.strip_prefix(b"BLAKE3 (")?),
    };
    let (name, end) = rest.split_at_checked(rest.len().checked_sub(64 + 4)?)?;
    Some((digest(unhex_any(end.strip_prefix(b") = ")?)?), name))
}

/// Undoes the escapes of a name: backslash, LF and CR.
fn unescape(name: &[u8]) -> Option<Vec<u8>> {
    let (mut out, mut rest) = (Vec::new(), name.iter());
    while let Some(byte) = rest.next() {
        out.push(match byte {
            b'\\' => match rest.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            byte => *byte,
        });
    }
    Some(out)
}

fn unhex_any(digits: &[u8]) -> Option<[u8; 32]> {
    unhex(&digits.to_ascii_lowercase())
}

/// The columns of a list of hashdeep, once its header has named them.
#[derive(Default)]
struct Columns(Vec<Vec<u8>>);

impl Columns {
    /// Parses a line. `None` for lines of the header, and for comments.
    fn take(&mut self, line: &[u8]) -> Result<Option<(Vec<u8>, Listed)>> {
        if let Some(names) = line.strip_prefix(b"%%%% ") {
            self.0 = names.split(|byte| *byte == b',').map(<[u8]>::to_vec).collect();
            let has = |name: &[u8]| self.0.iter().any(|column| column == name);
            if !has(b"sha256") {
                bail!("the list has no SHA-256: make it by hashdeep -c sha256");
            }
            let ends = self.0.last().is_some_and(|last| last == b"filename") && has(b"size");
            ensure!(ends, "the columns of the list are not those of hashdeep");
            return Ok(None);
        }
        if line.starts_with(b"#") {
            return Ok(None);
        }
        let field = || {
            // The name comes last and may contain commas.
            let fields: Vec<_> = line.splitn(self.0.len(), |byte| *byte == b',').collect();
            let of = |name: &[u8]| fields.get(self.0.iter().position(|column| column == name)?).copied();
            let size = std::str::from_utf8(of(b"size")?).ok()?.parse().ok()?;
            let digest = Digest::Sha256(unhex_any(of(b"sha256")?)?);
            Some((of(b"filename")?.to_vec(), Listed { size: Some(size), digest }))
        };
        field().context("a line that is not as of hashdeep").map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGITS: &str = "0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789abcdef";

    fn only(text: &str) -> Option<(Vec<u8>, Listed)> {
        parse(text.as_bytes()).ok().and_then(|mut files| files.pop_first())
    }

    #[test]
    fn lines_of_all_programs_are_read() {
        let digest = unhex_any(DIGITS.as_bytes()).expect("digits");
        let columns = "%%%% HASHDEEP-1.0\n%%%% size,md5,sha256,filename\n## Invoked from: /\n##\n";
        for (text, name, expected) in [
            (format!("{DIGITS}  a b\n"), "a b", Digest::Either(digest)),
            (format!("# a list\n{DIGITS} *a"), "a", Digest::Either(digest)),
            (format!("{DIGITS}    a"), "  a", Digest::Either(digest)),
            (format!("\\{DIGITS}  a\\nb\\\\\n"), "a\nb\\", Digest::Either(digest)),
            (format!("SHA256 (a) = b) = {DIGITS}\n"), "a) = b", Digest::Sha256(digest)),
            (format!("BLAKE3 (a) = {DIGITS}\n"), "a", Digest::Blake3(digest)),
            (format!("{columns}7,00,{DIGITS},/x,y\n"), "/x,y", Digest::Sha256(digest)),
        ] {
            let size = text.starts_with('%').then_some(7);
            assert_eq!(only(&text), Some((name.into(), Listed { size, digest: expected })), "{text}");
        }
    }

    #[test]
    fn other_lines_are_errors() {
        for (text, reason) in [
            (String::new(), "the list is empty"),
            (format!("{DIGITS}  a\r\n"), "CR LF"),
            (format!("{DIGITS}  a\r\n{DIGITS}  b"), "CR LF"),
            (format!("{DIGITS} a\n"), "line 1: "),
            (format!("{DIGITS}  \n"), "line 1: "),
            (format!("{DIGITS}  a\n\n"), "line 2: "),
            (format!("x{DIGITS}  a\n"), "line 1: "),
            (format!("{}  a\n", &DIGITS[1..]), "line 1: "),
            (format!("\\{DIGITS}  a\\tb\n"), "line 1: "),
            (format!("{DIGITS}  a\n{}  a\n", DIGITS.replace('0', "1")), "another digest above"),
            ("%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n1,00,a\n".into(), "no SHA-256"),
            ("%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n1,00,a\n".into(), "not as of hashdeep"),
            ("%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n".into(), "names no file"),
        ] {
            let error = parse(text.as_bytes()).expect_err(&text);
            assert!(format!("{error:#}").contains(reason), "{text:?}: {error:#}");
        }
    }
}
