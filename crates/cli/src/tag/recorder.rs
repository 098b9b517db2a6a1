//! Writes the records of `tag`, and its summary.
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::vec;

use anyhow::{Result, ensure};

use super::TagArgs;
use super::listed::Listed;
use crate::about::{About, Metadata};
use crate::exit::{Exit, complain};
use crate::mac::Keys;
use crate::manifest::{Body, Writer};
use crate::name::{escape, hex};
use crate::output::NewFile;
use crate::progress::Progress;
use crate::read::Content;
use crate::read_error::ReadError;
use crate::report::Report;
use crate::walk::Item;
use crate::writers;

/// A public list that is complete but for its name.
pub(super) struct Made {
    pub(super) file: NewFile,
    pub(super) name: Vec<u8>,
    pub(super) content: Content,
    pub(super) about: About,
    /// The states of the files of which the list has digests.
    pub(super) states: BTreeMap<Vec<u8>, About>,
}

/// A manifest being written, with what cannot be read.
pub(super) struct Recorder<'a> {
    args: &'a TagArgs,
    writer: Writer,
    report: Report,
    progress: &'a Progress,
    /// What is recorded beside the items, in order: names that the walk could not examine, and the public list.
    extra: Peekable<vec::IntoIter<(Vec<u8>, Body)>>,
    /// The public list, which gets its name before the manifest does.
    public: Option<NewFile>,
    failures: usize,
    /// Bytes of all files that are recorded.
    bytes: u64,
    /// Number of names that the walk could not examine.
    unread: usize,
    /// The states of files that are as in a list, if there is one.
    listed: Option<Listed>,
    /// How much is recorded about each file.
    level: Metadata,
}

impl<'a> Recorder<'a> {
    /// Begins a manifest with metadata of this level.
    pub(super) fn new(
        args: &'a TagArgs,
        writer: Writer,
        report: Report,
        progress: &'a Progress,
        listed: Option<Listed>,
        level: Metadata,
    ) -> Self {
        let extra = Vec::new().into_iter().peekable();
        Self {
            args,
            writer,
            report,
            progress,
            extra,
            public: None,
            failures: 0,
            bytes: 0,
            unread: 0,
            listed,
            level,
        }
    }

    /// Returns whether states of files are compared.
    pub(super) fn has_listed(&self) -> bool {
        self.listed.is_some()
    }

    /// Adds names that the walk could not examine.
    pub(super) fn add_unread(&mut self, unread: Vec<Vec<u8>>) {
        self.failures += unread.len();
        self.unread += unread.len();
        self.add(unread.into_iter().map(|name| (name, Body::Error)));
    }

    /// Adds the public list, and the states of the files of which it has digests.
    pub(super) fn add_public(&mut self, made: Made) {
        // Files are read again for their tags, and one that has changed since is an error.
        self.listed.get_or_insert_default().add_all(made.states);
        self.add([(made.name, Body::File(made.content, made.about))]);
        self.public = Some(made.file);
    }

    fn add(&mut self, more: impl IntoIterator<Item = (Vec<u8>, Body)>) {
        let mut extra: Vec<_> = self.extra.by_ref().chain(more).collect();
        extra.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        self.extra = extra.into_iter().peekable();
    }

    /// Writes the record of an item, or says why it has none.
    pub(super) fn take(&mut self, item: &Item, body: Result<Body, ReadError>) -> Result<()> {
        self.extra_before(Some(&item.name))?;
        let check =
            |body: &Body| self.listed.as_ref().map_or(Ok(()), |listed| listed.check(&item.name, body));
        match body.and_then(|body| check(&body).map(|()| body)) {
            Ok(body) => {
                let body = body.at(self.level);
                self.bytes += body.size();
                self.writer.record(&item.name, &body)?;
                self.report.record(&item.name, &body)
            }
            Err(error) => {
                // The others are read all the same, so that one run reports every failure.
                self.failures += 1;
                self.progress.aside(|| complain(&format!("{}: {error}", escape(&item.name))));
                self.report.failure(&item.name, &error.to_string())?;
                if self.args.keep_going { self.writer.record(&item.name, &Body::Error) } else { Ok(()) }
            }
        }
    }

    /// Gives the manifest its name, and prints the summary. `items` is the number of what was to be read.
    pub(super) fn finish(self, items: usize, why_first: Option<&str>, keys: &Keys) -> Result<Exit> {
        let Self { args, writer, mut report, failures, unread, public, progress, bytes, .. } = self;
        let all = items + unread + usize::from(public.is_some());
        progress.finish();
        report.flush()?;
        drop(report);
        let stop = failures > 0 && !args.keep_going;
        ensure!(
            !stop,
            "no manifest written: {failures} of {all} files could not be tagged (see --keep-going)"
        );
        let mut manifest = writer.complete()?;
        if let Some(list) = public {
            // A full disk shows here, before the list replaces an older one.
            manifest.synchronise()?;
            // The list comes first: until the manifest follows, the old one shows that the list is another.
            list.commit()?;
        }
        // The manifest gets its name last: its existence means that everything succeeded.
        manifest.commit()?;
        why_first.into_iter().for_each(complain);
        if let Some(warning) = writers::warning(progress.unguarded()) {
            complain(&warning);
        }
        if !args.quiet {
            let entries = counted((all - failures) as u64, ["entry", "entries"]);
            let bytes = counted(bytes, ["byte", "bytes"]);
            let errors = counted(failures as u64, ["error", "errors"]);
            let errors = if failures > 0 { format!(", {errors} recorded") } else { String::new() };
            complain(&format!("tagged {entries}, {bytes}{errors}, key id {}", hex(&keys.id.0)));
        }
        Ok(if failures > 0 { Exit::Trouble } else { Exit::Good })
    }

    /// Records what comes beside the items, as far as its names come before this one, or all that is left.
    pub(super) fn extra_before(&mut self, name: Option<&[u8]>) -> Result<()> {
        while let Some((extra, body)) =
            self.extra.next_if(|(extra, _)| name.is_none_or(|name| extra.as_slice() < name))
        {
            self.bytes += body.size();
            self.writer.record_beside(&extra, &body.clone().at(self.level))?;
            if body != Body::Error {
                self.report.record(&extra, &body.at(self.level))?;
            }
        }
        Ok(())
    }
}

/// Formats a number with its noun, in the singular for 1.
fn counted(number: u64, [one, more]: [&str; 2]) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}
