//! Lists of other programs: unkeyed digests of files, to verify files by them and to go over to manifests.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;
mod parse;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, ensure};
use clap::ValueEnum;
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use crate::about::About;
use crate::lines::LineFormat;
use crate::name::escape_input;
use crate::open_below::Tree;
use crate::part::Part;
use crate::progress::Progress;
use crate::read::{fill, steady};
use crate::read_error::ReadError;
use crate::scope::{Scope, Symlinks, normal};
use crate::system::{self, Kind, Stat};
use crate::threads::BATCH;
use crate::verdict::{Status, Verdict};

use parse::{Digest, Listed, parse};

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 20;

/// A list of digests, as `sha256sum`, `b3sum` and `hashdeep` print them.
pub(crate) struct List {
    /// The name of the list for messages, escaped.
    pub(crate) shown: String,
    files: BTreeMap<Vec<u8>, Listed>,
    /// Which of two algorithms files of a list without their names have shown.
    is_sha256: AtomicBool,
    is_blake3: AtomicBool,
}

/// A file that was examined: its verdict, and its state if it is as listed.
pub(crate) type Examined = (Verdict, Option<About>);

impl List {
    /// Reads a list of at most `most_mib` MiB; `-` is standard input. Names are normalised: `./a` becomes `a`.
    ///
    /// Fails unless every line is understood.
    pub(crate) fn read(path: &Path, most_mib: u32) -> Result<Self> {
        let shown = escape_input(path);
        let text = crate::input::read_bytes(path, u64::from(most_mib) << 20)
            .with_context(|| format!("{shown}: cannot read the list"))?;
        let parsed = parse(&text).with_context(|| shown.clone())?;
        let mut files = BTreeMap::new();
        for (name, listed) in parsed {
            let name = normal(&system::path_of(&name))?;
            let before = files.insert(name, listed.clone());
            ensure!(before.is_none_or(|before| before == listed), "{shown}: a file has two digests");
        }
        Ok(Self { shown, files, is_sha256: AtomicBool::new(false), is_blake3: AtomicBool::new(false) })
    }

    /// Returns the paths of all files, in order.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.files.keys().map(|name| system::path_of(name).into_owned()).collect()
    }

    /// Examines, in parallel, all files of a part, whose names are relative to `base`. Passes the results to `take` in
    /// order. Links are followed, as by the programs that print such lists.
    pub(crate) fn examine(
        &self,
        base: &Path,
        part: &Part,
        pool: &rayon::ThreadPool,
        progress: &Progress,
        mut take: impl FnMut(&[u8], Examined) -> Result<()>,
    ) -> Result<()> {
        let scope = Scope { symlinks: Symlinks::Follow, ..Scope::empty() };
        let tree = Tree::open(base, &scope)?;
        let files: Vec<_> = self.files.iter().filter(|(name, _)| part.contains(name)).collect();
        progress.start(files.len(), 0);
        for batch in files.chunks(BATCH) {
            let examine = |(name, listed): &(&Vec<u8>, &Listed)| {
                let examined = self.file(&tree, name, listed, progress);
                progress.done();
                examined
            };
            let examined: Vec<_> = pool.install(|| batch.par_iter().map(examine).collect());
            batch.iter().zip(examined).try_for_each(|((name, _), examined)| take(name, examined))?;
        }
        Ok(())
    }

    fn file(&self, tree: &Tree<'_>, name: &[u8], listed: &Listed, progress: &Progress) -> Examined {
        use std::io::ErrorKind::{NotADirectory, NotFound};
        match self.read_file(tree, name, listed, progress) {
            Ok((true, about)) => (Verdict::of(Status::Ok, None), Some(About::of(&about))),
            Ok((false, _)) => (Verdict::of(Status::Changed, None), None),
            Err(ReadError::System(error)) if matches!(error.kind(), NotFound | NotADirectory) => {
                (Verdict::of(Status::Missing, None), None)
            }
            Err(error) => (Verdict::error(error.to_string()), None),
        }
    }

    /// Returns whether a file has the listed digest, and its state. One of another size is not read.
    fn read_file(
        &self,
        tree: &Tree<'_>,
        name: &[u8],
        listed: &Listed,
        progress: &Progress,
    ) -> Result<(bool, Stat), ReadError> {
        let has_size = |about: &Stat| listed.size.is_none_or(|listed| listed == about.size);
        let hashes = self.hashes(listed.digest);
        let guessed = matches!(listed.digest, Digest::Either(_)) && !hashes.are_both();
        let (hashes, about) = hash_file(tree, name, hashes, has_size, progress)?;
        let Some(hashes) = hashes else { return Ok((false, about)) };
        let right = self.decide(hashes, listed.digest);
        if right || !guessed {
            return Ok((right, about));
        }
        // Lists of both programs may have been put together.
        let (hashes, about) = hash_file(tree, name, Hashes::both(), has_size, progress)?;
        Ok((hashes.is_some_and(|hashes| self.decide(hashes, listed.digest)), about))
    }

    /// Returns the hashes to try first: both, unless the files so far have shown that the list has one of them.
    fn hashes(&self, digest: Digest) -> Hashes {
        // Relaxed: whoever sees these too late only computes more.
        let (sha256, blake3) = match digest {
            Digest::Sha256(_) => (true, false),
            Digest::Blake3(_) => (false, true),
            Digest::Either(_) => {
                let found = [&self.is_sha256, &self.is_blake3].map(|found| found.load(Ordering::Relaxed));
                (found != [false, true], found != [true, false])
            }
        };
        Hashes::of(sha256, blake3)
    }

    /// Returns whether one of the hashes is the listed digest.
    fn decide(&self, hashes: Hashes, digest: Digest) -> bool {
        let (Digest::Sha256(expected) | Digest::Blake3(expected) | Digest::Either(expected)) = digest;
        let sha256 = hashes.sha256.is_some_and(|hash| hash.finalize().as_slice() == expected);
        let blake3 = hashes.blake3.is_some_and(|hash| hash.finalize() == expected);
        if matches!(digest, Digest::Either(_)) {
            // The other files of a list very likely have the same hash, which is tried first.
            self.is_sha256.fetch_or(sha256, Ordering::Relaxed);
            self.is_blake3.fetch_or(blake3, Ordering::Relaxed);
        }
        sha256 || blake3
    }
}

