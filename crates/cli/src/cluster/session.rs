//! The client's side of a run: the listing, the tasks, and the manifest or the findings.
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use carryless_aead::file_mac::Algorithm;
use carryless_hash::Cpu;

use super::join::Joining;
use super::list::{Abouts, NO_GITIGNORE, examine, select};
use super::results::outcomes;
use super::rows::{Row, finding, found, without_reading, write};
use super::seal::{self, RunId, Seal};
use super::task::{Listed, Plan, Task};
use crate::checks::{Check, pair};
use crate::compare::Judge;
use crate::engine::{Target, collect};
use crate::excluded::LeftOut;
use crate::input::ordinary_file;
use crate::key::Key;
use crate::mac::Keys;
use crate::manifest::{Body, Header, Record, Source, Writer};
use crate::moves::Moves;
use crate::open_below::Tree;
use crate::output::check_target;
use crate::part::Part;
use crate::progress::{Counters, Progress};
use crate::random;
use crate::read::{Content, Reader};
use crate::scope::Scope;
use crate::tree::{Failures, Finding, Options, failure};
use crate::verdict::{Status, Verdict};
use crate::walk::{Kind, Walked, walk};

/// Largest manifest that is read, in MiB: some 10^8 entries.
const MAX_MANIFEST_MIB: u32 = 16 << 10;

/// A run that tags or verifies.
pub struct Session {
    keys: Keys,
    run: RunId,
    seal: Seal,
    options: Options,
    left_out: LeftOut,
    scope: Scope,
    goal: Goal,
    rows: Vec<Row>,
    objects: Vec<Listed>,
    plan: Plan,
    joining: Option<Joining>,
}

enum Goal {
    /// Before the listing without a writer. The target has the lock on the manifest that is replaced.
    Tag { target: Target, writer: Option<Box<Writer>> },
    /// Before the listing with the records.
    Verify { records: Option<Vec<Record<'static>>> },
}

/// The outcome of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct Finished {
    /// Number of entries in the manifest that was written, or of names that were examined.
    pub entries: usize,
    /// The findings of a verification: errors of the listing first, then the others by name.
    pub findings: Vec<Finding>,
}

impl Session {
    /// Starts a run that tags what lies below these paths and writes a manifest. With `local` they are files
    /// of this computer, otherwise objects that the caller lists.
    ///
    /// # Errors
    /// If the manifest cannot be written, or a path or option is not valid.
    pub fn to_tag(
        paths: &[PathBuf],
        key: &Key,
        manifest: &Path,
        mut options: Options,
        local: bool,
    ) -> Result<Self> {
        // An unusable target is reported before the cluster does any work.
        check_target(manifest, options.overwrite)?;
        let target = Target::file(manifest)?;
        if !local {
            ensure!(!options.gitignore, NO_GITIGNORE);
            // With this base no path exists on this computer: a local link cannot influence the roots.
            options.base = "/dev/null".into();
        }
        let scope = options.scope(paths)?;
        let goal = Goal::Tag { target, writer: None };
        let left_out = LeftOut::to_record(key.path.as_deref(), Some(manifest));
        Self::new(key, options.algorithm, left_out, options, scope, goal)
    }

    /// Starts a run that verifies a manifest.
    ///
    /// # Errors
    /// If the manifest is not authentic under this key and label.
    pub fn to_verify(manifest: &Path, key: &Key, options: Options) -> Result<Self> {
        let source = Source::read(&ordinary_file(manifest)?, MAX_MANIFEST_MIB)?;
        let (opened, _) = source.open_to_verify(&key.master, Cpu::detect(), options.demands())?;
        // Records borrow from the bytes of the manifest, which end here.
        let records = opened.records.into_iter().map(Record::into_owned).collect();
        let (algorithm, scope) = (opened.algorithm, opened.header.scope);
        let left_out = LeftOut::to_verify(key.path.as_deref(), Some(manifest));
        Self::new(key, algorithm, left_out, options, scope, Goal::Verify { records: Some(records) })
    }

    fn new(
        key: &Key,
        algorithm: Algorithm,
        left_out: LeftOut,
        options: Options,
        scope: Scope,
        goal: Goal,
    ) -> Result<Self> {
        let mut run = RunId::default();
        // A fresh id for every run, so that results of an earlier run with other contents are refused.
        random::fill(&mut run)?;
        Ok(Session {
            keys: Keys::derive(&key.master, algorithm, Cpu::detect()),
            run,
            seal: Seal::new(&key.master, &run),
            options,
            left_out,
            scope,
            goal,
            rows: Vec::new(),
            objects: Vec::new(),
            plan: Plan::default(),
            joining: None,
        })
    }

