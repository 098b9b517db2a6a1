//! The scope of a manifest: roots, filters and policies.
//!
//! The manifest contains it. So `verify` examines the same part of the file system as `tag` did, and can
//! report new files.
use std::borrow::Cow;
use std::fs;
use std::path::{Component, Path};

use anyhow::{Context as _, Result, bail, ensure};
use clap::ValueEnum;

use crate::name::{BAD_ESCAPE, escape, escape_path, unescape};
use crate::system;

/// Policies for symbolic links, as options and manifests spell them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[non_exhaustive]
pub enum Symlinks {
    /// The link itself is recorded, with its target's name.
    Record,
    /// The link counts as what it leads to.
    Follow,
    /// Links are left out of the manifest.
    Skip,
}

/// Policies for FIFOs, sockets and devices. None of them is ever opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Specials {
    /// They are an error, when tagging and when verifying.
    Refuse,
    /// They are left out, and not reported as new.
    Skip,
}

/// The part of the file system that a manifest covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    /// Files and folders that the command line names: normalised, sorted, without duplicates.
    pub(crate) roots: Vec<Vec<u8>>,
    /// Policy for symbolic links: record, follow or skip them.
    pub(crate) symlinks: Symlinks,
    /// Policy for FIFOs, sockets and devices.
    pub(crate) specials: Specials,
    /// If not empty, only files that match one of these patterns are covered.
    pub(crate) include: Vec<String>,
    /// Files and folders that match one of these patterns are left out.
    pub(crate) exclude: Vec<String>,
    /// Whether `.gitignore` files in the tree are obeyed.
    pub(crate) gitignore: bool,
    /// Whether folders on other file systems than their root are left out.
    pub(crate) one_file_system: bool,
}

impl Scope {
    /// Returns a scope without roots, with the strictest policies.
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

    /// Adds roots, given as paths relative to `base`.
    ///
    /// As for `find` and `tar`, a link whose name ends in a slash or `/.` stands for the folder to which it
    /// leads. Its root keeps the slash. No other root ends in one, except `/`. Fails if such a name stands for
    /// anything else than a folder.
    pub(crate) fn set_roots<'p>(
        &mut self,
        base: &Path,
        paths: impl IntoIterator<Item = &'p Path>,
    ) -> Result<()> {
        for path in paths {
            let mut root = normal(path)?;
            let place = system::join(base, &root)
                .with_context(|| format!("{}: no file can have this name here", escape_path(path)))?;
            let is_link = || fs::symlink_metadata(&place).is_ok_and(|about| about.is_symlink());
            let folder = system::ends_as_folder(path.as_os_str());
            let about = fs::metadata(&place);
            // As the system does when a file is opened by such a name. What is not there is reported later.
            ensure!(
                !folder || !about.is_ok_and(|about| !about.is_dir()),
                "{}: Not a directory, but its name ends in a slash",
                escape_path(path)
            );
            // Without the slash the root would be the link itself. With it, the system resolves the link.
            if folder && self.symlinks != Symlinks::Follow && is_link() {
                root.push(b'/');
            }
            self.roots.push(root);
        }
        // Sorted, so that the manifest does not depend on the order of arguments.
        self.roots.sort_unstable();
        self.roots.dedup();
        Ok(())
    }

    /// Returns the lines of a manifest for this scope, without line ends.
    pub(crate) fn to_lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("symlinks {}", word(self.symlinks)),
            format!("specials {}", word(self.specials)),
            format!("gitignore {}", if self.gitignore { "obey" } else { "ignore" }),
        ];
        // No line for the default: with `one-file-system no` a scope would have two forms.
        lines.extend(self.one_file_system.then(|| "one-file-system yes".into()));
        lines.extend(self.include.iter().map(|glob| format!("include {}", escape(glob.as_bytes()))));
        lines.extend(self.exclude.iter().map(|glob| format!("exclude {}", escape(glob.as_bytes()))));
        lines.extend(self.roots.iter().map(|root| format!("root {}", escape(root))));
        lines
    }

    /// Parses the lines of a scope. Accepts only what [`Scope::to_lines`] prints.
    pub(crate) fn from_lines<'l>(lines: impl Iterator<Item = &'l str> + Clone) -> Result<Self> {
        let mut scope = Self::empty();
        lines.clone().try_for_each(|line| scope.take_line(line))?;
        // Printing the result again proves order, spelling and completeness at once.
        ensure!(
            lines.eq(scope.to_lines()),
            "header lines are missing, in another order, or have unknown values"
        );
        // Strictly ascending: `open_below` finds the root of a name by binary search.
        ensure!(scope.roots.is_sorted_by(|a, b| a < b), "the roots are not in order");
        Ok(scope)
    }

    /// Parses one line into its field.
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
            // An unknown line could restrict the scope: ignoring it would report files as new.
            _ => bail!("unknown header line \"{key}\""),
        }
        Ok(())
    }
}

/// Returns whether a name is `path` or lies below it. Compares bytes, and asks the file system nothing.
pub(crate) fn is_below(name: &[u8], path: &[u8]) -> bool {
    match path {
        b"." => !system::is_absolute(name) && stays_below(name),
        path if system::is_top(path) => name.starts_with(path),
        // A whole component must match: `ab` does not lie below `a`.
        path => name
            .strip_prefix(path)
            .is_some_and(|rest| rest.is_empty() || (rest[0] == b'/' && stays_below(&rest[1..]))),
    }
}

/// Returns the name of the folder of a name: empty for the base folder.
pub(crate) fn folder_of(name: &[u8]) -> &[u8] {
    match name.iter().rposition(|byte| *byte == b'/') {
        // The root itself is the folder of `/a`.
        Some(at) => &name[..at.max(1)],
        None => b"",
    }
}

/// Returns the last component of a name: a name without its folder.
pub(crate) fn last_of(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| *byte == b'/').next().unwrap_or(name)
}

/// Returns whether a relative path stays below its starting folder, with `..` resolved by name.
fn stays_below(path: &[u8]) -> bool {
    let mut depth = 0_usize;
    path.split(|byte| *byte == b'/').all(|part| {
        match part {
            // Resolved by name only: the manifest's names are not looked up in the file system here.
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

/// Returns the path without `.` components and without doubled or closing slashes. The current folder is `.`.
pub(crate) fn normal(path: &Path) -> Result<Vec<u8>> {
    ensure!(!path.as_os_str().is_empty(), "an empty path was given");
    let plain: std::path::PathBuf = path.components().filter(|c| *c != Component::CurDir).collect();
    let bytes = system::name_of(plain.as_os_str()).into_owned();
    Ok(if bytes.is_empty() { b".".to_vec() } else { bytes })
}

/// Returns the word for a policy or level, as options and manifests spell it.
pub(crate) fn word<T: ValueEnum>(value: T) -> String {
    value.to_possible_value().map(|v| v.get_name().to_owned()).unwrap_or_default()
}

/// Parses the word for a policy or level.
pub(crate) fn from_word<T: ValueEnum>(word: &str) -> Result<T> {
    T::from_str(word, false).map_err(|_| anyhow::anyhow!("unknown value \"{word}\""))
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
