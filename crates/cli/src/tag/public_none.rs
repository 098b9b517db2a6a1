//! This build reads no lists, and writes no public ones.
use anyhow::Result;

use super::TagArgs;
use super::made::Made;
use crate::mac::Keys;
use crate::read::Reader;
use crate::scope::Scope;
use crate::walk::{Item, Walked};

/// The public list. This build makes none, so that no value exists.
pub(super) enum Public {}

impl Public {
    pub(super) fn of(_: &TagArgs, _: &Scope) -> Result<Option<Self>> {
        Ok(None)
    }

    pub(super) fn leave_out(&self, _: &mut Walked) {
        match *self {}
    }

    pub(super) fn add_to(&self, _: &mut Scope) {
        match *self {}
    }

    pub(super) fn list(&self, _: &Keys, _: &[Item], _: &Reader<'_>, _: &rayon::ThreadPool) -> Result<Made> {
        match *self {}
    }
}
