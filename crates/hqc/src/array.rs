//! Arrays whose length belongs to a parameter set.
use zeroize::Zeroize;

mod sealed {
    pub trait Sealed {}
}

/// An array `[T; N]` of any length N. The trait is sealed: no other type implements it.
///
/// It stands for arrays whose length depends on a parameter set, which generic code cannot express on stable Rust.
pub trait Array<T>:
    AsRef<[T]> + AsMut<[T]> + Copy + Send + Sync + Zeroize + sealed::Sealed + 'static
{
    /// Returns the array whose elements are all `T::default()`, which is zero for the integer types.
    #[must_use]
    fn zeroed() -> Self;
}

impl<T, const N: usize> sealed::Sealed for [T; N] {}

impl<T, const N: usize> Array<T> for [T; N]
where
    T: Copy + Default + Send + Sync + Zeroize + 'static,
{
    #[inline]
    fn zeroed() -> Self {
        [T::default(); N]
    }
}
