//! The C library as an archive, and the trees that packages of distributions install.
use super::{Artefact, Place};
use crate::capi::{self, Places};
use crate::notice::{self, Linked};
use crate::report::{Outcome, Stop};
use crate::shell;
use std::path::PathBuf;

/// The most bytes of the shared library.
const MAX_BYTES: u64 = 2_500_000;

const TARGET: &str = "x86_64-unknown-linux-gnu";

pub(super) fn artefacts() -> Vec<Artefact> {
    vec![
        Artefact::new("c-library-linux-x86_64", archive, attempt),
        Artefact::absent("c-library-windows", "not made: the library has no symbols file for Windows yet"),
        Artefact::absent("c-library-macos", "not made: the library has no build for macOS yet"),
    ]
}

/// The installed library, whose files [`super::distribution`] takes.
pub(super) fn installed(place: &Place) -> Result<Places, Stop> {
    need_this_system()?;
    capi::installed_release(&place.work.join("build/capi"), &place.environment(""))
}

pub(super) fn linked() -> Linked<'static> {
    Linked { target: TARGET, ..capi::LINKED }
}

/// What else is linked into the library.
pub(super) fn notice() -> Result<String, Stop> {
    notice::text(&linked())
}

fn archive(place: &Place) -> Result<Vec<PathBuf>, Stop> {
    let places = installed(place)?;
    Ok(vec![capi::pack(&places, &notice()?, &place.out)?])
}

/// Unpacks the archive and builds the examples on it.
fn attempt(place: &Place, files: &[PathBuf]) -> Outcome {
    let unpacked = capi::unpack(&files[0], &place.empty("c")?)?;
    place.within(&unpacked.lib().join("libcarryless.so.0"), MAX_BYTES)?;
    capi::try_release(&unpacked)
}

fn need_this_system() -> Outcome {
    match shell::host()? == TARGET {
        true => Ok(()),
        false => Err(Stop::NotExercised(format!("not made: the library is built on {TARGET}"))),
    }
}
