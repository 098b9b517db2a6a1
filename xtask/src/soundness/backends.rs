//! The claims about the portable backend, which defines all others: its arithmetic is that of the
//! instructions in Intel's manuals.
//!
//! The right sides are Intel's pseudo-code in words of a lane: `VPMULUDQ`, `VPADDQ`, `VPSUBQ`, `VPSRLQ`, `VPSLLQ`, `VPANDQ`, `VPORQ`,
//! `VPMADD52LUQ`, `VPMADD52HUQ`, `VPBLENDMD`.
use crate::claims::{Claim, TRUE, claim, constant};
use crate::reader::Reader;
use crate::smt::{Flag, Word, ones};
use crate::value::{Read, Value};

/// The definition of an operation: its result for one lane of each operand and a shift count.
type Definition<const N: usize> = fn(&mut Reader<'_>, [Word; N], u32) -> Word;

fn backend() -> Value {
    Value::Struct("Portable".into(), Vec::new())
}

/// The claim that `Trait::name` equals its definition for free words of these widths, and for the count
/// `k` if it takes one.
fn operation<const N: usize>(
    name: &'static str,
    widths: [u32; N],
    k: Option<u32>,
    is: Definition<N>,
) -> Claim {
    let title = k.map_or(format!("portable {name}"), |k| format!("portable {name}({k})"));
    claim(title, move |reader| {
        let words = widths.map(|width| reader.script.fresh(width, "w"));
        let mut args = vec![backend()];
        args.extend(words.iter().cloned().map(Value::Word));
        args.extend(k.map(|k| Value::Word(Word::constant(32, k.into()))));
        let result = reader.call(name, args)?.word()?;
        let defined = is(reader, words, k.unwrap_or(0));
        Ok((TRUE, reader.script.equal(&result, &defined)))
    })
}

pub(crate) fn all() -> Vec<Claim> {
    let mut all =
        vec![carry_out(), limbs("Lanes::limb", 0), limbs("Lanes::low32", 0), limbs("Lanes::high32", 32)];
    // TEMP[i] := SRC1[31:0] * SRC2[31:0], each lane.
    all.push(operation("Lanes::mul32", [64, 64], None, |reader, [a, b], _| {
        let [a, b] = [a, b].map(|word| low(reader, &word, 32));
        reader.product(&a, &b)
    }));
    all.push(operation("Ifma::madd52lo", [64; 3], None, |reader, words, _| madd52(reader, words, 0)));
    all.push(operation("Ifma::madd52hi", [64; 3], None, |reader, words, _| madd52(reader, words, 52)));
    all.push(operation("Lanes::add", [64, 64], None, |reader, [a, b], _| {
        reader.script.binary("bvadd", &a, &b)
    }));
    all.push(operation("Ifma::sub", [64, 64], None, |reader, [a, b], _| {
        reader.script.binary("bvsub", &a, &b)
    }));
    // Only the analyses require operands without a common bit. The backend computes the OR of any two.
    all.push(operation("Lanes::concat", [64, 64], None, |reader, [a, b], _| {
        reader.script.binary("bvor", &a, &b)
    }));
    // Any mask, though kernels pass zero or all ones.
    all.push(operation("Lanes::select", [64, 64], None, |reader, [a, b], _| {
        reader.script.binary("bvand", &a, &b)
    }));
    all.push(operation("Shuffle32::blend32", [64, 64], None, |reader, [a, b], _| {
        let (low, high) = (low(reader, &a, 32), reader.script.binary("bvand", &b, &constant(ones(32) << 32)));
        reader.script.binary("bvor", &low, &high)
    }));
    // One claim for each count. About a shift by a free count z3 gives no answer in time.
    for k in 0..64 {
        all.push(operation("Lanes::shr", [64], Some(k), |reader, [a], k| {
            reader.script.binary("bvlshr", &a, &constant(k.into()))
        }));
        all.push(operation("Lanes::shl", [64], Some(k), |reader, [a], k| {
            reader.script.binary("bvshl", &a, &constant(k.into()))
        }));
        all.push(operation("Lanes::low_bits", [64], Some(k), |reader, [a], k| low(reader, &a, k)));
    }
    all.extend((0..64).map(shr_wide));
    all
}

/// The low `k` bits of a 64-bit word, at most 64; the other bits become zero.
fn low(reader: &mut Reader<'_>, word: &Word, k: u32) -> Word {
    reader.script.binary("bvand", word, &constant((1 << k) - 1))
}

/// DEST[i] := DEST[i] + ZeroExtend64(TEMP128[51 + from:from]), TEMP128 the product of the low 52 bits of the sources.
fn madd52(reader: &mut Reader<'_>, [acc, a, b]: [Word; 3], from: u32) -> Word {
    let [a, b] = [a, b].map(|word| low(reader, &word, 52));
    let wide = [a, b].map(|word| reader.script.resize(&word, 128));
    let product = reader.product(&wide[0], &wide[1]);
    let part = reader.script.binary("bvlshr", &product, &Word::constant(128, from.into()));
    let part = reader.script.resize(&part, 64);
    let part = low(reader, &part, 52);
    reader.script.binary("bvadd", &acc, &part)
}

/// The claim that a multiplicand is the 32 bits of the lane from bit `from` on.
fn limbs(name: &'static str, from: u32) -> Claim {
    claim(format!("portable {name}"), move |reader| {
        let w = reader.script.fresh(64, "w");
        let result = reader.call(name, vec![backend(), Value::Word(w.clone())])?.word()?;
        let shifted = reader.script.binary("bvlshr", &w, &constant(from.into()));
        let defined = low(reader, &shifted, 32);
        Ok((TRUE, reader.script.equal(&result, &defined)))
    })
}

/// The claim about the shift of a 128-bit number to 64 bits, which the code makes of two shifts and a sum.
/// With a count of zero the high word must be zero.
fn shr_wide(k: u32) -> Claim {
    claim(format!("portable Words::shr_wide({k})"), move |reader| {
        let a = reader.script.fresh(128, "a");
        let given = match k {
            0 => reader.script.at_most(&a, &Word::constant(128, ones(64))),
            _ => TRUE,
        };
        let args = vec![backend(), Value::Word(a.clone()), Value::Word(Word::constant(32, k.into()))];
        let result = reader.call("Words::shr_wide", args)?.word()?;
        let shifted = reader.script.binary("bvlshr", &a, &Word::constant(128, k.into()));
        let defined = reader.script.resize(&shifted, 64);
        Ok((given, reader.script.equal(&result, &defined)))
    })
}

/// The claim that it returns the sum modulo 2^128, and 1 if the sum is 2^128 or more, else 0.
fn carry_out() -> Claim {
    fn build(reader: &mut Reader<'_>) -> Read<(Flag, Flag)> {
        let [a, b] = ["a", "b"].map(|name| reader.script.fresh(128, name));
        let args = vec![backend(), Value::Word(a.clone()), Value::Word(b.clone())];
        let mut result = reader.call("Words::add_carry", args)?;
        let (sum, carry) =
            (result.field("0")?.word()?, result.field("1")?.clone().sized(&mut reader.script, 64)?);
        let defined = reader.script.binary("bvadd", &a, &b);
        // A sum modulo 2^128 is less than a summand exactly if it wrapped.
        let wrapped = reader.script.compare("bvult", &defined, &a);
        let one = reader.script.choose(&wrapped, &constant(1), &constant(0));
        let both = [reader.script.equal(&sum, &defined), reader.script.equal(&carry, &one)];
        Ok((TRUE, reader.script.all(&both)))
    }
    claim("portable Words::add_carry", build)
}
