//! Tags and verifies trees and collections of objects by the workers of a cluster, with the manifests of the
//! command.
//!
//! [`Session`] belongs to the client. It lists what there is, cuts it into at most [`MAX_TASKS`] tasks,
//! joins the results, and writes a manifest or compares with one. [`Worker`] reads and hashes what a task
//! says.
//!
//! Tasks and results are bytes that any engine can carry, in any order, repeatedly, and to any number of
//! workers. Both are encrypted and bound to their run, and results also to their task (`seal`). They must be:
//! hashes of parts are as secret as the keys of the hash. book/src/clusters.md has the construction and its
//! security.
//!
//! ```
//! # fn main() -> anyhow::Result<()> {
//! use carryless_cli::cluster::{Session, Worker};
//! use carryless_cli::tree::{Key, Options};
//! use std::sync::Arc;
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("a"), "contents")?;
//! let (key, manifest) = (Key::new(&[7; 32]), folder.path().join("manifest"));
//! let mut options = Options::default();
//! options.base = folder.path().into();
//! let mut session = Session::to_tag(&[".".into()], &key, &manifest, options, true)?;
//! session.list_files(&Arc::default())?;
//! let tasks = session.plan(4)?;
//! let worker = Worker::new(&key, session.algorithm(), session.run_id(), &session.scope())?; // on another computer
//! for index in 0..tasks {
//!     let task = session.task(index)?;
//!     session.join(&worker.read_files(folder.path(), &task)?)?;
//! }
//! assert_eq!(session.finish()?.entries, 1);
//! # Ok(())
//! # }
//! ```
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;
mod join;
mod list;
mod results;
mod rows;
mod seal;
mod session;
mod task;
mod worker;

pub use seal::{FORMAT, RunId};
pub use session::{Finished, Session};
pub use task::{Listed, MAX_TASKS};
pub use worker::{PART_BYTES, Reading, Worker};
