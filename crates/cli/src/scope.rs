//! What a manifest covers: roots, filters and policies. It is written into the manifest, so that `verify` looks at
//! the same part of the file system as `tag` did and can tell which files are new.
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use anyhow::{Context as _, Result, bail, ensure};
use clap::ValueEnum;

use crate::name::{BAD_ESCAPE, escape, unescape};

/// What to do with symbolic links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[non_exhaustive]
pub enum Symlinks {
    /// The link itself is recorded, with its target's name.
    Record,
    /// The link counts as what it leads to.
    Follow,
    /// Links are left out.
    Skip,
}

/// What to do with FIFOs, sockets and devices. None of them is ever opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Specials {
    /// They are an error.
    Refuse,
    /// They are left out.
    Skip,
}

/// The part of the file system that a manifest covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    /// Files and folders named on the command line: normalised, sorted, none twice.
    pub(crate) roots: Vec<Vec<u8>>,
    /// Symbolic links.
    pub(crate) symlinks: Symlinks,
    /// FIFOs, sockets, devices.
    pub(crate) specials: Specials,
    /// If not empty: only files that match one of these patterns.
    pub(crate) include: Vec<String>,
    /// No files and folders that match one of these patterns.
    pub(crate) exclude: Vec<String>,
    /// Whether `.gitignore` files in the tree are obeyed.
    pub(crate) gitignore: bool,
    /// Whether folders on other file systems than their root are left out.
    pub(crate) one_file_system: bool,
}

impl Scope {
    /// A scope of nothing, with the strictest policies.
    pub(crate) fn empty() -> Self {
        Self {
            roots: Vec::new(),
            symlinks: Symlinks::Record,
            specials: Specials::Refuse,
            include: Vec::new(),
            exclude: Vec::new(),
            gitignore: false,
            one_file_system: false,
        }
    }

    /// Sets the roots from paths as the user gave them, relative to `base`.
    ///
    /// As for `find` and `tar`, a link with a slash or `/.` behind its name is the folder to which it leads. Its root keeps
    /// the slash; no other root has one at its end, but `/`.
    pub(crate) fn set_roots<'p>(
        &mut self,
        base: &Path,
        paths: impl IntoIterator<Item = &'p Path>,
    ) -> Result<()> {
        for path in paths {
            let mut root = normal(path)?;
            let given = path.as_os_str().as_encoded_bytes();
            let is_link = |name: &[u8]| {
                fs::symlink_metadata(base.join(OsStr::from_bytes(name))).is_ok_and(|about| about.is_symlink())
            };
            let folder = given.ends_with(b"/") || given.ends_with(b"/.");
            if folder && self.symlinks != Symlinks::Follow && is_link(&root) {
                root.push(b'/');
            }
            self.roots.push(root);
        }
        self.roots.sort_unstable();
        self.roots.dedup();
        Ok(())
    }

    /// The manifest's lines for this scope, without line ends.
    pub(crate) fn to_lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("symlinks {}", word(self.symlinks)),
            format!("specials {}", word(self.specials)),
            format!("gitignore {}", if self.gitignore { "obey" } else { "ignore" }),
        ];
        lines.extend(self.one_file_system.then(|| "one-file-system yes".into()));
        lines.extend(self.include.iter().map(|glob| format!("include {}", escape(glob.as_bytes()))));
        lines.extend(self.exclude.iter().map(|glob| format!("exclude {}", escape(glob.as_bytes()))));
        lines.extend(self.roots.iter().map(|root| format!("root {}", escape(root))));
        lines
    }

    /// The scope of these lines, which must be those of [`Scope::to_lines`].
    pub(crate) fn from_lines<'l>(lines: impl Iterator<Item = &'l str> + Clone) -> Result<Self> {
        let mut scope = Self::empty();
        lines.clone().try_for_each(|line| scope.take_line(line))?;
        ensure!(
            lines.eq(scope.to_lines()),
            "header lines are missing, in another order, or have unknown values"
        );
        ensure!(scope.roots.is_sorted_by(|a, b| a < b), "the roots are not in order");
        Ok(scope)
    }

    /// Takes over one line.
    fn take_line(&mut self, line: &str) -> Result<()> {
        let (key, value) = line.split_once(' ').context("a header line has no value")?;
        let bytes = || unescape(value).map(Cow::into_owned).context(BAD_ESCAPE);
        let text = || String::from_utf8(bytes()?).context("a pattern is not UTF-8");
        match key {
            "symlinks" => self.symlinks = from_word(value)?,
            "specials" => self.specials = from_word(value)?,
            "gitignore" => self.gitignore = value == "obey",
            "one-file-system" => self.one_file_system = value == "yes",
            "include" => self.include.push(text()?),
            "exclude" => self.exclude.push(text()?),
            "root" => self.roots.push(bytes()?),
            _ => bail!("unknown header line {key:?}"),
        }
        Ok(())
    }
}

