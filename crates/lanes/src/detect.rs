//! Detection of the features of the CPU, for the tables of backends.

/// `cpu_has!("avx2", "gfni")`: a `bool`, whether the CPU has all of these features and the operating system saves their
/// registers. The CPU or the operating system is asked once; the answer is cached in a static.
#[allow(unused_macros, reason = "on targets whose backends need no detection")]
macro_rules! cpu_has {
    ($($feature:tt),+) => {{
        cpufeatures::new!(features, $($feature),+);
        features::get()
    }};
}

#[allow(unused_imports, reason = "on targets whose backends need no detection")]
pub(crate) use cpu_has;
