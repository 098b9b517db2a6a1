//! Writes the records of `tag`, and its summary.
use std::iter::Peekable;
use std::ops::ControlFlow;
use std::vec;

use anyhow::{Result, ensure};

use super::TagArgs;
use super::listed::Listed;
use super::public::Public;
use crate::about::Metadata;
use crate::engine::Recorder;
use crate::exit::{Exit, Failure, complain};
use crate::mac::Keys;
use crate::manifest::{Body, Writer};
use crate::name::{escape, hex};
use crate::output::NewFile;
use crate::progress::Progress;
use crate::read::Reader;
use crate::read_error::ReadError;
use crate::report::Report;
use crate::scope::Scope;
use crate::twins::Twins;
use crate::walk::{Item, Walked};
use crate::writers;

/// A manifest being written, with what cannot be read.
pub(super) struct Recording<'a> {
    args: &'a TagArgs,
    keys: &'a Keys,
    report: Report,
    progress: &'a Progress,
    /// How much is recorded about each file.
    level: Metadata,
    /// The states of files that are as in a list, if there is one.
    listed: Option<Listed>,
    /// The public list, until it is written.
    public: Option<Public>,
    /// The public list that was written, which gets its name before the manifest does.
    list: Option<NewFile>,
    /// Why the manifest does not continue the one that it replaces.
    why_first: Option<String>,
    /// What is recorded beside the items, in order: names that the walk could not examine, and the public list.
    extra: Peekable<vec::IntoIter<(Vec<u8>, Body)>>,
    failures: usize,
    /// Bytes of all files that are recorded.
    bytes: u64,
    /// Number of names that the walk could not examine.
    unread: usize,
}

impl<'a> Recording<'a> {
    /// Begins with nothing recorded.
    pub(super) fn new(
        args: &'a TagArgs,
        keys: &'a Keys,
        progress: &'a Progress,
        level: Metadata,
        listed: Option<Listed>,
        public: Option<Public>,
        why_first: Option<String>,
    ) -> Self {
        Self {
            args,
            keys,
            report: Report::new(args.form()),
            progress,
            level,
            listed,
            public,
            list: None,
            why_first,
            extra: Vec::new().into_iter().peekable(),
            failures: 0,
            bytes: 0,
            unread: 0,
        }
    }

    /// Adds names that the walk could not examine, in any order. Returns them in order, each once.
    fn add_unread(&mut self, errors: Vec<(Vec<u8>, String)>) -> Vec<Vec<u8>> {
        let mut unread: Vec<_> = errors.into_iter().map(|(name, _)| name).collect();
        unread.sort_unstable();
        unread.dedup();
        self.failures += unread.len();
        self.unread += unread.len();
        self.add(unread.iter().map(|name| (name.clone(), Body::Error)));
        unread
    }

    fn add(&mut self, more: impl IntoIterator<Item = (Vec<u8>, Body)>) {
        let mut extra: Vec<_> = self.extra.by_ref().chain(more).collect();
        extra.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        self.extra = extra.into_iter().peekable();
    }

    /// Fails if a file is not in the state in which it was compared with a list.
    fn check(&self, item: &Item, body: Body) -> Result<Body, ReadError> {
        self.listed.as_ref().map_or(Ok(()), |listed| listed.check(&item.name, &body))?;
        Ok(body.at(self.level))
    }

    /// Records what comes beside the items, as far as its names come before this one, or all that is left.
    fn extra_before(&mut self, writer: &mut Writer, name: Option<&[u8]>) -> Result<()> {
        while let Some((extra, body)) =
            self.extra.next_if(|(extra, _)| name.is_none_or(|name| extra.as_slice() < name))
        {
            self.bytes += body.size();
            writer.record_beside(&extra, &body.clone().at(self.level))?;
            if body != Body::Error {
                self.report.record(&extra, &body.at(self.level))?;
            }
        }
        Ok(())
    }

