//! The KEM HQC.
mod parameters;
mod responses;

pub(crate) use parameters::Parameters;
pub(crate) use responses::{MOST_RESPONSES, responses};
