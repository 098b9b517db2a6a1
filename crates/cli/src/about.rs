//! What manifests record about a file besides its contents: times, inode, mode and owner.
use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, ensure};
use clap::ValueEnum;
use serde::Serialize;

use crate::date::Date;
use crate::name::{decimal, push_decimal};
use crate::system::{self, Owner, Stat};

/// How much a manifest records about each file besides its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
#[non_exhaustive]
pub enum Metadata {
    /// Nothing: a manifest of contents alone.
    None,
    /// Times of modification and change, and the inode: they tell decay from an edit.
    Times,
    /// These, and mode, owner and group, which are then compared.
    Full,
}

impl Metadata {
    /// Fails if files of this system lack something that the level records.
    pub(crate) fn check(self) -> Result<()> {
        ensure!(
            self < Self::Full || system::HAS_MODES,
            "files of this system have no mode, owner and group: record times instead (--metadata times)"
        );
        Ok(())
    }
}

/// A time of a file, in the two numbers that the system gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Seconds since 1970, rounded down; negative before.
    pub(crate) seconds: i64,
    /// Nanoseconds after that, below 10^9.
    nanoseconds: u32,
}

/// Largest number of nanoseconds beside seconds.
const MAX_NANOSECONDS: u32 = 999_999_999;
/// Seconds in which a file system may give all changes of a file the same time: 2 on FAT. Elsewhere a tick is far shorter,
/// but it may begin before the second of the system's clock.
const TICK: i64 = 2;
/// Bits of a mode that are recorded: permissions, setuid, setgid and sticky.
const MODE: u32 = 0o7777;

/// What is known about a file besides its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct About {
    modified: Moment,
    changed: Moment,
    inode: u64,
    mode: u32,
    uid: u32,
    gid: u32,
    level: Metadata,
}

impl Moment {
    /// Returns a time of the system. It has its nanoseconds in range, but a faulty file system may not.
    fn new(seconds: i64, nanoseconds: i64) -> Self {
        let nanoseconds = u32::try_from(nanoseconds).unwrap_or(0).min(MAX_NANOSECONDS);
        Self { seconds, nanoseconds }
    }

    fn push(self, out: &mut String) {
        if self.seconds < 0 {
            out.push('-');
        }
        push_decimal(out, self.seconds.unsigned_abs(), 1);
        out.push('.');
        push_decimal(out, self.nanoseconds.into(), 9);
    }

    /// Returns the time as a decimal number of seconds. Unlike in manifests, the fraction counts in the direction of
    /// the sign: half a second before 1970 is `-0.500000000`.
    fn decimal(self) -> String {
        let before = self.seconds < 0 && self.nanoseconds > 0;
        let (seconds, nanoseconds) = match before {
            true => (self.seconds + 1, MAX_NANOSECONDS + 1 - self.nanoseconds),
            false => (self.seconds, self.nanoseconds),
        };
        let sign = if self.seconds < 0 { "-" } else { "" };
        format!("{sign}{}.{nanoseconds:09}", seconds.unsigned_abs())
    }

    /// Parses what [`Moment::push`] prints, and nothing else.
    fn parse(text: &str) -> Option<Self> {
        let (seconds, nanoseconds) = text.split_once('.')?;
        let digits = nanoseconds.len() == 9 && nanoseconds.bytes().all(|byte| byte.is_ascii_digit());
        let nanoseconds = nanoseconds.parse().ok().filter(|_| digits)?;
        let seconds = match seconds.strip_prefix('-') {
            None => decimal(seconds)?.try_into().ok()?,
            // -0 is another form of 0.
            Some(size) => 0_i64.checked_sub_unsigned(decimal(size).filter(|size| *size > 0)?)?,
        };
        Some(Self { seconds, nanoseconds })
    }
}

impl About {
    /// Nothing: what manifests without metadata record.
    pub(crate) const NOTHING: Self = Self {
        modified: Moment { seconds: 0, nanoseconds: 0 },
        changed: Moment { seconds: 0, nanoseconds: 0 },
        inode: 0,
        mode: 0,
        uid: 0,
        gid: 0,
        level: Metadata::None,
    };