    /// Returns the id of the run, which workers need. It is not secret.
    #[must_use]
    pub fn run_id(&self) -> &RunId {
        &self.run
    }

    /// Returns the algorithm of the tags, which workers need.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.keys.algorithm
    }

    /// Returns the scope of the run for workers, as lines of the manifest.
    #[must_use]
    pub fn scope(&self) -> String {
        self.scope.to_lines().join("\n")
    }

    /// Returns the names below which objects are listed.
    #[must_use]
    pub fn roots(&self) -> &[Vec<u8>] {
        &self.scope.roots
    }

    /// Lists files of this computer by the command's walk, until the counters stop it.
    ///
    /// # Errors
    /// If the walk fails or, when tagging, if a file cannot be examined.
    pub fn list_files(&mut self, counters: &Arc<Counters>) -> Result<()> {
        let base = self.options.base.clone();
        let progress = Progress::watched(counters);
        let walked = match self.goal {
            Goal::Tag { .. } => collect(&base, &self.scope, &self.left_out, &progress)?,
            Goal::Verify { .. } => walk(&base, &self.scope, &Part::default(), &self.left_out, &progress)?,
        };
        let abouts = examine(&base, &self.scope, &walked.items);
        // Links and missing names are examined here: workers only read files.
        let (scope, mac, is_whole) = (self.scope.clone(), self.keys.file.clone(), walked.errors.is_empty());
        let reader = Reader::new(Tree::open(&base, &scope)?, &mac, false, &progress);
        // Workers compare contents alone, so that the verdicts are those of version 1.
        let header = Header { label: None, scope: scope.clone(), edition: None };
        self.list(walked, abouts, Some(&Judge::new(reader, &header, is_whole)))
    }

    /// Lists objects of the caller, and names that could not be listed, each with a reason. Filters of the scope apply.
    ///
    /// # Errors
    /// When tagging, if an object cannot be listed, or no file can have its name.
    pub fn list_objects(&mut self, objects: Vec<Listed>, errors: Vec<(Vec<u8>, String)>) -> Result<()> {
        let (walked, abouts) = select(&self.scope, objects, errors)?;
        self.list(walked, abouts, None)
    }

    fn list(&mut self, walked: Walked, abouts: Abouts, judge: Option<&Judge<'_>>) -> Result<()> {
        let Goal::Verify { records } = &mut self.goal else { return self.list_to_tag(walked, abouts, judge) };
        let records = records.take().context("listed already")?;
        // An object that could not be listed is an error, but not missing.
        let unknown: HashSet<_> = walked.errors.iter().map(|(name, _)| name.clone()).collect();
        let is_unknown = |check: &Check<'_>| judge.is_none() && unknown.contains(check.name());
        for (name, reason) in walked.errors {
            self.rows.push(Row::Found(name.into(), Some(Verdict::error(reason))));
        }
        let mut abouts = abouts.into_iter();
        for check in pair(&records, &walked.items) {
            // Both lists come from the same walk, in the same order: each item has the next entry of
            // `abouts`.
            let about = check.item.and_then(|_| abouts.next()).flatten();
            let recorded = check.record.map(Record::body);
            let row = match (&recorded, about) {
                // Objects of another size need no reading: they have changed.
                (Some(Body::File(content, _)), Some(Ok(listed))) if listed.size == content.size => {
                    self.read(listed, Some(*content))
                }
                (Some(Body::File(..)), Some(Ok(_))) => {
                    Row::Found(check.name().into(), found(Status::Changed))
                }
                (Some(Body::File(..)), Some(Err(reason))) => {
                    Row::Found(check.name().into(), Some(Verdict::error(reason)))
                }
                _ if check.item.is_none() && is_unknown(&check) => continue,
                _ => {
                    let found = judge.map_or_else(
                        || without_reading(&check),
                        |judge| judge.look(&check, recorded.as_ref(), &Moves::default()),
                    );
                    Row::Found(check.name().into(), found)
                }
            };
            self.rows.push(row);
        }
        Ok(())
    }

    fn list_to_tag(&mut self, walked: Walked, abouts: Abouts, judge: Option<&Judge<'_>>) -> Result<()> {
        let mut failures = Failures(walked.errors.iter().map(|(name, why)| failure(name, why)).collect());
        for (item, about) in walked.items.into_iter().zip(abouts) {
            let row = match (item.kind, about, judge) {
                (_, Some(Ok(listed)), _) => Ok(self.read(listed, None)),
                (_, Some(Err(reason)), _) => Err(reason),
                (Kind::Link, None, Some(judge)) => match judge.reader.tree().target(&item.name) {
                    Ok(target) => Ok(Row::Link(item.name.clone(), target)),
                    Err(error) => Err(error.to_string()),
                },
                _ => Err("neither a file nor a link".into()),
            };
            match row {
                Ok(row) => self.rows.push(row),
                Err(reason) => failures.0.push(failure(&item.name, &reason)),
            }
        }
        failures.check()?;
        if let Goal::Tag { target, writer } = &mut self.goal {
            // Created before anything is read: a folder that cannot be written to must not be a surprise
            // after hours.
            let label = self.options.label.clone();
            // Version 1: objects in stores have no times that version 2 could record.
            let header = Header { label, scope: self.scope.clone(), edition: None };
            let empty = self.options.allow_empty;
            *writer = Some(Box::new(target.writer(&self.keys, &header)?.allow_empty(empty)));
        }
        Ok(())
    }

    /// Adds an object to those that tasks read.
    fn read(&mut self, listed: Listed, recorded: Option<Content>) -> Row {
        self.objects.push(listed);
        Row::Read(self.objects.len() - 1, recorded)
    }

    /// Cuts what is to be read into tasks for this many threads. Returns the number of tasks.
    ///
    /// # Errors
    /// If there are more than 33,333 x 2^40 bytes.
    pub fn plan(&mut self, threads: usize) -> Result<u64> {
        self.plan = Plan::new(&self.objects, threads)?;
        self.joining = Some(Joining::new(&self.plan, &self.objects, &self.keys.file));
        Ok(self.plan.shares.len() as u64)
    }

    /// Returns the sealed bytes of a task.
    ///
    /// # Errors
    /// If there is no task with this index, or the system gives no random numbers.
    pub fn task(&self, index: u64) -> Result<Vec<u8>> {
        self.seal.seal_task(&self.planned(index)?.to_bytes())
    }

    fn planned(&self, index: u64) -> Result<Task> {
        self.plan.task(&self.objects, index).with_context(|| format!("there is no task {index}"))
    }

    /// Takes the sealed result of a task. Results may come in any order and repeatedly; only the
    /// first of each task counts.
    ///
    /// # Errors
    /// If it is not the result of its task, in this run and under this key.
    pub fn join(&mut self, sealed: &[u8]) -> Result<()> {
        let index = seal::index(sealed).context("the bytes are no result of a task")?;
        // The index is not authentic yet. It only selects the task, whose bytes the seal authenticates.
        let task = self.planned(index)?;
        let result = self.seal.open(&task.to_bytes(), sealed)?;
        let joining = self.joining.as_mut().context("nothing was planned")?;
        // Engines retry tasks, so that results may come twice. Each must be joined only once.
        if joining.is_done(index) {
            return Ok(());
        }
        let outcomes = outcomes(&task, &result)?;
        joining.take(&self.plan, &self.keys.file, &task, outcomes)
    }

    /// Returns the number of bytes read by tasks whose results have come.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.joining.as_ref().map_or(0, |joining| joining.bytes)
    }

    /// Ends the run: writes the manifest, complete or not at all, or returns the findings.
    ///
    /// # Errors
    /// If nothing was listed, or results are missing. When tagging, also if anything could not be read, the manifest cannot be
    /// written, or another command has changed the one that it replaces.
    pub fn finish(self) -> Result<Finished> {
        let Session { goal, rows, objects, joining, .. } = self;
        let joining = joining.context("nothing was planned")?;
        ensure!(joining.left() == 0, "{} results are missing", joining.left());
        let entries = rows.len();
        match goal {
            Goal::Tag { target, writer: Some(writer) } => {
                let _held = target.last()?;
                write(*writer, &rows, &objects, &joining)?;
                Ok(Finished { entries, findings: Vec::new() })
            }
            Goal::Tag { .. } | Goal::Verify { records: Some(_) } => bail!("nothing was listed"),
            Goal::Verify { records: None } => {
                let findings = rows.into_iter().filter_map(|row| finding(row, &objects, &joining)).collect();
                Ok(Finished { entries, findings })
            }
        }
    }
}
