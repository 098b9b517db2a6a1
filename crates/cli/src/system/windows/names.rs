//! Names of manifests and paths of Windows.
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::windows::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use super::wide;

/// Returns the bytes that manifests have for a path or a target: WTF-8 with slashes.
pub(crate) fn name_of(path: &OsStr) -> Cow<'_, [u8]> {
    match path.to_str() {
        Some(text) if !text.contains('\\') => text.as_bytes().into(),
        _ => wide::to_bytes(path.encode_wide()).into(),
    }
}

/// Returns the path of a name, for patterns, which match the text of a name.
pub(crate) fn path_of(name: &[u8]) -> Cow<'_, Path> {
    match String::from_utf8_lossy(name) {
        Cow::Borrowed(text) => Path::new(text).into(),
        Cow::Owned(text) => PathBuf::from(text).into(),
    }
}

/// Returns the path that a list names. `None` for bytes that are no name.
pub(crate) fn listed_path(name: Vec<u8>) -> Option<PathBuf> {
    let units = wide::from_bytes(&name).filter(|units| !units.contains(&0))?;
    Some(OsString::from_wide(&units).into())
}

/// Returns the path of a name that is relative to `base`. `None` if no file can have this name.
pub(crate) fn join(base: &Path, name: &[u8]) -> Option<PathBuf> {
    let (mut path, rest) = match start(name) {
        Some(start) => start?,
        None => (place(base).into_owned(), name),
    };
    for part in rest.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            // As the system does with all paths: by name, whatever is there.
            b".." => drop(path.pop()),
            part => path.push(OsString::from_wide(&wide::component(part)?)),
        }
    }
    Some(path)
}

/// Returns the folder of the system at which an absolute name starts, and the rest of the name. `None` for a relative
/// name, `Some(None)` for one that is no name.
#[allow(clippy::option_option)]
fn start(name: &[u8]) -> Option<Option<(PathBuf, &[u8])>> {
    let share = |name| {
        let (server, rest) = split(name);
        let (share, rest) = split(rest);
        let parts = [wide::component(server)?, wide::component(share)?];
        let [server, share] = parts.map(|part| OsString::from_wide(&part));
        let mut path = OsString::from(r"\\?\UNC\");
        [&*server, OsStr::new(r"\"), &*share, OsStr::new(r"\")].iter().for_each(|part| path.push(part));
        Some((path.into(), rest))
    };
    let plain = name.strip_prefix(b"//?/").unwrap_or(name);
    match plain {
        [drive, b':', b'/', rest @ ..] if drive.is_ascii_alphabetic() => {
            Some(Some((format!(r"\\?\{}:\", char::from(*drive)).into(), rest)))
        }
        [b'U', b'N', b'C', b'/', rest @ ..] if plain.len() < name.len() => Some(share(rest)),
        [b'/', b'/', rest @ ..] => Some(share(rest)),
        // Of the drive of the current folder.
        [b'/', rest @ ..] => Some(Some((place(Path::new(r"\")).into_owned(), rest))),
        _ => None,
    }
}

/// Splits a name at its first slash.
fn split(name: &[u8]) -> (&[u8], &[u8]) {
    let at = name.iter().position(|byte| *byte == b'/');
    at.map_or((name, &[]), |at| (&name[..at], &name[at + 1..]))
}

/// Returns a path in the form that walks and patterns have: absolute, and beginning with `\\?\`.
pub(crate) fn place(path: &Path) -> Cow<'_, Path> {
    let absolute = std::path::absolute(path).ok();
    let plain = absolute.and_then(|path| {
        // Not for what starts at the current drive again, which no absolute path does.
        let name = name_of(path.as_os_str()).into_owned();
        if name.starts_with(b"/") && !name.starts_with(b"//") { None } else { join(Path::new(""), &name) }
    });
    plain.map_or(path.into(), Cow::Owned)
}

/// Returns whether a name is not relative to the base folder.
pub(crate) fn is_absolute(name: &[u8]) -> bool {
    name.starts_with(b"/") || matches!(name, [drive, b':', b'/', ..] if drive.is_ascii_alphabetic())
}

/// Returns whether a name is that of a whole file system, which ends in a slash.
pub(crate) fn is_top(name: &[u8]) -> bool {
    name == b"/" || (is_absolute(name) && name.ends_with(b"/"))
}

/// Returns whether a path as it was given ends in a slash, or in a slash and a dot.
pub(crate) fn ends_as_folder(path: &OsStr) -> bool {
    let given = name_of(path);
    given.ends_with(b"/") || given.ends_with(b"/.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_paths_and_come_back() {
        for (name, path) in [
            ("a/b", r"\\?\C:\base\a\b"),
            ("../x", r"\\?\C:\x"),
            ("./NUL", r"\\?\C:\base\NUL"),
            ("a. /b.", r"\\?\C:\base\a. \b."),
            ("D:/a/b", r"\\?\D:\a\b"),
            ("//server/share/a", r"\\?\UNC\server\share\a"),
            ("//?/D:/a", r"\\?\D:\a"),
            ("//?/UNC/server/share/a", r"\\?\UNC\server\share\a"),
        ] {
            let found = join(Path::new(r"C:\base"), name.as_bytes());
            assert_eq!(found.as_deref(), Some(Path::new(path)), "{name}");
        }
        for name in [&b"a:b"[..], b"a\\b", b"a/\xff", b"C:a", b"//server", b"a\0"] {
            assert_eq!(join(Path::new(r"C:\base"), name), None, "{name:?}");
        }
        let wild = OsString::from_wide(&[0x61, 0xd800, 0x5c, 0x62]);
        assert_eq!(name_of(&wild), &b"a\xed\xa0\x80/b"[..]);
        assert_eq!(listed_path(b"a\xed\xa0\x80\\b".to_vec()), Some(wild.into()));
    }

    #[test]
    fn absolute_names_are_told_from_others() {
        for name in ["/a", "C:/a", "c:/", "//server/share"] {
            assert!(is_absolute(name.as_bytes()), "{name}");
        }
        for name in ["a", "C:a", "ab:/c", "1:/", "."] {
            assert!(!is_absolute(name.as_bytes()), "{name}");
        }
        assert!(is_top(b"C:/") && is_top(b"/") && !is_top(b"C:/a") && !is_top(b"a/"));
    }
}
