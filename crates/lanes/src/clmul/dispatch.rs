//! The dispatch from a [`ClmulCpu`](super::ClmulCpu) to its machine.
//!
//! A kernel is compiled once for each machine whose arm calls it.

/// Matches on `$cpu`, with one arm for each machine of this build. Evaluates `$call` with `$m` bound to the machine
/// that the macro `$choice` makes of it, or `$otherwise` if that has none.
macro_rules! on_machine {
    ($cpu:expr, $choice:ident($m:ident) => $call:expr $(, else $otherwise:expr)?) => {
        clmul_machines!(match_machine! { $cpu, $choice($m => $call $(, $otherwise)?) })
    };
}

/// The `match` of [`on_machine`], from the rows of the table.
macro_rules! match_machine {
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
                #[allow(unused_variables, reason = "machines that the choice leaves out")]
                ClmulCpu::$Variant(machine) => $choice! { $kind machine $arguments },
            )+)+
        }
    };
}

/// Chooses the machine itself, whatever its kind is.
macro_rules! any {
    ($kind:tt $machine:ident ($m:ident => $call:expr)) => {{
        let $m = $machine;
        $call
    }};
}

/// Chooses the machine with as many lanes and without GFNI. Most kernels have no use for GFNI, and so are not
/// compiled for it.
macro_rules! without_gfni {
    ([$lanes:literal gfni] $machine:ident ($m:ident => $call:expr)) => {{
        let $m = $machine.without_gfni();
        $call
    }};
    ($kind:tt $machine:ident ($m:ident => $call:expr)) => {{
        let $m = $machine;
        $call
    }};
}

/// Chooses the machine itself, unless it is an analysis.
macro_rules! not_analysis {
    ([$lanes:literal analysis] $machine:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        $otherwise
    };
    ($kind:tt $machine:ident ($m:ident => $call:expr, $otherwise:expr)) => {{
        let $m = $machine;
        $call
    }};
}

/// Chooses the machine without GFNI if it has two or four lanes, unless it is an analysis. Soft machines with lanes
/// are among them, so that tests run these kernels on every processor; a build for users has none.
macro_rules! several_lanes {
    ([1] $machine:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        $otherwise
    };
    ([$lanes:literal analysis] $machine:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        $otherwise
    };
    ($kind:tt $machine:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        without_gfni!($kind $machine ($m => $call))
    };
}

/// Chooses as [`several_lanes`], with two lanes of the machines that have four.
macro_rules! two_lanes {
    // `[4 analysis]` matches this arm, too, and `several_lanes` then leaves it out.
    ([4 $($gfni:ident)?] $machine:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        several_lanes!([4 $($gfni)?] $machine (four => { let $m = four.two_lanes(); $call }, $otherwise))
    };
    ($kind:tt $machine:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        several_lanes!($kind $machine ($m => $call, $otherwise))
    };
}

pub(super) use {any, match_machine, not_analysis, on_machine, several_lanes, two_lanes, without_gfni};
