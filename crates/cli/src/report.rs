//! What `tag` and `verify` say on standard output: lines for people and GNU-like scripts, or JSON lines.
use std::io::{self, BufWriter, Stdout, Write as _};
use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use crate::exit::stdout_error;
use crate::manifest::Body;
use crate::name::{self, escape, hex};

/// What `verify` found about a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Status {
    /// As recorded.
    Ok,
    /// Not as recorded: contents, size, kind or link target.
    Changed,
    /// Recorded, no longer there.
    Missing,
    /// There, not recorded.
    New,
    /// It could not be told; a line on standard error says why.
    Error,
}

impl Status {
    /// The word of the report.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Changed => "changed",
            Self::Missing => "missing",
            Self::New => "new",
            Self::Error => "error",
        }
    }
}

/// The form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `NAME: STATUS`, the name escaped, in lines.
    Lines,
    /// `NAME: STATUS`, the name as it is, each ended by a zero byte.
    Zero,
    /// JSON objects in lines.
    Json,
}

/// A file name in JSON: as text if it is UTF-8, otherwise in hexadecimal.
#[derive(Serialize)]
pub struct JsonName<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_hex: Option<String>,
}

impl<'a> JsonName<'a> {
    fn new(name: &'a [u8]) -> Self {
        let path = std::str::from_utf8(name).ok();
        Self { path, path_hex: path.is_none().then(|| hex(name)) }
    }

    /// The name of a file as the user gave it.
    pub fn of(path: &'a Path) -> Self {
        Self::new(path.as_os_str().as_encoded_bytes())
    }
}

#[derive(Serialize)]
struct JsonStatus<'a> {
    #[serde(flatten)]
    name: JsonName<'a>,
    status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum JsonRecord<'a> {
    File {
        #[serde(flatten)]
        name: JsonName<'a>,
        size: u64,
        tag: String,
    },
    Link {
        #[serde(flatten)]
        name: JsonName<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        target: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        target_hex: Option<String>,
    },
    Error {
        #[serde(flatten)]
        name: JsonName<'a>,
        message: &'a str,
    },
}

/// Writes the report to standard output.
pub(crate) struct Report {
    form: Form,
    out: BufWriter<Stdout>,
}

impl Report {
    /// An empty report.
    pub(crate) fn new(form: Form) -> Self {
        Self { form, out: BufWriter::with_capacity(64 << 10, io::stdout()) }
    }

    /// One name of a verification.
    pub(crate) fn status(&mut self, name: &[u8], status: Status, message: Option<&str>) -> Result<()> {
        match self.form {
            Form::Lines => writeln!(self.out, "{}: {}", escape(name), status.word()).map_err(stdout_error),
            Form::Zero => {
                let parts = [name, b": ", status.word().as_bytes(), b"\0"];
                parts.iter().try_for_each(|part| self.out.write_all(part)).map_err(stdout_error)
            }
            Form::Json => self.json(&JsonStatus { name: JsonName::new(name), status, message }),
        }
    }

    /// One record of a manifest, in the JSON form only.
    pub(crate) fn record(&mut self, name: &[u8], body: &Body) -> Result<()> {
        let name = JsonName::new(name);
        match (self.form, body) {
            (Form::Json, Body::File(content)) => {
                let tag = hex(content.tag.as_bytes());
                self.json(&JsonRecord::File { name, size: content.size, tag })
            }
            (Form::Json, Body::Link(target)) => {
                let JsonName { path: target, path_hex: target_hex } = JsonName::new(target);
                self.json(&JsonRecord::Link { name, target, target_hex })
            }
            _ => Ok(()),
        }
    }

    /// Why a name has no record, in the JSON form only.
    pub(crate) fn failure(&mut self, name: &[u8], message: &str) -> Result<()> {
        match self.form {
            Form::Json => self.json(&JsonRecord::Error { name: JsonName::new(name), message }),
            _ => Ok(()),
        }
    }

    /// Any object as a line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<()> {
        let line = name::json(value)?;
        writeln!(self.out, "{line}").map_err(stdout_error)
    }

    /// Hands everything to the reader.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.out.flush().map_err(stdout_error)
    }
}
