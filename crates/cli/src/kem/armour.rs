//! Armour of keys, ciphertexts and secrets: base64 between two lines, as in PEM. The label names scheme and
//! type of the value.
use std::fmt;

use anyhow::{Context as _, Result, anyhow, ensure};
use base64ct::{Base64, Encoding as _};
use carryless_hqc::SchemeId;
use zeroize::Zeroizing;

/// Characters in each line of base64 except the last.
const LINE: usize = 64;
const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
/// End of the first and of the last line.
const DASHES: &str = "-----";

/// The type of value that bytes encode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    DecapsulationKey,
    /// The seed of a decapsulation key, from which the key is derived whenever it is used.
    Seed,
    EncapsulationKey,
    Ciphertext,
    SharedSecret,
}

impl Kind {
    pub(crate) const ALL: [Kind; 5] =
        [Kind::DecapsulationKey, Kind::Seed, Kind::EncapsulationKey, Kind::Ciphertext, Kind::SharedSecret];

    /// Returns the article for messages.
    fn article(self) -> &'static str {
        if self == Kind::EncapsulationKey { "an" } else { "a" }
    }

    fn words(self) -> &'static str {
        match self {
            Kind::DecapsulationKey => "decapsulation key",
            Kind::Seed => "decapsulation key seed",
            Kind::EncapsulationKey => "encapsulation key",
            Kind::Ciphertext => "ciphertext",
            Kind::SharedSecret => "shared secret",
        }
    }
}

/// The label of a file: type and scheme of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) scheme: SchemeId,
    pub(crate) kind: Kind,
}

impl Label {
    /// Returns the label as files contain it, such as `HQC-1 NR CIPHERTEXT`.
    fn text(self) -> String {
        let Label { scheme, kind } = self;
        format!("{} {} {}", scheme.name(), scheme.profile(), kind.words()).to_ascii_uppercase()
    }

    /// Returns the label with this text, or `None`.
    fn named(text: &str) -> Option<Label> {
        let of = |&scheme| Kind::ALL.map(|kind| Label { scheme, kind });
        SchemeId::ALL.iter().flat_map(of).find(|label| label.text() == text)
    }
}

impl fmt::Display for Label {
    /// Formats the label for messages, such as `a ciphertext of HQC-1, profile nr`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Label { scheme, kind } = self;
        write!(f, "{} {} of {}, profile {}", kind.article(), kind.words(), scheme.name(), scheme.profile())
    }
}

/// Armours bytes. The text is wiped when dropped, as it may be a secret.
pub(crate) fn write(label: Label, bytes: &[u8]) -> Zeroizing<String> {
    // `base64ct` has no table of digits, whose cache lines would depend on a secret key.
    let digits = Zeroizing::new(Base64::encode_string(bytes));
    let name = label.text();
    // Reserved at once: growing the string would leave unwiped copies in freed memory.
    let lines = digits.len().div_ceil(LINE);
    let mut text = Zeroizing::new(String::with_capacity(digits.len() + lines + 2 * name.len() + 64));
    for part in [BEGIN, &name, DASHES, "\n"] {
        text.push_str(part);
    }
    let mut rest = &digits[..];
    while !rest.is_empty() {
        let (line, others) = rest.split_at(LINE.min(rest.len()));
        text.push_str(line);
        text.push('\n');
        rest = others;
    }
    for part in [END, &name, DASHES, "\n"] {
        text.push_str(part);
    }
    text
}