    /// Returns values of every size, made of one number.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(crate) fn any(number: u64) -> Self {
        let moment = |number: u64| Moment::new(number.cast_signed(), (number >> 34).cast_signed());
        let bits = number as u32;
        Self {
            modified: moment(number),
            changed: moment(number.reverse_bits()),
            inode: number,
            mode: bits & MODE,
            uid: bits,
            gid: bits.reverse_bits(),
            level: Metadata::Full,
        }
    }

    /// Returns all that the system tells about a file.
    pub(crate) fn of(about: &Stat) -> Self {
        let times = Self {
            modified: Moment::new(about.modified.0, about.modified.1),
            changed: Moment::new(about.changed.0, about.changed.1),
            inode: about.identity.1,
            level: Metadata::Times,
            ..Self::NOTHING
        };
        match about.owner {
            Some(Owner { mode, uid, gid }) => {
                Self { mode: mode & MODE, uid, gid, level: Metadata::Full, ..times }
            }
            None => times,
        }
    }

    /// Appends the fields of a level, each with a space after it.
    pub(crate) fn push(&self, out: &mut String, level: Metadata) {
        if level >= Metadata::Times {
            self.modified.push(out);
            out.push(' ');
            self.changed.push(out);
            out.push(' ');
            push_decimal(out, self.inode, 1);
            out.push(' ');
        }
        if level >= Metadata::Full {
            // Writing to a string never fails.
            let _ = write!(out, "{:04o} {} {} ", self.mode, self.uid, self.gid);
        }
    }

    /// Parses the fields of a level from the beginning of `rest`, in the form that [`About::push`] prints.
    pub(crate) fn parse(rest: &mut &str, level: Metadata) -> Option<Self> {
        let mut about = Self { level, ..Self::NOTHING };
        if level >= Metadata::Times {
            about.modified = Moment::parse(field(rest)?)?;
            about.changed = Moment::parse(field(rest)?)?;
            about.inode = decimal(field(rest)?)?;
        }
        if level >= Metadata::Full {
            about.mode = octal(field(rest)?)?;
            about.uid = decimal(field(rest)?)?.try_into().ok()?;
            about.gid = decimal(field(rest)?)?.try_into().ok()?;
        }
        Some(about)
    }

    /// Returns what a manifest of this level would record.
    pub(crate) fn at(self, level: Metadata) -> Self {
        let level = level.min(self.level);
        let owner = if level >= Metadata::Full { self } else { Self::NOTHING };
        let times = if level >= Metadata::Times { self } else { Self::NOTHING };
        Self { mode: owner.mode, uid: owner.uid, gid: owner.gid, level, ..times }
    }

    /// Returns how much is known.
    pub(crate) fn level(&self) -> Metadata {
        self.level
    }

    /// Returns the time of the last modification of the contents, if it is known.
    pub(crate) fn modified(&self) -> Option<Moment> {
        (self.level >= Metadata::Times).then_some(self.modified)
    }

    /// Returns the number of the inode, if it is known.
    pub(crate) fn inode(&self) -> Option<u64> {
        (self.level >= Metadata::Times).then_some(self.inode)
    }

    /// Returns whether both times are known and equal. No program can set the time of change, so that different
    /// contents then mean decay, a writer below the file system, or one within the same tick of the clock.
    pub(crate) fn same_times(&self, other: &Self) -> bool {
        self.level.min(other.level) >= Metadata::Times
            && (self.modified, self.changed) == (other.modified, other.changed)
    }

    /// Returns whether times and inode are known and equal.
    pub(crate) fn same_state(&self, other: &Self) -> bool {
        self.same_times(other) && self.inode == other.inode
    }

    /// Returns whether the time of change is known, and a tick of every file system's clock before this date: no change
    /// since the date can have the same time.
    pub(crate) fn is_settled(&self, date: Date) -> bool {
        self.level >= Metadata::Times && date.is_after(self.changed.seconds.saturating_add(TICK))
    }

    /// Returns whether the time of change is known, and not before this moment.
    pub(crate) fn is_not_before(&self, moment: SystemTime) -> bool {
        let Ok(moment) = moment.duration_since(UNIX_EPOCH) else { return false };
        let Ok(seconds) = i64::try_from(moment.as_secs()) else { return false };
        let changed = (self.changed.seconds, self.changed.nanoseconds);
        self.level >= Metadata::Times && changed >= (seconds, moment.subsec_nanos())
    }

    /// Returns whether mode, owner, group and time of modification are equal, as far as both know all of them. The
    /// time of change and the inode are left out: a restored file has others.
    pub(crate) fn same_attributes(&self, other: &Self) -> bool {
        let of = |about: &Self| (about.mode, about.uid, about.gid, about.modified);
        self.level.min(other.level) < Metadata::Full || of(self) == of(other)
    }

    /// Returns what JSON has about a file.
    pub(crate) fn json(&self) -> JsonAbout {
        let (times, full) = (self.level >= Metadata::Times, self.level >= Metadata::Full);
        JsonAbout {
            mtime: times.then(|| self.modified.decimal()),
            ctime: times.then(|| self.changed.decimal()),
            inode: times.then_some(self.inode),
            mode: full.then(|| format!("{:04o}", self.mode)),
            uid: full.then_some(self.uid),
            gid: full.then_some(self.gid),
        }
    }
}

