//! Binary curves of OpenSSL (`EC_POINT_mul`, ECDSA), from the `libcrypto.so.3` that the loader finds.
#![allow(unsafe_code)]
mod ecdsa;

use crate::algebra::{Operation as _, subject};
use crate::curves::case::{Case, Operation, Parameters};
use crate::f2x::digest;
use crate::input::Input;
use crate::subject::{Runner, Subject, Work};
use ecdsa::Ecdsa;
use libloading::Library;
use std::ffi::{CString, c_char, c_int, c_void};
use std::mem::take;
use std::ptr::{null, null_mut};

type Ptr = *mut c_void;

/// Functions of the library, which is never unloaded.
#[derive(Clone, Copy)]
struct Crypto {
    library: &'static Library,
    nid: unsafe extern "C" fn(*const c_char) -> c_int,
    group_new: unsafe extern "C" fn(c_int) -> Ptr,
    group_free: unsafe extern "C" fn(Ptr),
    point_new: unsafe extern "C" fn(Ptr) -> Ptr,
    point_free: unsafe extern "C" fn(Ptr),
    /// Arguments: group, point, x, y, context.
    set: unsafe extern "C" fn(Ptr, Ptr, Ptr, Ptr, Ptr) -> c_int,
    get: unsafe extern "C" fn(Ptr, Ptr, Ptr, Ptr, Ptr) -> c_int,
    /// Arguments: group, result, factor of G, point, factor of the point, context. Null leaves a product out.
    mul: unsafe extern "C" fn(Ptr, Ptr, *const c_void, *const c_void, *const c_void, Ptr) -> c_int,
    bn_free: unsafe extern "C" fn(Ptr),
    ctx_new: unsafe extern "C" fn() -> Ptr,
    ctx_free: unsafe extern "C" fn(Ptr),
    read: unsafe extern "C" fn(*const u8, c_int, Ptr) -> Ptr,
    write: unsafe extern "C" fn(Ptr, *mut u8, c_int) -> c_int,
}

/// OpenSSL's products on a curve, and ECDSA. None if OpenSSL is not installed or does not know the curve.
pub(crate) fn subjects(curve: &Parameters) -> Vec<(Operation, Subject)> {
    let (Some(crypto), Some(oid)) = (Crypto::load(), curve.oid) else { return vec![] };
    let oid = CString::new(oid).expect("no zero byte");
    // SAFETY: the text ends with a zero byte.
    let nid = unsafe { (crypto.nid)(oid.as_ptr()) };
    // Made once and freed, to learn whether this OpenSSL knows the curve.
    // SAFETY: any number may be asked for.
    let group = unsafe { (crypto.group_new)(nid) };
    if group.is_null() {
        return vec![];
    }
    // SAFETY: it was made above.
    unsafe { (crypto.group_free)(group) };
    let one = |operation| {
        subject("openssl", operation, "any", EcGroup { crypto, nid, operation, curve: curve.clone() })
    };
    let protocol =
        |operation| Some(subject("openssl", operation, "any", Ecdsa::new(crypto, nid, operation, curve)?));
    let products = [Operation::Variable, Operation::Fixed, Operation::Double].map(one);
    products
        .into_iter()
        .chain([Operation::Verify, Operation::Sign].into_iter().filter_map(protocol))
        .collect()
}

impl Crypto {
    fn load() -> Option<Crypto> {
        // SAFETY: the library does nothing but set itself up when it is loaded, and is never unloaded; the
        // types are those of its header.
        unsafe {
            let library: &Library = Box::leak(Box::new(Library::new("libcrypto.so.3").ok()?));
            Some(Crypto {
                library,
                nid: *library.get(b"OBJ_txt2nid\0").ok()?,
                group_new: *library.get(b"EC_GROUP_new_by_curve_name\0").ok()?,
                group_free: *library.get(b"EC_GROUP_free\0").ok()?,
                point_new: *library.get(b"EC_POINT_new\0").ok()?,
                point_free: *library.get(b"EC_POINT_free\0").ok()?,
                set: *library.get(b"EC_POINT_set_affine_coordinates\0").ok()?,
                get: *library.get(b"EC_POINT_get_affine_coordinates\0").ok()?,
                mul: *library.get(b"EC_POINT_mul\0").ok()?,
                bn_free: *library.get(b"BN_clear_free\0").ok()?,
                ctx_new: *library.get(b"BN_CTX_new\0").ok()?,
                ctx_free: *library.get(b"BN_CTX_free\0").ok()?,
                read: *library.get(b"BN_lebin2bn\0").ok()?,
                write: *library.get(b"BN_bn2lebinpad\0").ok()?,
            })
        }
    }
}

