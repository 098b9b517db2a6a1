//! Writes manifests.
use anyhow::{Result, ensure};
use carryless_aead::file_mac::Stream;

use super::header::Header;
use super::record::Body;
use super::{BATCH, MAC};
use crate::about::Metadata;
use crate::exit::stdout_error;
use crate::mac::Keys;
use crate::name::{escape, hex};
use crate::output::NewFile;

/// The destination of a manifest.
pub(crate) enum Sink {
    /// A new file, which gets its name when it is complete.
    File(NewFile),
    /// Standard output, where an incomplete manifest lacks its MAC.
    Stdout(std::io::Stdout),
    /// Nowhere: only the tags of files are wanted.
    Nothing,
}

impl Sink {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stdout(out) => std::io::Write::write_all(out, bytes).map_err(stdout_error),
            Self::Nothing => Ok(()),
        }
    }

    /// Writes a file to the disk under its temporary name, so that nothing but a rename can fail after it. Other
    /// destinations need no such step.
    pub(crate) fn synchronise(&mut self) -> Result<()> {
        if let Self::File(file) = self { file.synchronise() } else { Ok(()) }
    }

    /// Gives a complete manifest its name.
    pub(crate) fn commit(self) -> Result<()> {
        match self {
            Self::File(file) => file.commit(),
            Self::Stdout(mut out) => std::io::Write::flush(&mut out).map_err(stdout_error),
            Self::Nothing => Ok(()),
        }
    }
}

/// Writes a manifest line by line, and authenticates it meanwhile.
pub(crate) struct Writer {
    sink: Sink,
    /// The MAC of the text that was written.
    message: Stream,
    /// Text that is neither authenticated nor written yet.
    pub(super) pending: String,
    metadata: Metadata,
    /// The name of the last record.
    last: Option<Vec<u8>>,
    /// Whether it may end now: entries were recorded, or none are needed.
    may_be_empty: bool,
}

impl Writer {
    /// Begins a manifest: its header lines and the empty line after them.
    pub(crate) fn new(sink: Sink, keys: &Keys, header: &Header) -> Self {
        let mut pending = String::new();
        for line in header.to_lines(keys) {
            pending.push_str(&line);
            pending.push('\n');
        }
        pending.push('\n');
        let message = keys.manifest.stream();
        Self { sink, message, pending, metadata: header.metadata(), last: None, may_be_empty: false }
    }

    /// Sets whether the manifest may have no entries.
    pub(crate) fn allow_empty(self, allow: bool) -> Self {
        Self { may_be_empty: allow, ..self }
    }

    /// Appends a record. Fails unless names come in ascending order of their bytes, none twice: no reader would accept the
    /// manifest, which must not replace a good one.
    pub(crate) fn record(&mut self, name: &[u8], body: &Body) -> Result<()> {
        // One entry suffices, but not a failure: a manifest of failures alone must not replace a good one.
        self.may_be_empty |= *body != Body::Error;
        self.record_beside(name, body)
    }

    /// Appends the record of a file that the command itself has written, as a public list beside the manifest. Alone it is
    /// no reason for a manifest, so it does not count as an entry for [`check_found`](Self::check_found).
    pub(crate) fn record_beside(&mut self, name: &[u8], body: &Body) -> Result<()> {
        ensure!(
            self.last.as_deref().is_none_or(|last| last < name),
            "no manifest written: {} would be recorded twice or out of order",
            escape(name)
        );
        let last = self.last.get_or_insert_default();
        last.clear();
        last.extend_from_slice(name);
        body.push(&mut self.pending, name, self.metadata);
        if self.pending.len() >= BATCH {
            self.pass_on()?;
        }
        Ok(())
    }

    /// Fails if the manifest has no records but must have some. The manifest of a disk that is not mounted
    /// must not replace that of the disk.
    pub(crate) fn check_found(&self) -> Result<()> {
        ensure!(
            self.may_be_empty,
            "no manifest written: no file was found, or filters left out all (--allow-empty writes one without entries)"
        );
        Ok(())
    }

    /// Ends the manifest with its MAC, and gives the file its name. Fails if writing does, or if
    /// [`check_found`](Self::check_found) does.
    pub(crate) fn finish(self) -> Result<()> {
        self.complete()?.commit()
    }

    /// Ends the manifest with its MAC. The file keeps its temporary name until [`Sink::commit`]. Fails as
    /// [`finish`](Self::finish) does.
    pub(crate) fn complete(mut self) -> Result<Sink> {
        self.check_found()?;
        self.pass_on()?;
        // The MAC covers everything but its own line.
        let mac = self.message.finalize();
        self.sink.write(format!("{MAC}{}\n", hex(mac.as_bytes())).as_bytes())?;
        Ok(self.sink)
    }

    /// Authenticates and writes the pending lines, then clears them.
    fn pass_on(&mut self) -> Result<()> {
        // The MAC covers the text as written, header included, so that the reader checks bytes before
        // meaning.
        self.message.update(self.pending.as_bytes());
        self.sink.write(self.pending.as_bytes())?;
        self.pending.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mac::MasterKey;
    use crate::scope::Scope;
    use carryless_aead::file_mac::Algorithm;
    use carryless_hash::Cpu;

    #[test]
    fn records_out_of_order_are_refused() {
        let keys = Keys::derive(&MasterKey::zeroed(), Algorithm::default(), Cpu::detect());
        let header = Header { label: None, scope: Scope::empty(), edition: None };
        let mut writer = Writer::new(Sink::Nothing, &keys, &header);
        let mut record = |name: &[u8]| writer.record(name, &Body::Link(b"to".to_vec()));
        record(b"b").expect("the first");
        for name in [&b"b"[..], b"a", b""] {
            let refused = record(name).expect_err("not after b").to_string();
            assert!(refused.contains("recorded twice or out of order"), "{refused}");
        }
        record(b"b/a").expect("the next");
    }
}