/// What is known about a file, in JSON. Times are text, as a number would lose digits in many readers.
#[derive(Serialize)]
pub(crate) struct JsonAbout {
    #[serde(skip_serializing_if = "Option::is_none")]
    mtime: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ctime: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inode: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gid: Option<u32>,
}

/// Takes the text before the first space off `rest`, and the space.
pub(crate) fn field<'t>(rest: &mut &'t str) -> Option<&'t str> {
    // Fields are short: a search for long texts would take longer.
    let (field, after) = rest.split_at(rest.bytes().position(|byte| byte == b' ')?);
    *rest = &after[1..];
    Some(field)
}

/// Parses a mode of exactly four octal digits.
fn octal(text: &str) -> Option<u32> {
    let digits = text.len() == 4 && text.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    u32::from_str_radix(text, 8).ok().filter(|_| digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_back_in_one_form() {
        for (seconds, nanoseconds, text) in [
            (0, 0, "0.000000000"),
            (-1, 500_000_000, "-1.500000000"),
            (1_700_000_000, 1, "1700000000.000000001"),
            (i64::MIN, MAX_NANOSECONDS, "-9223372036854775808.999999999"),
            (i64::MAX, 0, "9223372036854775807.000000000"),
        ] {
            let (moment, mut printed) = (Moment { seconds, nanoseconds }, String::new());
            moment.push(&mut printed);
            assert_eq!((printed.as_str(), Moment::parse(text)), (text, Some(moment)));
        }
        for text in [
            "",
            "0",
            "0.",
            "1.00000000",
            "1.0000000000",
            "-0.000000000",
            "+1.000000000",
            "01.000000000",
            "-01.000000000",
            "1.+00000000",
            "--1.000000000",
            ".000000000",
            "9223372036854775808.000000000",
            "-9223372036854775809.000000000",
            "1.00000000a",
            " 1.000000000",
        ] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
        assert_eq!(Moment::new(1, 2_000_000_000), Moment { seconds: 1, nanoseconds: MAX_NANOSECONDS });
        assert_eq!(Moment::new(1, -1), Moment { seconds: 1, nanoseconds: 0 });
    }

    #[test]
    fn fields_are_read_back_in_one_form() {
        let good = "-1.500000000 2.000000000 18446744073709551615 4755 0 4294967295 ";
        let parse = |mut text: &str, level| About::parse(&mut text, level).filter(|_| text.is_empty());
        let full = parse(good, Metadata::Full).expect("fields");
        for (level, fields) in [(Metadata::None, 0), (Metadata::Times, 3), (Metadata::Full, 6)] {
            let text: String = good.split_inclusive(' ').take(fields).collect();
            let about = parse(&text, level).expect("fields");
            assert_eq!((about, about.level()), (full.at(level), level));
            let mut printed = String::new();
            full.push(&mut printed, level);
            assert_eq!(printed, text);
        }
        for (from, to) in [
            ("4755", "755"),
            ("4755", "04755"),
            ("4755", "4758"),
            ("0 4", "00 4"),
            ("4294967295", "4294967296"),
            ("18446744073709551615", "18446744073709551616"),
        ] {
            assert_eq!(parse(&good.replace(from, to), Metadata::Full), None, "{to}");
        }
    }
}
