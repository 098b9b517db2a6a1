//! What is measured.

/// A call that may take secrets.
pub struct Call<'a> {
    /// What the output calls it.
    pub name: String,
    /// Whether a leak was planted, which must be seen.
    pub planted: bool,
    /// The call.
    pub run: Box<dyn FnMut() + 'a>,
}

impl<'a> Call<'a> {
    /// One that must not leak.
    pub fn new(name: String, run: impl FnMut() + 'a) -> Self {
        Call { name, planted: false, run: Box::new(run) }
    }
}
