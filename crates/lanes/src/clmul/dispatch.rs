//! The dispatch from a [`ClmulCpu`](super::ClmulCpu) to its backend.
//!
//! A kernel is compiled once for each backend whose arm calls it. So the macros below also choose for which backends it
//! is compiled. They read the kind of a backend from its row in the table (`backends.rs`): the number of lanes, then
//! `gfni` for a backend with GFNI, or `analysis` for one that checks kernels in tests and runs on no CPU.

/// Matches on `$cpu`, with one arm for each backend of this build. The macro `$choice` maps that backend to the one that
/// runs, or to none. Evaluates `$call` with `$m` bound to it, or `$otherwise` for none.
macro_rules! on_backend {
    ($cpu:expr, $choice:ident($m:ident) => $call:expr $(, else $otherwise:expr)?) => {
        clmul_backends!(match_backend! { $cpu, $choice($m => $call $(, $otherwise)?) })
    };
}

/// The `match` of [`on_backend`], from the rows of the table.
macro_rules! match_backend {
    (
        { $cpu:expr, $choice:ident $arguments:tt }
        $(#[cfg($cfg:meta)] $group:ident {
            $(
                $(#[$doc:meta])+
                $name:literal $kind:tt $Variant:ident($Token:ty) $(if $detected:expr)?;
            )+
        })+
    ) => {
        match $cpu {
            $($(
                #[cfg($cfg)]
                #[allow(unused_variables, reason = "backends that the choice leaves out")]
                ClmulCpu::$Variant(backend) => $choice! { $kind backend $arguments },
            )+)+
        }
    };
}

/// Chooses the backend itself, whatever its kind is. There is always one, so it takes no `$otherwise`.
macro_rules! any {
    ($kind:tt $backend:ident ($m:ident => $call:expr)) => {{
        let $m = $backend;
        $call
    }};
}

/// Chooses the backend with as many lanes and without GFNI. Most kernels have no use for GFNI, and so are not compiled
/// for it. There is always one, so it takes no `$otherwise`.
macro_rules! without_gfni {
    ([$lanes:literal gfni] $backend:ident ($m:ident => $call:expr)) => {{
        let $m = $backend.without_gfni();
        $call
    }};
    ($kind:tt $backend:ident ($m:ident => $call:expr)) => {{
        let $m = $backend;
        $call
    }};
}

/// Chooses the backend itself, and none for an analysis.
macro_rules! not_analysis {
    ([$lanes:literal analysis] $backend:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        $otherwise
    };
    ($kind:tt $backend:ident ($m:ident => $call:expr, $otherwise:expr)) => {{
        let $m = $backend;
        $call
    }};
}

/// Chooses the backend without GFNI if it has two or four lanes, and none for one lane or an analysis. `soft2` and `soft4`
/// are among them, so that tests run these kernels on every processor; builds for users lack both.
macro_rules! several_lanes {
    ([1] $backend:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        $otherwise
    };
    ([$lanes:literal analysis] $backend:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        $otherwise
    };
    ($kind:tt $backend:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        without_gfni!($kind $backend ($m => $call))
    };
}

/// Chooses as [`several_lanes`], but a backend of two lanes for those that have four.
macro_rules! two_lanes {
    // `[4 analysis]` matches this arm, too, and `several_lanes` then leaves it out.
    ([4 $($gfni:ident)?] $backend:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        several_lanes!([4 $($gfni)?] $backend (four => { let $m = four.two_lanes(); $call }, $otherwise))
    };
    ($kind:tt $backend:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        several_lanes!($kind $backend ($m => $call, $otherwise))
    };
}

pub(super) use {any, match_backend, not_analysis, on_backend, several_lanes, two_lanes, without_gfni};