/// Reads an armoured text. Returns its label, and its bytes, which are wiped when dropped. Nothing may
/// stand before or after it.
///
/// Each value has one text, apart from line ends: other lengths of lines and malformed padding are refused.
pub(crate) fn read(text: &[u8]) -> Result<(Label, Zeroizing<Vec<u8>>)> {
    let text = std::str::from_utf8(text).ok();
    let mut lines = text.into_iter().flat_map(str::lines);
    let first = lines.next().and_then(|line| line.strip_prefix(BEGIN)?.strip_suffix(DASHES));
    let name = first
        .context("it does not begin with a line -----BEGIN ...----- (--raw reads bytes without armour)")?;
    let label = Label::named(name).with_context(|| format!("no label is called {name:?}"))?;
    let last = format!("{END}{name}{DASHES}");
    // The text is longer than its digits, so this reservation suffices.
    let mut digits = Zeroizing::new(String::with_capacity(text.map_or(0, str::len)));
    loop {
        let line = lines.next().with_context(|| format!("truncated: no line {last}"))?;
        if line == last {
            break;
        }
        ensure!(!line.starts_with(END), "it begins as {name:?} but ends as something else");
        // Only the last line may be shorter than LINE: once one was, `digits` is no multiple of it.
        let whole = digits.len().is_multiple_of(LINE) && (1..=LINE).contains(&line.len());
        ensure!(whole, "a line of base64 that has not {LINE} characters");
        digits.push_str(line);
    }
    ensure!(lines.next().is_none(), "there is text behind the line {last}");
    // `base64ct` decodes without a table of digits, too, as the text may be a secret key.
    // Into a buffer that is wiped: after a wrong digit, it has the bytes before it.
    let mut bytes = Zeroizing::new(vec![0; digits.len() / 4 * 3]);
    let decoded = Base64::decode(&*digits, &mut bytes).map(<[u8]>::len);
    let length = decoded.map_err(|_| anyhow!("characters that are not base64"))?;
    bytes.truncate(length);
    Ok((label, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels() -> impl Iterator<Item = Label> {
        SchemeId::ALL.iter().flat_map(|&scheme| Kind::ALL.map(|kind| Label { scheme, kind }))
    }

    #[test]
    fn texts_are_read_back() {
        for label in labels() {
            for length in [0, 1, 2, 3, 47, 48, 49, 96, 2321] {
                let bytes: Vec<u8> = (0..length).map(|i| (131 * i + 17) as u8).collect();
                let text = write(label, &bytes);
                for text in [text.to_string(), text.trim_end().to_owned(), text.replace('\n', "\r\n")] {
                    let (found, read) = read(text.as_bytes()).expect("armour");
                    assert_eq!((found, &read[..]), (label, &bytes[..]));
                }
            }
        }
    }

    #[test]
    fn no_two_labels_are_equal() {
        let mut texts: Vec<_> = labels().map(Label::text).collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), labels().count());
        assert!(texts.contains(&"HQC-1 NR DECAPSULATION KEY SEED".to_owned()), "{texts:?}");
        assert!(texts.contains(&"HQC-256 2023 SHARED SECRET".to_owned()), "{texts:?}");
    }

    #[test]
    fn every_truncation_and_every_addition_is_noticed() {
        let label = Label { scheme: SchemeId::Hqc3, kind: Kind::Ciphertext };
        let text = write(label, &[0x5a; 100]);
        for length in 0..text.len() - 1 {
            assert!(read(&text.as_bytes()[..length]).is_err(), "{length}");
        }
        for at in 0..text.len() {
            for more in ["A", "-", "\n", " "] {
                let longer = format!("{}{more}{}", &text[..at], &text[at..]);
                assert!(read(longer.as_bytes()).is_err(), "{longer}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let good = write(Label { scheme: SchemeId::Hqc1, kind: Kind::Seed }, &[7; 90]).to_string();
        for (text, expected) in [
            (good.replace("BEGIN", "BEGUN"), "it does not begin with a line -----BEGIN"),
            (format!("a line\n{good}"), "it does not begin with a line -----BEGIN"),
            (good.replace(" NR ", " V6 "), "no label is called \"HQC-1 V6 DECAPSULATION KEY SEED\""),
            (
                good.replace("END HQC-1", "END HQC-3"),
                "it begins as \"HQC-1 NR DECAPSULATION KEY SEED\" but ends",
            ),
            (good.replace("\n-----END", "\n"), "a line of base64 that has not 64 characters"),
            (good[..100].to_owned(), "truncated: no line -----END HQC-1 NR"),
            (format!("{good}\nmore"), "there is text behind the line -----END HQC-1 NR"),
            (good.replacen("BwcH", "Bwc", 1), "a line of base64 that has not 64 characters"),
            (good.replacen("BwcH", "Bwc?", 1), "characters that are not base64"),
        ] {
            let error = read(text.as_bytes()).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error:?} should say {expected:?}");
        }
        assert!(read(&[0xff; 32]).is_err());
    }
}
