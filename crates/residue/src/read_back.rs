//! The bytes of values with keys, read back after `zeroize()` and after drop.
use std::fmt::Debug;
use std::hint::black_box;
use std::mem::MaybeUninit;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A value in memory of its own, which can be read after the value is dropped.
struct Place<T>(Box<MaybeUninit<T>>);

impl<T> Place<T> {
    /// A copy of `original` in zeroed memory of its own. Bytes that the value does not use, such as those of
    /// an empty `Option`, may hold data of earlier calls in `original`, but not in the copy.
    fn new(original: &T) -> Self
    where
        T: Clone,
    {
        let mut place = Box::new(MaybeUninit::zeroed());
        // `clone` may build the value on the stack, and padding comes along when it is moved.
        overwrite_stack();
        copy_to(&mut place, original);
        Place(place)
    }

    fn value(&mut self) -> &mut T {
        // SAFETY: `new` wrote it, and `dropped` and `into_inner` consume the place.
        unsafe { self.0.assume_init_mut() }
    }

    fn into_inner(self) -> T {
        // SAFETY: as in `value`.
        unsafe { self.0.assume_init_read() }
    }

    /// The bytes of the value as it is.
    fn bytes(&self) -> Vec<u8> {
        let start = self.0.as_ptr().cast::<u8>();
        // SAFETY: inside the box. Padding and unused variants of enums have bytes, too, which a volatile read brings as
        // they are.
        (0..size_of::<T>()).map(|i| unsafe { start.add(i).read_volatile() }).collect()
    }

    /// The bytes that the value leaves when it is dropped.
    fn dropped(mut self) -> Vec<u8> {
        // SAFETY: as in `value`; nothing uses it afterwards.
        unsafe { self.0.assume_init_drop() };
        self.bytes()
    }
}

#[inline(never)]
fn overwrite_stack() {
    black_box(&mut [0x55_u8; 256 << 10]);
}

#[inline(never)]
fn copy_to<T: Clone>(place: &mut MaybeUninit<T>, original: &T) {
    place.write(original.clone());
}

/// The places where two values differ, if there are at least 16, or eight in a row, which are a word of a
/// key. Fewer are padding after a small field: it is copied along with the field, and no code can wipe it.
fn differences(a: &[u8], b: &[u8]) -> Vec<usize> {
    let all: Vec<usize> = (0..a.len()).filter(|&i| a[i] != b[i]).collect();
    let is_word = all.windows(8).any(|eight| eight[7] - eight[0] == 7);
    if is_word || all.len() >= 16 { all } else { Vec::new() }
}

/// The places that a value uses, if changing all of them changes its digest; else none. Other places are padding and
/// the room of unused variants, where the optimiser leaves what it likes and which no safe code can wipe.
fn used<T>(
    mut places: Vec<usize>,
    fresh: impl Fn() -> Place<T>,
    digest: &impl Fn(T) -> [u8; 16],
) -> Vec<usize> {
    if places.is_empty() {
        return places;
    }
    let (plain, mut changed) = (fresh(), fresh());
    // Words that differ between two values of one key are pointers to the heap, or in no use.
    let (a, b) = (plain.bytes(), changed.bytes());
    let same_word = |i: usize| {
        let word = i / 8 * 8..a.len().min(i / 8 * 8 + 8);
        a[word.clone()] == b[word]
    };
    places.retain(|&i| same_word(i));
    for &i in &places {
        // SAFETY: inside the box; these bytes differ between keys, so they are parts of words or in no use.
        unsafe { *changed.0.as_mut_ptr().cast::<u8>().add(i) ^= 0xff };
    }
    if digest(plain.into_inner()) == digest(changed.into_inner()) { Vec::new() } else { places }
}

/// Compares values of two keys that are otherwise the same: once they are wiped, no byte and no digest may
/// tell the keys apart. `key` makes a key from a seed, `make` a value from a key, and `feed` brings the value
/// into the state to be tested.
///
/// # Panics
/// If the bytes, a digest or `Debug` tell the keys apart.
#[track_caller]
pub fn check<K, T: Clone + Zeroize + ZeroizeOnDrop + Debug>(
    what: &str,
    key: impl Fn(u64) -> K,
    make: impl Fn(&K) -> T,
    feed: impl Fn(&K, &mut T),
    digest: impl Fn(T) -> [u8; 16],
) {
    let keys = [1, 2].map(key);
    let fresh = |key| {
        let mut place = Place::new(&make(key));
        feed(key, place.value());
        place
    };
    let two = || keys.each_ref().map(fresh);
    let left = |a: &[u8], b: &[u8]| used(differences(a, b), || fresh(&keys[0]), &digest);
    let [mut a, mut b] = two();
    assert!(differences(&a.bytes(), &b.bytes()).len() >= 12, "{what}: keys show in the bytes");
    assert_eq!(format!("{:?}", a.value()), format!("{:?}", b.value()), "{what}: keys show in Debug");
    let before = digest(a.value().clone());
    a.value().zeroize();
    b.value().zeroize();
    assert_eq!(left(&a.bytes(), &b.bytes()), Vec::<usize>::new(), "{what}: left by zeroize()");
    let [a, b] = [a, b].map(|place| digest(place.into_inner()));
    assert!(a == b && (a != before || a == [0; 16]), "{what}: digests after zeroize()");
    let [a, b] = two().map(Place::dropped);
    assert_eq!(left(&a, &b), Vec::<usize>::new(), "{what}: left by drop");
}

/// [`check`] for values that are copied and so are not wiped when they are dropped: after `zeroize()` no byte tells `a` from `b`.
///
/// # Panics
/// If one does, or if none did before.
#[track_caller]
pub fn check_zeroize<T: Clone + Zeroize>(what: &str, a: &T, b: &T) {
    let [mut a, mut b] = [a, b].map(Place::new);
    assert!(differences(&a.bytes(), &b.bytes()).len() >= 12, "{what}: values show in the bytes");
    a.value().zeroize();
    b.value().zeroize();
    assert_eq!(differences(&a.bytes(), &b.bytes()), Vec::<usize>::new(), "{what}: left by zeroize()");
}

/// The bytes that a value leaves when it is dropped in its place.
pub fn bytes_after_drop<T>(value: T) -> Vec<u8> {
    Place(Box::new(MaybeUninit::new(value))).dropped()
}

/// The bytes of a value as it is, padding included.
pub fn bytes_of<T: Clone>(value: &T) -> Vec<u8> {
    Place::new(value).bytes()
}
