//! The dispatch from a [`Cpu`](crate::Cpu) to its backend.
//!
//! A kernel is compiled once for each backend whose arm calls it.

/// Matches on `$cpu`, with one arm for each backend of this build. Evaluates `$call` with `$m` bound to the backend
/// that the macro `$choice` makes of it, or `$otherwise` if that has none.
macro_rules! on_backend {
    ($cpu:expr, $choice:ident($m:ident) => $call:expr $(, else $otherwise:expr)?) => {
        integer_backends!(match_backend! { $cpu, $choice($m => $call $(, $otherwise)?) })
    };
}

/// The `match` of [`on_backend`], from the rows of the table.
macro_rules! match_backend {
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
                #[allow(unused_variables, reason = "backends that the choice leaves out")]
                Cpu::$Variant(backend, ..) => $choice! { $kind backend $arguments },
            )+)+
        }
    };
}

/// Chooses the backend itself, whatever its kind is.
macro_rules! any {
    ($kind:ident $backend:ident ($m:ident => $call:expr)) => {{
        let $m = $backend;
        $call
    }};
}

/// Chooses the backend if it has vectors with 52-bit multiply-add.
macro_rules! with_ifma {
    (ifma $backend:ident ($m:ident => $call:expr, $otherwise:expr)) => {{
        let $m = $backend;
        $call
    }};
    ($kind:ident $backend:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        $otherwise
    };
}

/// Chooses the backend with as many lanes and without 52-bit multiply-add, unless it is the portable one.
macro_rules! without_ifma {
    (portable $backend:ident ($m:ident => $call:expr, $otherwise:expr)) => {
        $otherwise
    };
    (vectors $backend:ident ($m:ident => $call:expr, $otherwise:expr)) => {{
        let $m = $backend;
        $call
    }};
    (ifma $backend:ident ($m:ident => $call:expr, $otherwise:expr)) => {{
        let $m = $backend.without_ifma();
        $call
    }};
}

pub(crate) use {any, match_backend, on_backend, with_ifma, without_ifma};
