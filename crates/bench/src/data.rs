//! The files of `data/`, which are part of the program: lines of fields with ` | ` between them, and comments
//! that begin with `#`.
//!
//! A malformed line is a panic, which a build that passed its tests excludes.

/// The fields of each line.
pub(crate) fn lines(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    // No field of the files has ` | ` in it, so nothing needs quotes.
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(" | ").collect())
}

/// The value of a field.
///
/// # Panics
/// If `text` is not a number of that type.
pub(crate) fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().ok().unwrap_or_else(|| panic!("'{text}' is no number"))
}
