//! Dates in UTC, to the second, as manifests have them.
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result};

use crate::name::decimal;

/// Seconds of a day. POSIX time has no leap seconds.
const DAY: i64 = 86_400;
/// 9999-12-31T23:59:59Z, the last date with a year of four digits.
const LAST: i64 = 253_402_300_799;

/// A date of a manifest: seconds since 1970, up to the end of the year 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date(i64);

impl Date {
    /// Returns the present date, or that of the environment variable SOURCE_DATE_EPOCH, which makes results reproducible.
    ///
    /// Fails if the variable is no number of seconds, or the date is outside of the years 1970 to 9999.
    pub(crate) fn now() -> Result<Self> {
        let seconds = match std::env::var_os("SOURCE_DATE_EPOCH") {
            Some(text) => {
                text.to_str().and_then(decimal).context("SOURCE_DATE_EPOCH is no number of seconds")?
            }
            None => SystemTime::now().duration_since(UNIX_EPOCH).map_or(u64::MAX, |since| since.as_secs()),
        };
        let date = i64::try_from(seconds).ok().and_then(Self::of);
        date.context("the date is outside of the years 1970 to 9999")
    }

    /// Returns whether this second, since 1970, has passed at this date.
    pub(crate) fn is_after(self, second: i64) -> bool {
        second < self.0
    }

    fn of(seconds: i64) -> Option<Self> {
        (0..=LAST).contains(&seconds).then_some(Self(seconds))
    }

    /// Parses `YYYY-MM-DDTHH:MM:SSZ`. `None` for any other text, and for days that no month has.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let field = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
        let days = days(field(0..4)?, field(5..7)?, field(8..10)?);
        let seconds = field(11..13)? * 3600 + field(14..16)? * 60 + field(17..19)?;
        // Printing the result again proves separators, digits and ranges at once.
        Self::of(days * DAY + seconds).filter(|date| date.to_string() == text)
    }

    /// Parses a date, or a day, which stands for its first second.
    pub(crate) fn parse_day(text: &str) -> Option<Self> {
        Self::parse(text).or_else(|| Self::parse(&format!("{text}T00:00:00Z")))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&utc(self.0))
    }
}

/// Formats seconds since 1970 in UTC. Times outside of the years 0000 to 9999 become `@` and the seconds.
pub(crate) fn utc(seconds: i64) -> String {
    let (year, month, day) = civil(seconds.div_euclid(DAY));
    let second = seconds.rem_euclid(DAY);
    if !(0..=9999).contains(&year) {
        return format!("@{seconds}");
    }
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Days of 400 years, after which the Gregorian calendar repeats.
const ERA: i64 = 146_097;
/// Days from 1 March of the year 0 to 1 January 1970.
const EPOCH: i64 = 719_468;

/// Returns the number of days from 1 January 1970 to a day of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is the last.
    let year = if month > 2 { year } else { year - 1 };
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year.div_euclid(400) * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH
}

/// Returns year, month and day of a number of days since 1 January 1970: the inverse of [`days`].
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + EPOCH;
    let of_era = days.rem_euclid(ERA);
    // Days without leap days, so that a year has 365 of them.
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let first_months = i64::from(month >= 10);
    (days.div_euclid(ERA) * 400 + year + first_months, (month + 2) % 12 + 1, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_210_096, "2024-02-29T12:34:56Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (LAST, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(utc(seconds), text);
            assert_eq!(Date::parse(text), Some(Date(seconds)));
        }
        for (seconds, text) in [
            (-1, "1969-12-31T23:59:59Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (-62_167_219_201, "@-62167219201"),
            (LAST + 1, "@253402300800"),
            (i64::MIN, "@-9223372036854775808"),
            (i64::MAX, "@9223372036854775807"),
        ] {
            assert_eq!(utc(seconds), text);
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_comes_back() {
        for day in 0..=LAST / DAY {
            let (year, month, of_month) = civil(day);
            assert_eq!(days(year, month, of_month), day, "{year}-{month}-{of_month}");
        }
    }

    #[test]
    fn each_date_has_one_form() {
        for text in [
            "",
            "2026-11-29",
            "2026-11-29T11:18:25",
            "2026-11-29 11:18:25Z",
            "2026-11-29T11:18:25Z ",
            "2026-11-31T11:18:25Z",
            "2025-02-29T00:00:00Z",
            "2026-11-29T24:00:00Z",
            "2026-11-29T11:18:60Z",
            "2026-+1-29T11:18:25Z",
            "2026-11-29T11:18:25z",
            "1969-12-31T23:59:59Z",
            "é026-11-29T11:18:25Z",
        ] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
        assert_eq!(Date::parse_day("1970-01-02"), Some(Date(DAY)));
        assert_eq!(Date::parse_day("1970-01-02T00:00:01Z"), Some(Date(DAY + 1)));
        assert_eq!(Date::parse_day("1970-1-2"), None);
    }
}
