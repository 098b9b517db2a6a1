//! Arrays whose length belongs to a parameter set.
use zeroize::Zeroize;

mod sealed {
    pub trait Sealed {}
}

/// An array `[T; N]`, for any N. Implemented by nothing else.
pub trait Array<T>:
    AsRef<[T]> + AsMut<[T]> + Copy + Send + Sync + Zeroize + sealed::Sealed + 'static
{
    /// All zeros.
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
