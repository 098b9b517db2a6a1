//! The output of `tag` and `verify`: lines for people and for scripts in the style of GNU tools, or lines of
//! JSON.
use std::io::{self, BufWriter, Stdout, Write as _};
use std::path::Path;

use anyhow::Result;
use carryless_aead::file_mac::Algorithm;
use serde::Serialize;

use crate::about::JsonAbout;
use crate::date::utc;
use crate::exit::stdout_error;
use crate::lines::LineFormat;
use crate::manifest::Body;
use crate::name::{self, escape, hex};
use crate::verdict::{NOT_RECORDED, Status, Verdict};

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Lines of `NAME: STATUS` with escaped names.
    Lines,
    /// `NAME: STATUS` with names as they are, each entry ended by a zero byte.
    Zero,
    /// JSON objects, one in each line.
    Json,
    /// Tags of files under this algorithm, as lines that other programs print, and nothing else.
    Tags(LineFormat, Algorithm),
}

impl Form {
    /// Returns the form that the options --json and --zero choose.
    pub(crate) fn of(json: bool, zero: bool) -> Self {
        match (json, zero) {
            (true, _) => Self::Json,
            (_, true) => Self::Zero,
            _ => Self::Lines,
        }
    }
}

/// A file name in JSON: text if it is UTF-8, otherwise hexadecimal digits.
#[derive(Serialize)]
pub struct JsonName<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_hex: Option<String>,
}

impl<'a> JsonName<'a> {
    fn new(name: &'a [u8]) -> Self {
        // JSON strings are Unicode. Hexadecimal digits keep any other name without loss.
        let path = std::str::from_utf8(name).ok();
        Self { path, path_hex: path.is_none().then(|| hex(name)) }
    }

    /// Returns the name of a file as the user gave it.
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
    from: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_hex: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
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
        #[serde(flatten)]
        about: JsonAbout,
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

/// Returns the old name of a file for the end of a line, where `: ok` or ` (accepted)` in it would pass for the verdict.
fn escape_old(name: &[u8]) -> String {
    escape(name).replace(": ", "\\x3a ").replace(ACCEPTED, " \\x28accepted)")
}

/// The word after an accepted change.
const ACCEPTED: &str = " (accepted)";

/// Writes a report to standard output, through a buffer.
pub(crate) struct Report {
    form: Form,
    out: BufWriter<Stdout>,
}

impl Report {
    /// Creates a report without entries.
    pub(crate) fn new(form: Form) -> Self {
        // Standard output is line-buffered otherwise: a system call for each of many short lines.
        Self { form, out: BufWriter::with_capacity(64 << 10, io::stdout()) }
    }

    /// Writes the result of verifying one name.
    pub(crate) fn verdict(&mut self, name: &[u8], verdict: &Verdict) -> Result<()> {
        self.any(name, verdict, None)
    }

    /// Writes the result of verifying one name, and whether it was accepted.
    pub(crate) fn decision(&mut self, name: &[u8], verdict: &Verdict, accepted: bool) -> Result<()> {
        self.any(name, verdict, Some(accepted))
    }

    fn any(&mut self, name: &[u8], verdict: &Verdict, accepted: Option<bool>) -> Result<()> {
        let (status, from) = (verdict.status, verdict.from());
        let word = |accepted| if accepted == Some(true) { ACCEPTED } else { "" };
        match self.form {
            Form::Lines | Form::Tags(..) => {
                let from = from.map(|from| format!(" from {}", escape_old(from))).unwrap_or_default();
                let (name, status, accepted) = (escape(name), status.word(), word(accepted));
                writeln!(self.out, "{name}: {status}{from}{accepted}").map_err(stdout_error)
            }
            // Unescaped: the zero byte, which no name contains, separates entries unambiguously.
            Form::Zero => {
                let from = from.map(|from| [b" from ", from].concat()).unwrap_or_default();
                let parts = [name, b": ", status.word().as_bytes(), &from, word(accepted).as_bytes(), b"\0"];
                parts.iter().try_for_each(|part| self.out.write_all(part)).map_err(stdout_error)
            }
            Form::Json => {
                let from = from.map(JsonName::new);
                let (from, from_hex) = from.map_or((None, None), |name| (name.path, name.path_hex));
                let (name, message) = (JsonName::new(name), verdict.message.as_deref());
                self.json(&JsonStatus { name, status, from, from_hex, accepted, message })
            }
        }
    }

    /// Writes an entry of a manifest: in lines with kind, size and time, otherwise the name alone or all in JSON.
    pub(crate) fn entry(&mut self, name: &[u8], body: &Body) -> Result<()> {
        let shown = escape(name);
        match (self.form, body) {
            (Form::Json, _) => return self.record(name, body),
            (Form::Zero, _) => [name, b"\0"].iter().try_for_each(|part| self.out.write_all(part)),
            (Form::Lines | Form::Tags(..), Body::File(content, about)) => {
                let modified = about.modified().map_or("-".into(), |moment| utc(moment.seconds));
                writeln!(self.out, "file {} {modified} {shown}", content.size)
            }
            (Form::Lines | Form::Tags(..), Body::Link(target)) => {
                writeln!(self.out, "link - - {shown} -> {}", escape(target))
            }
            (Form::Lines | Form::Tags(..), Body::Error) => writeln!(self.out, "error - - {shown}"),
        }
        .map_err(stdout_error)
    }

    /// Writes a record of a manifest, in JSON or, if it is a file, as a line with its tag. Other forms have none.
    pub(crate) fn record(&mut self, name: &[u8], body: &Body) -> Result<()> {
        if let (Form::Tags(format, algorithm), Body::File(content, _)) = (self.form, body) {
            let line = format.line(algorithm.name(), name, content.tag.as_bytes());
            return self.out.write_all(&line).map_err(stdout_error);
        }
        let name = JsonName::new(name);
        match (self.form, body) {
            (Form::Json, Body::File(content, about)) => {
                let tag = hex(content.tag.as_bytes());
                self.json(&JsonRecord::File { name, size: content.size, tag, about: about.json() })
            }
            (Form::Json, Body::Link(target)) => {
                let JsonName { path: target, path_hex: target_hex } = JsonName::new(target);
                self.json(&JsonRecord::Link { name, target, target_hex })
            }
            (Form::Json, Body::Error) => self.json(&JsonRecord::Error { name, message: NOT_RECORDED }),
            _ => Ok(()),
        }
    }

    /// Writes why a name has no record. Only the JSON format has these.
    pub(crate) fn failure(&mut self, name: &[u8], message: &str) -> Result<()> {
        match self.form {
            Form::Json => self.json(&JsonRecord::Error { name: JsonName::new(name), message }),
            _ => Ok(()),
        }
    }

    /// Writes any value as a line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<()> {
        let line = name::json(value)?;
        writeln!(self.out, "{line}").map_err(stdout_error)
    }

    /// Writes the buffer to standard output. Errors would be lost if this were left to `drop`.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.out.flush().map_err(stdout_error)
    }
}