/// Whether a name is this one or lies below it.
pub(crate) fn is_below(name: &[u8], path: &[u8]) -> bool {
    match path {
        b"." => !name.starts_with(b"/") && stays_below(name),
        b"/" => name.starts_with(b"/"),
        path => name
            .strip_prefix(path)
            .is_some_and(|rest| rest.is_empty() || (rest[0] == b'/' && stays_below(&rest[1..]))),
    }
}

/// Whether a relative path never leads above where it begins.
fn stays_below(path: &[u8]) -> bool {
    let mut depth = 0_usize;
    path.split(|byte| *byte == b'/').all(|part| {
        match part {
            b".." => match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => return false,
            },
            b"" | b"." => {}
            _ => depth += 1,
        }
        true
    })
}

/// The path without `.`, doubled and closing slashes; the current folder itself is `.`.
pub(crate) fn normal(path: &Path) -> Result<Vec<u8>> {
    ensure!(!path.as_os_str().is_empty(), "an empty path was given");
    let plain: std::path::PathBuf = path.components().filter(|c| *c != Component::CurDir).collect();
    let bytes = plain.into_os_string().into_encoded_bytes();
    Ok(if bytes.is_empty() { b".".to_vec() } else { bytes })
}

fn word<T: ValueEnum>(value: T) -> String {
    value.to_possible_value().map(|v| v.get_name().to_owned()).unwrap_or_default()
}

fn from_word<T: ValueEnum>(word: &str) -> Result<T> {
    T::from_str(word, false).map_err(|_| anyhow::anyhow!("unknown policy {word:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalised() {
        for (path, expected) in [
            (".", "."),
            ("./", "."),
            ("./a//b/", "a/b"),
            ("a/./b", "a/b"),
            ("../x/", "../x"),
            ("/", "/"),
            ("-", "-"),
        ] {
            assert_eq!(normal(Path::new(path)).ok().as_deref(), Some(expected.as_bytes()), "{path}");
        }
        assert!(normal(Path::new("")).is_err());
    }

    #[test]
    fn names_below_a_path() {
        for (name, path) in [("a", "a"), ("a/b", "a"), ("a", "."), (".", "."), ("/a", "/"), ("a/b/c", "a/b")]
        {
            assert!(is_below(name.as_bytes(), path.as_bytes()), "{name} {path}");
        }
        for (name, path) in [
            ("ab", "a"),
            ("a", "a/b"),
            ("/a", "."),
            ("a", "/"),
            ("b/a", "a"),
            ("../a", "."),
            ("..", "."),
            ("../../a", ".."),
            ("a/../b", "a"),
        ] {
            assert!(!is_below(name.as_bytes(), path.as_bytes()), "{name} {path}");
        }
    }

    #[test]
    fn lines_are_read_back() {
        let mut scope = Scope {
            symlinks: Symlinks::Follow,
            specials: Specials::Skip,
            include: vec!["*.rs".into()],
            exclude: vec!["a\nb".into(), "\\".into()],
            gitignore: true,
            one_file_system: true,
            ..Scope::empty()
        };
        assert!(
            scope.set_roots(Path::new("."), [Path::new("b"), Path::new("a \n"), Path::new("./b/")]).is_ok()
        );
        let lines = scope.to_lines();
        let back = Scope::from_lines(lines.iter().map(String::as_str)).expect("lines of a scope");
        assert_eq!(back, scope);
        assert_eq!(back.roots.len(), 2);
    }

    #[test]
    fn other_lines_are_refused() {
        let of = |text: &str| Scope::from_lines(text.split(';')).is_ok();
        let good = "symlinks skip;specials skip;gitignore obey;include *;root a;root b";
        assert!(of(good));
        for (from, to) in [
            ("gitignore obey", "gitignore yes"),
            ("gitignore obey", "gitignore obey;one-file-system no"),
            ("symlinks skip;specials skip", "specials skip;symlinks skip"),
            ("symlinks skip;", ""),
            ("symlinks skip", "symlinks skip;symlinks skip"),
            ("symlinks", "symlinks "),
            ("include *", "include \\x2a"),
            ("root a;root b", "root b;root a"),
            ("root a", "root a;root a"),
            ("root b", "root b;include *"),
        ] {
            assert!(!of(&good.replace(from, to)), "{to}");
        }
    }
}
