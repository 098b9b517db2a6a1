//! carryless as a Python package: the module `carryless._carryless`, which `python/carryless` re-exports with
//! types. The manual is book/src/python.md.
//!
//! `unsafe` code stands in `input` only, where Python's buffers become slices.
#![deny(unsafe_code)]

mod bits;
#[cfg(feature = "tree")]
mod cluster;
mod codes;
#[cfg(feature = "curve")]
mod ec;
mod element;
mod error;
mod field;
mod gf2x;
mod group;
mod hash;
#[cfg(feature = "hqc")]
mod hqc;
#[allow(unsafe_code)]
mod input;
mod integer;
mod inversion;
mod linear;
mod polynomial;
#[cfg(feature = "tree")]
mod tree;
mod univariate;

use pyo3::PyClass;
use pyo3::prelude::*;

/// Alignment in bytes that Python's allocator guarantees for objects.
const OBJECT_ALIGNMENT: usize = 16;

/// Adds a class. Python's allocator places its values, so that types which need more alignment, such as
/// powers of keys, must be in boxes.
fn add_class<T: PyClass>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // At compile time, since a misaligned value would be undefined behaviour.
    const { assert!(align_of::<T>() <= OBJECT_ALIGNMENT) };
    module.add_class::<T>()
}

#[pymodule]
mod _carryless {
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("TagMismatch", module.py().get_type::<error::TagMismatch>())?;
        hash::add(module)?;
        gf2x::add(module)?;
        field::add(module)?;
        linear::add(module)?;
        codes::add(module)?;
        group::add(module)?;
        univariate::add(module)?;
        element::add(module)?;
        #[cfg(feature = "hqc")]
        hqc::add(module)?;
        #[cfg(feature = "curve")]
        ec::add(module)?;
        #[cfg(feature = "tree")]
        tree::add(module)?;
        #[cfg(feature = "tree")]
        cluster::add(module)?;
        Ok(())
    }
}