impl Crypto {
    /// A number of the library from little-endian bytes.
    fn number(&self, bytes: &[u8]) -> Ptr {
        // SAFETY: `bytes` has the length given; null asks for a new number.
        let number = unsafe { (self.read)(bytes.as_ptr(), bytes.len() as c_int, null_mut()) };
        assert!(!number.is_null(), "no memory");
        number
    }

    /// A number of the library from big-endian bytes.
    fn scalar(&self, bytes: &[u8]) -> Ptr {
        self.number(&bytes.iter().rev().copied().collect::<Vec<u8>>())
    }

    /// A number of the library from words of 64 bits, least significant first.
    fn element(&self, words: &[u64]) -> Ptr {
        self.number(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
    }
}

struct EcGroup {
    crypto: Crypto,
    nid: c_int,
    operation: Operation,
    curve: Parameters,
}

impl Work for EcGroup {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let mut call = Call::new(self, &Case::new(&self.curve, input));
        let mut fresh = true;
        Box::new(move |tags, times| {
            if take(&mut fresh) {
                call.run();
                tags[0] = digest(&call.result());
            }
            for _ in 0..times {
                call.run();
            }
        })
    }
}

/// Operands in the library's form, and a call on them. The result is converted to affine coordinates, as ours is.
struct Call<'a> {
    work: &'a EcGroup,
    group: Ptr,
    point: Ptr,
    out: Ptr,
    k: Ptr,
    l: Ptr,
    x: Ptr,
    y: Ptr,
    context: Ptr,
}

impl<'a> Call<'a> {
    fn new(work: &'a EcGroup, case: &Case) -> Call<'a> {
        let crypto = &work.crypto;
        // SAFETY: all make something new; the curve is known, as `subjects` has seen.
        let (group, context) = unsafe { ((crypto.group_new)(work.nid), (crypto.ctx_new)()) };
        // SAFETY: the group is live.
        let (point, out) = unsafe { ((crypto.point_new)(group), (crypto.point_new)(group)) };
        let [x, y] = case.point.each_ref().map(|words| crypto.element(words));
        let (k, l) = (crypto.scalar(&case.k), crypto.scalar(&case.l));
        assert!([group, context, point, out].iter().all(|made| !made.is_null()), "no memory");
        // SAFETY: all are live.
        assert_eq!(unsafe { (crypto.set)(group, point, x, y, context) }, 1, "libcrypto takes the point");
        Call { work, group, point, out, k, l, x, y, context }
    }

    fn run(&mut self) {
        // The operand is in `point`, so that the result may overwrite x and y.
        let Call { work: EcGroup { crypto, operation, .. }, group, point, out, k, l, x, y, context } = *self;
        let (for_generator, point, for_point) = match operation {
            Operation::Fixed => (k.cast_const(), null(), null()),
            Operation::Double => (k.cast_const(), point.cast_const(), l.cast_const()),
            _ => (null(), point.cast_const(), k.cast_const()),
        };
        // SAFETY: all are live; null stands for no product.
        let done = unsafe {
            (crypto.mul)(group, out, for_generator, point, for_point, context) == 1
                && (crypto.get)(group, out, x, y, context) == 1
        };
        assert!(done, "libcrypto fails: {}", operation.name());
    }

    /// x and y of the result, in words of 64 bits.
    fn result(&self) -> Vec<u64> {
        let words = self.work.curve.bits.div_ceil(64);
        let read = |number: Ptr| {
            let mut bytes = vec![0; 8 * words];
            // SAFETY: `bytes` has the length given.
            unsafe { (self.work.crypto.write)(number, bytes.as_mut_ptr(), bytes.len() as c_int) };
            bytes.chunks(8).map(crate::f2x::word).collect::<Vec<u64>>()
        };
        [read(self.x), read(self.y)].concat()
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let crypto = &self.work.crypto;
        // SAFETY: each is freed once, the group after its points.
        unsafe {
            for number in [self.k, self.l, self.x, self.y] {
                (crypto.bn_free)(number);
            }
            (crypto.point_free)(self.point);
            (crypto.point_free)(self.out);
            (crypto.group_free)(self.group);
            (crypto.ctx_free)(self.context);
        }
    }
}
