//! The public-key encryption scheme under the KEM, and the concatenated code.
//!
//! With secret x and y, s = x + h y is public. A ciphertext is u = r1 + h r2 and v = m G + s r2 + e, where m
//! G is the codeword of the message. Decryption computes v - u y, which is m G plus an error that the code
//! corrects.
use crate::array::Array;
use crate::code::{reed_muller, reed_solomon};
use crate::keccak::{Advance, SHAKE256, Stream, run};
use crate::profile::{ErrorOrder, Profile};
use crate::ring::{Factor, Ring, Workspace};
use crate::sample;
use crate::secret::{SecretBytes, SecretSupport, SecretWords, wipe};
use crate::set::ParameterSet;
use carryless_gf2::poly::from_exponents;

/// The public polynomials h and s of an encapsulation key.
pub(crate) enum Public<'a, S: ParameterSet> {
    /// As ring elements, for a single operation.
    Plain { h: &'a S::Ring, s: &'a S::Ring },
    /// Prepared as factors, for many operations with one key.
    Prepared { h: &'a Factor<S>, s: &'a Factor<S> },
}

/// The parts u and v of a ciphertext. Wiped when dropped.
pub(crate) struct Body<S: ParameterSet> {
    pub(crate) u: S::Ring,
    pub(crate) v: S::Code,
}

impl<S: ParameterSet> Body<S> {
    pub(crate) fn zeroed() -> Self {
        Body { u: Array::zeroed(), v: Array::zeroed() }
    }
}

impl<S: ParameterSet> Drop for Body<S> {
    /// Wipes both parts: what decapsulation encrypts again is secret unless it equals the ciphertext.
    fn drop(&mut self) {
        wipe(self.u.as_mut());
        wipe(self.v.as_mut());
    }
}

/// Encrypts a message deterministically, with r1, r2 and e sampled from `seed` (theta). Constant time.
///
/// Streams in `beside` advance in the same permutations. Large results are written in place.
pub(crate) fn encrypt<S: ParameterSet, P: Profile>(
    ring: &Ring<S>,
    public: &Public<'_, S>,
    message: &S::Message,
    seed: &[u8],
    beside: &mut [&mut dyn Advance],
    space: &mut Workspace<S>,
    body: &mut Body<S>,
) {
    let mut stream = SecretBytes::<S::ErrorStream>::zeroed();
    let input = [seed, P::RULES.stream_domain];
    run(ring.cpu(), &mut [&mut Stream::new(SHAKE256, &input, stream.as_mut())], beside);
    let stream = stream.as_ref();
    let ErrorOrder { r1, r2, e } = P::RULES.error_order;

    // Elements start as the errors themselves; products are added to them.
    let mut r2_element = SecretWords::<S::Ring>::zeroed();
    let mut sum = SecretWords::<S::Ring>::zeroed();
    error::<S, P>(ring, stream, r2, &mut r2_element);
    error::<S, P>(ring, stream, r1, &mut body.u);
    error::<S, P>(ring, stream, e, &mut sum);
    match *public {
        Public::Plain { h, s } => {
            // r2 takes part in both products: prepared once, it serves as a factor of both.
            ring.set_factor(&r2_element, space);
            ring.mul_add_factor(h, &mut body.u, space);
            ring.mul_add_factor(s, &mut sum, space);
        }
        Public::Prepared { h, s } => {
            ring.mul_add(&r2_element, h, &mut body.u, space);
            ring.mul_add(&r2_element, s, &mut sum, space);
        }
    }
    encode::<S>(ring, message, &mut body.v);
    // v has fewer coefficients than the ring: the last ones of s r2 + e are dropped. The sum is one of words:
    // v fills whole words.
    add(body.v.as_mut(), (*sum).as_ref());
}

/// Sets `element` to the error number `place` (0, 1 or 2) of the stream.
fn error<S: ParameterSet, P: Profile>(ring: &Ring<S>, stream: &[u8], place: usize, element: &mut S::Ring) {
    let mut positions = SecretSupport::<S::ErrorSupport>::zeroed();
    // Four bytes for each position, whatever their values: the place of a sample in the stream is public.
    let start = place * sample::read_bytes::<P>(4 * S::W_R);
    sample::errors::<S, P>(ring.cpu(), &stream[start..], positions.as_mut());
    set_support(ring, (*positions).as_ref(), element);
}

/// Sets `element` to the ring element with ones at these positions. Constant time: no address depends on a position.
pub(crate) fn set_support<S: ParameterSet>(ring: &Ring<S>, positions: &[u32], element: &mut S::Ring) {
    from_exponents(ring.cpu(), positions, element.as_mut());
}

/// Decrypts u and v to `message`, in constant time.
///
/// A ciphertext that was not made for this key gives an arbitrary message, without any sign of it.
pub(crate) fn decrypt<S: ParameterSet>(
    ring: &Ring<S>,
    y: &Factor<S>,
    body: &Body<S>,
    space: &mut Workspace<S>,
    message: &mut S::Message,
) {
    // v + u y = m G + x r2 + r1 y + e, as s = x + h y and so h r2 y cancels. x, y, r1, r2 and e are sparse:
    // the last three terms are the error that the code has to correct.
    let mut received = SecretWords::<S::Code>::zeroed();
    // A copy: the ciphertext itself is compared with the second encryption afterwards.
    *received = body.v;
    add_product(ring, &body.u, y, received.as_mut(), space);
    decode::<S>(ring, (*received).as_ref(), message);
}

/// Adds the first coefficients of a b to `sum`, as many as v has.
pub(crate) fn add_product<S: ParameterSet>(
    ring: &Ring<S>,
    a: &S::Ring,
    b: &Factor<S>,
    sum: &mut [u64],
    space: &mut Workspace<S>,
) {
    let mut product = SecretWords::<S::Ring>::zeroed();
    ring.mul_add(a, b, &mut product, space);
    add(sum, (*product).as_ref());
}

/// Encodes a message by the concatenated code: Reed-Solomon symbols, each as copies of a Reed-Muller codeword.
pub(crate) fn encode<S: ParameterSet>(ring: &Ring<S>, message: &S::Message, code: &mut S::Code) {
    let mut symbols = SecretBytes::<S::Symbols>::zeroed();
    reed_solomon::encode::<S>(ring.cpu(), message.as_ref(), symbols.as_mut());
    reed_muller::encode((*symbols).as_ref(), S::COPIES, code.as_mut());
}

/// Decodes a word of the concatenated code, in constant time. With too many errors the message is arbitrary.
pub(crate) fn decode<S: ParameterSet>(ring: &Ring<S>, received: &[u64], message: &mut S::Message) {
    let mut symbols = SecretBytes::<S::Symbols>::zeroed();
    reed_muller::decode(ring.cpu(), received, S::COPIES, symbols.as_mut());
    reed_solomon::decode::<S>(ring.cpu(), (*symbols).as_ref(), message.as_mut());
}

/// Adds the first words of `a` to `sum`, in F2\[X\].
fn add(sum: &mut [u64], a: &[u64]) {
    // `zip` ends with the shorter operand, v, so the last coefficients of the product are dropped.
    for (sum, a) in sum.iter_mut().zip(a) {
        *sum ^= a;
    }
}