/// The hashes of one file, as far as they are computed.
struct Hashes {
    sha256: Option<Sha256>,
    blake3: Option<Box<blake3::Hasher>>,
}

impl Hashes {
    fn of(sha256: bool, blake3: bool) -> Self {
        Self { sha256: sha256.then(Sha256::new), blake3: blake3.then(|| Box::new(blake3::Hasher::new())) }
    }

    fn both() -> Self {
        Self::of(true, true)
    }

    fn are_both(&self) -> bool {
        self.sha256.is_some() && self.blake3.is_some()
    }

    fn update(&mut self, bytes: &[u8]) {
        self.sha256.iter_mut().for_each(|hash| hash.update(bytes));
        self.blake3.iter_mut().for_each(|hash| {
            hash.update(bytes);
        });
    }
}

/// Reads a file into these hashes, if it is `wanted`, and returns them with its state. Fails if it changes meanwhile.
fn hash_file(
    tree: &Tree<'_>,
    name: &[u8],
    mut hashes: Hashes,
    wanted: impl Fn(&Stat) -> bool,
    progress: &Progress,
) -> Result<(Option<Hashes>, Stat), ReadError> {
    progress.go_on()?;
    let file = tree.file(name)?;
    let about = system::stat_open(&file)?;
    if about.kind != Kind::File {
        return Err(ReadError::NotFile);
    }
    if !wanted(&about) {
        return Ok((None, about));
    }
    progress.correct(0, about.size);
    steady(&file, &about, |guard| {
        // One byte more than a small file has, so that its end shows without another round.
        let mut space =
            vec![0; usize::try_from(about.size).map_or(BUFFER, |size| BUFFER.min(size.saturating_add(1)))];
        let mut at = 0;
        loop {
            guard.check()?;
            progress.go_on()?;
            let length = space.len();
            let have = fill(&file, &mut space, length, at)?;
            hashes.update(&space[..have]);
            progress.bytes(have as u64);
            at += have as u64;
            if have < length {
                return Ok(());
            }
        }
    })?;
    Ok((Some(hashes), about))
}

/// Hashes of the lists that `tag --public` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Hash {
    /// BLAKE3, as b3sum prints it.
    Blake3,
    /// SHA-256, as sha256sum prints it.
    Sha256,
}

impl Hash {
    /// Returns the path of the list beside a manifest.
    pub(crate) fn list_of(self, manifest: &Path) -> PathBuf {
        let mut path = manifest.as_os_str().to_owned();
        path.push(match self {
            Self::Blake3 => ".b3",
            Self::Sha256 => ".sha256",
        });
        path.into()
    }

    /// Returns the digest of a file, and its state.
    pub(crate) fn of(
        self,
        tree: &Tree<'_>,
        name: &[u8],
        progress: &Progress,
    ) -> Result<([u8; 32], About), ReadError> {
        let hashes = Hashes::of(self == Self::Sha256, self == Self::Blake3);
        let (hashes, about) = hash_file(tree, name, hashes, |_| true, progress)?;
        let digest = match hashes {
            Some(Hashes { sha256: Some(hash), .. }) => hash.finalize().into(),
            Some(Hashes { blake3: Some(hash), .. }) => hash.finalize().into(),
            _ => return Err(ReadError::Changed),
        };
        Ok((digest, About::of(&about)))
    }

    /// Returns the line of a file in a list, with its end.
    pub(crate) fn line(self, name: &[u8], digest: &[u8; 32]) -> Vec<u8> {
        let format = if self == Self::Blake3 { LineFormat::B3 } else { LineFormat::Sha256sum };
        format.line("", name, digest)
    }
}
