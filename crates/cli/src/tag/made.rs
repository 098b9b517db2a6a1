//! A public list between its writing and its name.
use std::collections::BTreeMap;

use crate::about::About;
use crate::output::NewFile;
use crate::read::Content;

/// A public list that is complete but for its name.
pub(super) struct Made {
    pub(super) file: NewFile,
    pub(super) name: Vec<u8>,
    pub(super) content: Content,
    pub(super) about: About,
    /// The states of the files of which the list has digests.
    pub(super) states: BTreeMap<Vec<u8>, About>,
}
