//! The claims about `Wide`, the sets of 128-bit sums.
use crate::claims::{Claim, claim, constant, holds};
use crate::reader::Reader;
use crate::sets::{is_member, member};
use crate::smt::{Flag, Script, Word, ones};
use crate::value::{Read, Value};

/// An unknown set of sums, a free 128-bit word, and the condition that it is a member.
fn wide(reader: &mut Reader<'_>, name: &str) -> Read<(Value, Word, Flag)> {
    let script = &mut reader.script;
    let ends =
        ["lo", "hi"].map(|end| (end.to_string(), Value::Word(script.fresh(128, &format!("{name}.{end}")))));
    let (set, x) = (Value::Struct("Wide".into(), ends.into()), script.fresh(128, name));
    let is = in_wide(script, &set, &x)?;
    Ok((set, x, is))
}

fn in_wide(script: &mut Script, set: &Value, x: &Word) -> Read<Flag> {
    let mut set = set.clone();
    let (lo, hi) = (set.field("lo")?.word()?, set.field("hi")?.word()?);
    let ends = [script.at_most(&lo, x), script.at_most(x, &hi)];
    Ok(script.all(&ends))
}

pub(crate) fn all() -> Vec<Claim> {
    let mut all = vec![product(), from_word(), from_words(), add(), add_carry(), low(), bounds()];
    all.extend((0..128).map(shr));
    all
}

fn product() -> Claim {
    claim("Wide::product", |reader| {
        let ((a, w, in_a), (b, v, in_b)) = (member(reader, "a")?, member(reader, "b")?);
        let wide = [w, v].map(|word| reader.script.resize(&word, 128));
        let product = reader.product(&wide[0], &wide[1]);
        let set = reader.call("Wide::product", vec![a, b])?;
        Ok((reader.script.and(&in_a, &in_b), in_wide(&mut reader.script, &set, &product)?))
    })
}

fn from_word() -> Claim {
    claim("Wide::from_word", |reader| {
        let (a, w, is) = member(reader, "a")?;
        let (set, x) = (reader.call("Wide::from_word", vec![a])?, reader.script.resize(&w, 128));
        Ok((is, in_wide(&mut reader.script, &set, &x)?))
    })
}

fn from_words() -> Claim {
    claim("Wide::from_words", |reader| {
        let ((a, w, in_a), (b, v, in_b)) = (member(reader, "a")?, member(reader, "b")?);
        // Widened first, since a shift by 64 would clear a word of 64 bits.
        let [low, high] = [w, v].map(|word| reader.script.resize(&word, 128));
        let high = reader.script.binary("bvshl", &high, &Word::constant(128, 64));
        let x = reader.script.binary("bvor", &low, &high);
        let set = reader.call("Wide::from_words", vec![a, b])?;
        Ok((reader.script.and(&in_a, &in_b), in_wide(&mut reader.script, &set, &x)?))
    })
}

fn add() -> Claim {
    claim("Wide::add", |reader| {
        let ((a, x, in_a), (b, y, in_b)) = (wide(reader, "a")?, wide(reader, "b")?);
        let room = reader.script.complement(&x);
        let (fits, sum) = (reader.script.at_most(&y, &room), reader.script.binary("bvadd", &x, &y));
        let result = reader.call("Wide::add", vec![a, b])?;
        let then = holds(reader, result, &fits, |reader, set| in_wide(&mut reader.script, set, &sum))?;
        Ok((reader.script.and(&in_a, &in_b), then))
    })
}

fn add_carry() -> Claim {
    claim("Wide::add_carry", |reader| {
        let ((a, x, in_a), (b, y, in_b)) = (wide(reader, "a")?, wide(reader, "b")?);
        let room = reader.script.complement(&x);
        let (fits, sum) = (reader.script.at_most(&y, &room), reader.script.binary("bvadd", &x, &y));
        let carry = reader.script.choose(&fits, &constant(0), &constant(1));
        let mut result = reader.call("Wide::add_carry", vec![a, b])?;
        let (sums, carries) = (result.field("0")?.clone(), result.field("1")?.clone());
        // No condition that the sum fits: a wrapped sum and its carry must be members, too.
        let both = [in_wide(&mut reader.script, &sums, &sum)?, is_member(reader, &carries, &carry)?];
        Ok((reader.script.and(&in_a, &in_b), reader.script.all(&both)))
    })
}

fn low() -> Claim {
    claim("Wide::low", |reader| {
        let (a, x, is) = wide(reader, "a")?;
        let (set, low) = (reader.call("Wide::low", vec![a])?, reader.script.resize(&x, 64));
        Ok((is, is_member(reader, &set, &low)?))
    })
}

fn bounds() -> Claim {
    claim("Wide::bounds", |reader| {
        let (a, x, is) = wide(reader, "a")?;
        let mut bounds = reader.call("Wide::bounds", vec![a])?;
        let (lo, hi) = (bounds.field("0")?.word()?, bounds.field("1")?.word()?);
        let ends = [reader.script.at_most(&lo, &x), reader.script.at_most(&x, &hi)];
        Ok((is, reader.script.all(&ends)))
    })
}

fn shr(k: u32) -> Claim {
    claim(format!("Wide::shr({k})"), move |reader| {
        let (a, x, is) = wide(reader, "a")?;
        let result = reader.call("Wide::shr", vec![a, Value::Word(Word::constant(32, k.into()))])?;
        let shifted = reader.script.binary("bvlshr", &x, &Word::constant(128, k.into()));
        let fits = reader.script.at_most(&shifted, &Word::constant(128, ones(64)));
        let word = reader.script.resize(&shifted, 64);
        // The set may refuse, but must not return a word that lost high bits.
        let then = holds(reader, result, &fits, |reader, set| is_member(reader, set, &word))?;
        Ok((is, then))
    })
}
