//! Calls that the tests of times and of steps compare.

/// A call that may take secrets.
pub struct Call<'a> {
    /// Name in the output: the backend, a length, and the functions.
    pub name: String,
    /// Whether a leak was planted, which must be seen.
    pub planted: bool,
    /// Makes the call once, with the secrets that `secret` holds at that time.
    pub run: Box<dyn FnMut() + 'a>,
}

impl<'a> Call<'a> {
    /// A call that must not leak.
    pub fn new(name: String, run: impl FnMut() + 'a) -> Self {
        Call { name, planted: false, run: Box::new(run) }
    }
}
