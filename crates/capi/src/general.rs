//! Functions for states of all kinds, and for statuses.
use crate::kind::*;
use crate::memory::{Output, Region, apart};
use crate::state::{self, Opaque};
use crate::status::{call, carryless_status, carryless_status as Status, text};
use std::alloc::Layout;
use std::ffi::{c_char, c_void};

/// Code that is generic over the kind of a state, which C gives as a number.
trait Visitor {
    type Output;
    fn visit<O: Opaque>(self) -> Self::Output;
}

fn dispatch<V: Visitor>(kind: u32, visitor: V) -> Result<V::Output, Status> {
    Ok(match kind {
        CARRYLESS_KIND_POLY1305 => visitor.visit::<crate::poly1305::carryless_poly1305>(),
        #[cfg(feature = "file-mac")]
        CARRYLESS_KIND_FILE_MAC => visitor.visit::<crate::file_mac::carryless_file_mac>(),
        #[cfg(feature = "file-mac")]
        CARRYLESS_KIND_FILE_MAC_STREAM => visitor.visit::<crate::file_mac::carryless_file_mac_stream>(),
        #[cfg(feature = "file-mac")]
        CARRYLESS_KIND_FILE_MAC_PARTS => visitor.visit::<crate::file_mac::carryless_file_mac_parts>(),
        #[cfg(feature = "poly")]
        CARRYLESS_KIND_POLY_PLAN => visitor.visit::<crate::poly::carryless_poly_plan>(),
        #[cfg(feature = "field")]
        CARRYLESS_KIND_FIELD => visitor.visit::<crate::field::carryless_field>(),
        #[cfg(feature = "wegman-carter")]
        CARRYLESS_KIND_WEGMAN_CARTER => visitor.visit::<crate::wegman_carter::carryless_wegman_carter>(),
        #[cfg(feature = "wegman-carter")]
        CARRYLESS_KIND_WEGMAN_CARTER_STREAM => {
            visitor.visit::<crate::wegman_carter::carryless_wegman_carter_stream>()
        }
        #[cfg(feature = "universal")]
        CARRYLESS_KIND_UNIVERSAL => visitor.visit::<crate::universal::carryless_universal>(),
        #[cfg(feature = "universal")]
        CARRYLESS_KIND_UNIVERSAL_STREAM => visitor.visit::<crate::universal::carryless_universal_stream>(),
        #[cfg(feature = "hqc")]
        CARRYLESS_KIND_HQC_ENCAPSULATION_KEY => {
            visitor.visit::<crate::hqc_keys::carryless_hqc_encapsulation_key>()
        }
        #[cfg(feature = "hqc")]
        CARRYLESS_KIND_HQC_DECAPSULATION_KEY => {
            visitor.visit::<crate::hqc_keys::carryless_hqc_decapsulation_key>()
        }
        _ => return Err(Status::Unsupported),
    })
}

/// The version of the header, MAJOR.MINOR.PATCH; carryless_version has that of the library.
pub const CARRYLESS_VERSION_MAJOR: u32 = 0;
/// The second number of the version.
pub const CARRYLESS_VERSION_MINOR: u32 = 1;
/// The third number of the version.
pub const CARRYLESS_VERSION_PATCH: u32 = 0;

// cbindgen writes no constants that it would have to compute.
const _: () = assert!(
    CARRYLESS_VERSION_MAJOR == number(env!("CARGO_PKG_VERSION_MAJOR"))
        && CARRYLESS_VERSION_MINOR == number(env!("CARGO_PKG_VERSION_MINOR"))
        && CARRYLESS_VERSION_PATCH == number(env!("CARGO_PKG_VERSION_PATCH"))
);

/// The number that these decimal digits mean.
const fn number(digits: &str) -> u32 {
    match u32::from_str_radix(digits, 10) {
        Ok(number) => number,
        Err(_) => panic!("no number"),
    }
}

/// The layout of a state of the kind.
struct LayoutOf;

impl Visitor for LayoutOf {
    type Output = Layout;
    fn visit<O: Opaque>(self) -> Layout {
        state::layout::<O>()
    }
}

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn carryless_version() -> *const c_char {
    // C wants a zero byte at the end.
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The text of a status, in English; for numbers that are none "unknown status". Never null, never to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn carryless_strerror(status: i32) -> *const c_char {
    text(status).as_ptr()
}

/// The bytes that a state of this kind takes, one of CARRYLESS_KIND_*, and its alignment. They may change with every version of the library.
///
/// # Safety
/// Pointers are null, or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_layout(
    kind: u32,
    size: *mut usize,
    alignment: *mut usize,
) -> carryless_status {
    call(|| {
        let (size, alignment) = (Output::one(size)?, Output::one(alignment)?);
        apart(size.region, &[alignment.region])?;
        let layout = dispatch(kind, LayoutOf)?;
        // SAFETY: the caller's promise; the two are apart.
        unsafe {
            size.write(&[layout.size()])?;
            alignment.write(&[layout.align()])
        }
    })
}

/// A copy of a state of any kind, in `memory`, or on the heap if `memory` is null and `memory_len` 0.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `state` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_copy(
    state: *const c_void,
    memory: *mut c_void,
    memory_len: usize,
    copy: *mut *mut c_void,
) -> carryless_status {
    struct Copy(*const c_void, *mut c_void, usize, *mut *mut c_void);
    impl Visitor for Copy {
        type Output = Result<(), Status>;
        fn visit<O: Opaque>(self) -> Result<(), Status> {
            let Copy(state, memory, size, out) = self;
            let state = state.cast::<O>();
            let inputs = [state::region(state)];
            // SAFETY: the caller's promise; the kind was read from the state.
            unsafe {
                state::place(memory, size, out.cast::<*mut O>(), &inputs, || Ok(state::get(state)?.clone()))
            }
        }
    }
    call(|| {
        // SAFETY: the caller's promise.
        let kind = unsafe { state::kind(state) };
        // What is no state cannot be written over: the handle is cleared wherever it is.
        let bytes = kind.map_or(Ok(0), |(kind, _)| dispatch(kind, LayoutOf).map(|layout| layout.size()))?;
        let others = [Region::new(state.addr(), bytes), Region::new(memory.addr(), memory_len)];
        // SAFETY: the caller's promise.
        unsafe { state::clear_handle(copy, &others)? };
        let (kind, finished) = kind?;
        // The bytes of a finished state are wiped, and a clone of them would be no value.
        if finished {
            return Err(Status::State);
        }
        dispatch(kind, Copy(state, memory, memory_len, copy))?
    })
}

/// Wipes a state of any kind, wherever it lies, and frees what this library allocated. Null is no error.
///
/// # Safety
/// `state` is null, or came from this library; nobody uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_free(state: *mut c_void) -> carryless_status {
    struct Free(*mut c_void);
    impl Visitor for Free {
        type Output = ();
        fn visit<O: Opaque>(self) {
            // SAFETY: the caller's promise; the kind was read from the state.
            unsafe { state::free::<O>(self.0) }
        }
    }
    call(|| {
        if state.is_null() {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        // A finished state may be freed, too.
        let (kind, _) = unsafe { state::kind(state)? };
        dispatch(kind, Free(state))
    })
}