    /// Prints what the user should know of a run that has written its manifest.
    fn summarise(&self, all: usize) {
        self.why_first.iter().for_each(|why| complain(why));
        if let Some(warning) = writers::warning(self.progress.unguarded()) {
            complain(&warning);
        }
        if !self.args.quiet {
            let failures = self.failures;
            let entries = counted((all - failures) as u64, ["entry", "entries"]);
            let bytes = counted(self.bytes, ["byte", "bytes"]);
            let errors = counted(failures as u64, ["error", "errors"]);
            let errors = if failures > 0 { format!(", {errors} recorded") } else { String::new() };
            complain(&format!("tagged {entries}, {bytes}{errors}, key id {}", hex(&self.keys.id.0)));
        }
    }
}

impl Recorder for Recording<'_> {
    type Done = Exit;

    /// Complains about what cannot be examined. If anything cannot, that ends the run, unless `--keep-going`
    /// records it.
    fn choose(&mut self, mut walked: Walked, scope: &mut Scope) -> Result<ControlFlow<Exit, Vec<Item>>> {
        if let Some(public) = &self.public {
            public.leave_out(&mut walked);
            public.add_to(scope);
        }
        let progress = self.progress;
        progress.aside(|| walked.report_temporary());
        if !self.args.quiet {
            let mut twins = Twins::default();
            walked.items.iter().for_each(|item| twins.add_by_form(&item.name));
            progress.aside(|| twins.hint().iter().for_each(|hint| complain(hint)));
        }
        let Walked { mut items, errors, .. } = walked;
        for (name, reason) in &errors {
            progress.aside(|| complain(&format!("{}: {reason}", escape(name))));
            self.report.failure(name, reason)?;
        }
        if errors.is_empty() || self.args.keep_going {
            let unread = self.add_unread(errors);
            items.retain(|item| unread.binary_search_by(|name| name.as_slice().cmp(&item.name)).is_err());
            return Ok(ControlFlow::Continue(items));
        }
        if self.args.json {
            self.report.json(&Failure { error: "no manifest written" })?;
        }
        self.report.flush()?;
        Ok(ControlFlow::Break(Exit::Trouble))
    }

    /// Writes the public list.
    fn begin(&mut self, items: &[Item], reader: &Reader<'_>, pool: &rayon::ThreadPool) -> Result<()> {
        let Some(public) = self.public.take() else { return Ok(()) };
        let made = public.list(self.keys, items, reader, pool)?;
        // Files are read again for their tags, and one that has changed since is an error.
        self.listed.get_or_insert_default().add_all(made.states);
        self.add([(made.name, Body::File(made.content, made.about))]);
        self.list = Some(made.file);
        Ok(())
    }

    /// Writes the record of an item, or says why it has none.
    fn take(&mut self, writer: &mut Writer, item: &Item, body: Result<Body, ReadError>) -> Result<()> {
        self.extra_before(writer, Some(&item.name))?;
        match body.and_then(|body| self.check(item, body)) {
            Ok(body) => {
                self.bytes += body.size();
                writer.record(&item.name, &body)?;
                self.report.record(&item.name, &body)
            }
            Err(error) => {
                // The others are read all the same, so that one run reports every failure.
                self.failures += 1;
                self.progress.aside(|| complain(&format!("{}: {error}", escape(&item.name))));
                self.report.failure(&item.name, &error.to_string())?;
                if self.args.keep_going { writer.record(&item.name, &Body::Error) } else { Ok(()) }
            }
        }
    }

    /// Gives the manifest its name, and prints the summary.
    fn finish(mut self, mut writer: Writer, items: usize) -> Result<Exit> {
        self.extra_before(&mut writer, None)?;
        let all = items + self.unread + usize::from(self.list.is_some());
        self.progress.finish();
        self.report.flush()?;
        let failures = self.failures;
        let stop = failures > 0 && !self.args.keep_going;
        ensure!(
            !stop,
            "no manifest written: {failures} of {all} files could not be tagged (see --keep-going)"
        );
        let mut manifest = writer.complete()?;
        if let Some(list) = self.list.take() {
            // A full disk shows here, before the list replaces an older one.
            manifest.synchronise()?;
            // The list comes first: until the manifest follows, the old one shows that the list is another.
            list.commit()?;
        }
        // The manifest gets its name last: its existence means that everything succeeded.
        manifest.commit()?;
        self.summarise(all);
        Ok(if failures > 0 { Exit::Trouble } else { Exit::Good })
    }
}

/// Formats a number with its noun, in the singular for 1.
fn counted(number: u64, [one, more]: [&str; 2]) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}
