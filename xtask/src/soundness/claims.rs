//! The claims about `range.rs`: whatever members the operands have, the result of an operation is a member of
//! the resulting set.
use crate::reader::Reader;
use crate::sets::{is_member, member, unknown};
use crate::smt::{Flag, Term, Word, ones};
use crate::value::{Read, Value};

/// A claim: for words of any value, the first condition that `build` returns implies the second.
pub(crate) struct Claim {
    pub name: String,
    pub build: Box<Build>,
}

type Build = dyn Fn(&mut Reader<'_>) -> Read<(Flag, Flag)> + Sync;

/// The definition of an operation on members: whether it is exact (no carry is lost, factors are
/// narrow enough), and its result.
type Spec<const N: usize> = fn(&mut Reader<'_>, [&Word; N], u32) -> (Flag, Word);

pub(crate) fn claim(
    name: impl Into<String>,
    build: impl Fn(&mut Reader<'_>) -> Read<(Flag, Flag)> + Sync + 'static,
) -> Claim {
    Claim { name: name.into(), build: Box::new(build) }
}

pub(crate) const TRUE: Flag = Term::Const(true);

pub(crate) fn constant(value: u128) -> Word {
    Word::constant(64, value)
}

/// The operation `Range::name` on sets, with `k` where it takes one more argument: if it returns a set at all, it is exact
/// for all members and their result is in that set.
fn operation<const N: usize>(name: &'static str, k: Option<u32>, flag: Option<bool>, spec: Spec<N>) -> Claim {
    let title = match (k, flag) {
        (Some(k), _) => format!("Range::{name}({k})"),
        (None, Some(flag)) => format!("Range::{name}({flag})"),
        _ => format!("Range::{name}"),
    };
    claim(title, move |reader| {
        let (mut sets, mut words, mut given) = (Vec::new(), Vec::new(), TRUE);
        for i in 0..N {
            let (set, w, is) = member(reader, ["a", "b", "c"][i])?;
            sets.push(set);
            words.push(w);
            given = reader.script.and(&given, &is);
        }
        sets.extend(k.map(|k| Value::Word(Word::constant(32, k.into()))));
        sets.extend(flag.map(|flag| Value::Flag(Term::Const(flag))));
        // The claim about `tight` reads its body. All others assume its contract, which that claim proves.
        reader.inlines_tight = name == "tight";
        let result = reader.call(&format!("Range::{name}"), sets)?;
        let words: [&Word; N] = std::array::from_fn(|i| &words[i]);
        // No operation takes both a count and a flag, so one argument serves for either.
        let (exact, word) = spec(reader, words, k.unwrap_or(flag.unwrap_or(false).into()));
        let then = holds(reader, result, &exact, |reader, set| is_member(reader, set, &word))?;
        Ok((given, then))
    })
}

/// The claim about a call that may refuse: if it returns a result, `exact` is true and the result is `right`.
pub(crate) fn holds(
    reader: &mut Reader<'_>,
    result: Value,
    exact: &Flag,
    right: impl FnOnce(&mut Reader<'_>, &Value) -> Read<Flag>,
) -> Read<Flag> {
    let (is, inside) = match result {
        Value::Maybe(is, inside) => (is, inside.map(|inside| *inside)),
        set => (TRUE, Some(set)),
    };
    // `proof::prove` asks whether this is possible at all.
    reader.returned.push(is.clone());
    let Some(inside) = inside else { return Err("it never returns a result".into()) };
    let right = right(reader, &inside)?;
    let both = reader.script.and(exact, &right);
    Ok(reader.script.implies(&is, &both))
}

/// All claims about `Range`, with one for each count from 0 to 63 where an operation takes a count.
pub(crate) fn all() -> Vec<Claim> {
    let mut all = vec![membership(), any(), join(), one_member(), select()];
    all.extend([between(), upto(), halves(), width(), depth(), disjoint(), apart(), bounds()]);
    all.push(tight_never_overflows());
    all.push(operation("tight", None, None, |_, [w], _| (TRUE, w.clone())));
    all.push(operation("limb", None, None, |reader, [w], _| {
        (reader.script.at_most(w, &constant(ones(32))), w.clone())
    }));
    all.push(operation("add", None, None, |reader, [w, v], _| sum(reader, w, v)));
    all.push(operation("sub", None, None, |reader, [w, v], _| {
        (reader.script.at_most(v, w), reader.script.binary("bvsub", w, v))
    }));
    all.push(operation("concat", None, None, |reader, [w, v], _| {
        let common = reader.script.binary("bvand", w, v);
        (reader.script.equal(&common, &constant(0)), reader.script.binary("bvor", w, v))
    }));
    all.push(operation("mul32", None, None, |reader, [w, v], _| {
        let small = [w, v].map(|word| reader.script.at_most(word, &constant(ones(32))));
        (reader.script.all(&small), reader.product(w, v))
    }));
    all.push(operation("with_high_of", None, None, |reader, [w, v], _| {
        let low = reader.script.binary("bvand", w, &constant(ones(32)));
        let high = reader.script.binary("bvand", v, &constant(ones(32) << 32));
        (TRUE, reader.script.binary("bvor", &low, &high))
    }));
    for high in [false, true] {
        all.push(operation("madd52", None, Some(high), multiply_add));
    }
    for k in 0..64 {
        all.push(operation("shr", Some(k), None, |reader, [w], k| {
            (TRUE, reader.script.binary("bvlshr", w, &constant(k.into())))
        }));
        all.push(operation("shl", Some(k), None, |reader, [w], k| {
            // The shift is exact if no set bit leaves the word.
            let lost = reader.script.at_most(w, &constant(ones(64) >> k));
            (lost, reader.script.binary("bvshl", w, &constant(k.into())))
        }));
        all.push(operation("low_bits", Some(k), None, |reader, [w], k| {
            (TRUE, reader.script.binary("bvand", w, &constant((1 << k) - 1)))
        }));
        all.push(low_half_fits(k));
    }
    all
}

/// The sum modulo 2^64, and the condition that it does not wrap.
fn sum(reader: &mut Reader<'_>, w: &Word, v: &Word) -> (Flag, Word) {
    let room = reader.script.complement(w);
    (reader.script.at_most(v, &room), reader.script.binary("bvadd", w, v))
}

/// Intel's VPMADD52LUQ and VPMADD52HUQ: the accumulator plus 52 bits of the product of 52-bit numbers.
fn multiply_add(reader: &mut Reader<'_>, [acc, w, v]: [&Word; 3], high: u32) -> (Flag, Word) {
    let small = [w, v].map(|word| reader.script.at_most(word, &constant(ones(52))));
    // The product of two numbers of 52 bits has up to 104 bits.
    let wide = [w, v].map(|word| reader.script.resize(word, 128));
    let product = reader.product(&wide[0], &wide[1]);
    let shifted = reader.script.binary("bvlshr", &product, &Word::constant(128, (52 * high).into()));
    let part = reader.script.binary("bvand", &shifted, &Word::constant(128, ones(52)));
    let part = reader.script.resize(&part, 64);
    // `Range::madd52` tightens the set of this part before it adds, so the contract must cover the part.
    reader.results.push(part.clone());
    let (fits, sum) = sum(reader, acc, &part);
    let exact = reader.script.all(&[small[0].clone(), small[1].clone(), fits]);
    (exact, sum)
}

/// Overflow is excluded for all fields, also of sets without members, so that other claims need not prove it again.
fn tight_never_overflows() -> Claim {
    claim("Range::tight never overflows", |reader| {
        let set = unknown(&mut reader.script, "a");
        reader.inlines_tight = true;
        reader.call("Range::tight", vec![set])?;
        // `proof::prove` adds the obligations of the call. Here they are the whole claim.
        Ok((TRUE, TRUE))
    })
}

fn membership() -> Claim {
    claim("Range::contains is what the documentation says", |reader| {
        let (set, w, is) = member(reader, "a")?;
        let says = reader.call("Range::contains", vec![set, Value::Word(w)])?.flag()?;
        let (then, only_then) = (reader.script.implies(&is, &says), reader.script.implies(&says, &is));
        Ok((TRUE, reader.script.and(&then, &only_then)))
    })
}

fn any() -> Claim {
    claim("Range::ANY", |reader| {
        let w = reader.script.fresh(64, "w");
        let set = reader.constant("Range::ANY")?;
        Ok((TRUE, is_member(reader, &set, &w)?))
    })
}

fn join() -> Claim {
    claim("Range::join", |reader| {
        let (a, w, is) = member(reader, "a")?;
        let b = unknown(&mut reader.script, "b");
        let mut then = TRUE;
        // The member may come from either operand.
        for args in [vec![a.clone(), b.clone()], vec![b, a]] {
            let joined = reader.call("Range::join", args)?;
            let holds = is_member(reader, &joined, &w)?;
            then = reader.script.and(&then, &holds);
        }
        Ok((is, then))
    })
}

fn one_member() -> Claim {
    claim("Range::as_constant", |reader| {
        let (set, w, is) = member(reader, "a")?;
        let constant = reader.call("Range::as_constant", vec![set])?;
        Ok((is, holds(reader, constant, &TRUE, |reader, x| Ok(reader.script.equal(&x.word()?, &w)))?))
    })
}

/// The mask is zero or all ones, as the documentation of `select` requires.
fn select() -> Claim {
    claim("Range::select", |reader| {
        let ((a, w, in_a), (b, mask, in_b)) = (member(reader, "a")?, member(reader, "mask")?);
        let selected = reader.script.binary("bvand", &w, &mask);
        let ends = [constant(0), constant(ones(64))].map(|end| reader.script.equal(&mask, &end));
        let is_mask = reader.script.or(&ends[0], &ends[1]);
        let given = reader.script.all(&[in_a, in_b, is_mask]);
        let result = reader.call("Range::select", vec![a, b])?;
        Ok((given, holds(reader, result, &TRUE, |reader, set| is_member(reader, set, &selected))?))
    })
}

fn between() -> Claim {
    claim("Range::between", |reader| {
        let [lo, hi, w] = ["lo", "hi", "w"].map(|name| reader.script.fresh(64, name));
        let ends = [reader.script.at_most(&lo, &w), reader.script.at_most(&w, &hi)];
        let given = reader.script.all(&ends);
        let set = reader.call("Range::between", vec![Value::Word(lo), Value::Word(hi)])?;
        Ok((given, is_member(reader, &set, &w)?))
    })
}

fn upto() -> Claim {
    claim("Range::upto and Range::constant", |reader| {
        let [hi, w] = ["hi", "w"].map(|name| reader.script.fresh(64, name));
        let given = reader.script.at_most(&w, &hi);
        let upto = reader.call("Range::upto", vec![Value::Word(hi)])?;
        let constant = reader.call("Range::constant", vec![Value::Word(w.clone())])?;
        let both = [is_member(reader, &upto, &w)?, is_member(reader, &constant, &w)?];
        Ok((given, reader.script.all(&both)))
    })
}

fn halves() -> Claim {
    claim("Range::halves", |reader| {
        let w = reader.script.fresh(64, "w");
        let (low, high) = (reader.script.resize(&w, 32), reader.script.binary("bvlshr", &w, &constant(32)));
        // Free bounds around the halves of a free word: the claim covers all sets of this form.
        let halves = [low, reader.script.resize(&high, 32)];
        let (mut given, mut args) = (TRUE, Vec::new());
        for (half, name) in halves.iter().zip(["low", "high"]) {
            let ends = [0, 1].map(|end| reader.script.fresh(32, &format!("{name}.{end}")));
            let within =
                [given, reader.script.at_most(&ends[0], half), reader.script.at_most(half, &ends[1])];
            given = reader.script.all(&within);
            args.push(Value::Tuple(ends.map(Value::Word).into()));
        }
        let set = reader.call("Range::halves", args)?;
        Ok((given, is_member(reader, &set, &w)?))
    })
}

fn width() -> Claim {
    claim("Range::width", |reader| {
        let (set, w, is) = member(reader, "a")?;
        let width = reader.call("Range::width", vec![set])?.word()?;
        let width = reader.script.resize(&width, 64);
        let above = reader.script.binary("bvlshr", &w, &width);
        Ok((is, reader.script.equal(&above, &constant(0))))
    })
}

fn depth() -> Claim {
    claim("Range::depth", |reader| {
        let (set, w, is) = member(reader, "a")?;
        let depth = reader.call("Range::depth", vec![set])?.word()?;
        let zeros = reader.script.zeros(&w, false);
        Ok((is, reader.script.at_most(&depth, &zeros)))
    })
}

fn disjoint() -> Claim {
    claim("Range::is_disjoint", |reader| {
        let ((a, w, in_a), (b, v, in_b)) = (member(reader, "a")?, member(reader, "b")?);
        let says = reader.call("Range::is_disjoint", vec![a, b])?.flag()?;
        let common = reader.script.binary("bvand", &w, &v);
        let none = reader.script.equal(&common, &constant(0));
        Ok((reader.script.and(&in_a, &in_b), reader.script.implies(&says, &none)))
    })
}

fn apart() -> Claim {
    claim("Range::halves_stay_apart", |reader| {
        let ((a, w, in_a), (b, v, in_b)) = (member(reader, "a")?, member(reader, "b")?);
        let says = reader.call("Range::halves_stay_apart", vec![a, b])?.flag()?;
        let lows = [w, v].map(|word| reader.script.binary("bvand", &word, &constant(ones(32))));
        let sum = reader.script.binary("bvadd", &lows[0], &lows[1]);
        // Sums of two halves have 33 bits, so in 64 bits this sum is exact.
        let fits = reader.script.at_most(&sum, &constant(ones(32)));
        Ok((reader.script.and(&in_a, &in_b), reader.script.implies(&says, &fits)))
    })
}

fn low_half_fits(k: u32) -> Claim {
    claim(format!("Range::low_half_fits({k})"), move |reader| {
        let (set, w, is) = member(reader, "a")?;
        let args = vec![set, Value::Word(Word::constant(32, k.into()))];
        let says = reader.call("Range::low_half_fits", args)?.flag()?;
        let low = reader.script.binary("bvand", &w, &constant(ones(32)));
        let fits = reader.script.at_most(&low, &constant(ones(32).checked_shr(k).unwrap_or(0)));
        Ok((is, reader.script.implies(&says, &fits)))
    })
}

fn bounds() -> Claim {
    claim("Range::lo, Range::hi and Range::half_bounds", |reader| {
        let (set, w, is) = member(reader, "a")?;
        let lo = reader.call("Range::lo", vec![set.clone()])?.word()?;
        let hi = reader.call("Range::hi", vec![set.clone()])?.word()?;
        let mut halves = reader.call("Range::half_bounds", vec![set])?;
        let (low, high) = (halves.field("0")?.word()?, halves.field("1")?.word()?);
        let member_low = reader.script.resize(&w, 32);
        let member_high = reader.script.binary("bvlshr", &w, &constant(32));
        let member_high = reader.script.resize(&member_high, 32);
        let all = [
            reader.script.at_most(&lo, &w),
            reader.script.at_most(&w, &hi),
            reader.script.at_most(&member_low, &low),
            reader.script.at_most(&member_high, &high),
        ];
        Ok((is, reader.script.all(&all)))
    })
}
