//! Status codes of functions, and the guard that turns panics into one.
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The status that functions return. carryless_strerror gives a text for each value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum carryless_status {
    /// Success: outputs are written, and a tag or signature that was compared is right.
    Ok = 0,
    /// A pointer is null where the function needs one.
    Null = 1,
    /// A buffer has the wrong length.
    Length = 2,
    /// A pointer to words or to a state is not aligned.
    Alignment = 3,
    /// An output overlaps another argument.
    Overlap = 4,
    /// A tag or a signature does not belong to the message under the key.
    Mismatch = 5,
    /// The pointer is to no state of this kind, or to one that is finished.
    State = 6,
    /// A number or an encoding is not one that the function takes: a key out of range, a point that is not on the curve, a reducible polynomial.
    Value = 7,
    /// A constant that names an algorithm, a curve or a scheme is unknown, or not in this build.
    Unsupported = 8,
    /// The heap has no memory for a state, where memory of the caller would do, or for the messages of a batch.
    Memory = 9,
    /// A part of a message is not the one that comes next, or belongs to another key.
    Order = 10,
    /// A defect of this library. The state that the function was given may only be freed.
    Internal = 11,
    /// A function of the caller stopped the computation.
    Stopped = 12,
    /// The system gives no random bytes.
    Random = 13,
}

use carryless_status as Status;

/// Runs the body of an exported function. A panic becomes `Internal`: it must not unwind into C.
#[inline(always)]
pub(crate) fn call(body: impl FnOnce() -> Result<(), Status>) -> Status {
    // Unwind safety is not needed: after `Internal` a state may only be freed.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(status)) => status,
        Err(panic) => {
            // Its destructor might panic as well.
            std::mem::forget(panic);
            Status::Internal
        }
    }
}

/// English texts of the statuses, by their numbers. They are static, so that C never frees them.
const TEXTS: [&CStr; 14] = [
    c"success",
    c"a pointer is null",
    c"a buffer has the wrong length",
    c"a pointer is not aligned",
    c"an output overlaps another argument",
    c"the tag or signature does not belong to the message under the key",
    c"not a state of this kind, or one that is finished",
    c"a number or an encoding is not valid",
    c"unknown, or not in this build of the library",
    c"out of memory",
    c"a part of a message is not the one that comes next, or belongs to another key",
    c"internal error",
    c"stopped by the caller",
    c"the system gives no random bytes",
];

/// The text of a status, in English, valid for ever; for other numbers "unknown status".
pub(crate) fn text(status: i32) -> &'static CStr {
    usize::try_from(status).ok().and_then(|status| TEXTS.get(status)).copied().unwrap_or(c"unknown status")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_do_not_leave() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        assert_eq!(call(|| panic!("planted")), Status::Internal);
        std::panic::set_hook(hook);
        assert_eq!(call(|| Err(Status::Null)), Status::Null);
        assert_eq!(call(|| Ok(())), Status::Ok);
    }

    #[test]
    fn texts_are_those_of_their_statuses() {
        assert_eq!(text(Status::Internal as i32), c"internal error");
        assert_eq!(text(Status::Null as i32), c"a pointer is null");
        assert_eq!(text(Status::Stopped as i32), c"stopped by the caller");
        assert_eq!(text(14), text(-1));
    }
}
