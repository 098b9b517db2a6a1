//! The dispatch from a [`Cpu`](crate::Cpu) to its machine.
//!
//! A kernel is compiled once for each machine whose arm calls it.

/// Matches on `$cpu`, with one arm for each machine of this build. Evaluates `$call` with `$m` bound to the machine
/// that the macro `$choice` makes of it, or `$otherwise` if that has none.
macro_rules! on_machine {
    ($cpu:expr, $choice:ident($m:ident) => $call:expr $(, else $otherwise:expr)?) => {
        integer_machines!(match_machine! { $cpu, $choice($m => $call $(, $otherwise)?) })
    };
}

/// The `match` of [`on_machine`], from the rows of the table.
macro_rules! match_machine {
    (
        { $cpu:expr, $choice:ident $arguments:tt }
        $(#[cfg($cfg:meta)] {
            $(
                $(#[$doc:meta])+
                $name:literal $kind:ident $Variant:ident($Token:ty $(, $Class:ty)?) $(if $detected:expr)?;
            )+
        })+
    ) => {
        match $cpu {
            $($(
                #[cfg($cfg)]
                #[allow(unused_variables, reason = "machines that the choice leaves out")]
                Cpu::$Variant(machine, ..) => $choice! { $kind machine $arguments },
            )+)+
        }
    };
}

/// Chooses the machine itself, whatever its kind is.
macro_rules! any {
    ($kind:ident $machine:ident ($m:ident => $call:expr)) => {{
        let $m = $machine;
        $call
    }};
}

/// Chooses the machine if it has 52-bit multiply-add. The portable one does, by plain integers.
macro_rules! with_ifma {
    (vectors $machine:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        $otherwise
    };
    // Kinds `portable` and `ifma`: the arm above has matched `vectors`.
    ($kind:ident $machine:ident ($m:ident => $call:expr, $otherwise:expr)) => {{
        let $m = $machine;
        $call
    }};
}

/// Chooses the machine with as many lanes and without 52-bit multiply-add, unless it is the portable one.
macro_rules! without_ifma {
    (portable $machine:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        $otherwise
    };
    (vectors $machine:ident ($m:ident => $call:expr, $otherwise:expr)) => {{
        let $m = $machine;
        $call
    }};
    (ifma $machine:ident ($m:ident => $call:expr, $otherwise:expr)) => {{
        let $m = $machine.without_ifma();
        $call
    }};
}

pub(crate) use {any, match_machine, on_machine, with_ifma, without_ifma};
