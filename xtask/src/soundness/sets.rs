//! Unknown sets, their members, and the contract of `Range::tight` that a proof may assume.
use crate::reader::Reader;
use crate::smt::{Flag, Script, Word};
use crate::value::{Read, Value};

/// A `Range` whose fields are free words; it may have no members.
pub(crate) fn unknown(script: &mut Script, name: &str) -> Value {
    let mut half = |end: &str| Value::Word(script.fresh(32, &format!("{name}.{end}")));
    let (low, high) = (vec![half("low.0"), half("low.1")], vec![half("high.0"), half("high.1")]);
    let mut word = |field: &str| Value::Word(script.fresh(64, &format!("{name}.{field}")));
    let fields = [
        ("lo", word("lo")),
        ("hi", word("hi")),
        ("low", Value::Tuple(low)),
        ("high", Value::Tuple(high)),
        ("bits", word("bits")),
    ];
    Value::Struct("Range".into(), fields.map(|(field, value)| (field.into(), value)).into())
}

/// An unknown set, a free word, and the condition that the word is a member.
pub(crate) fn member(reader: &mut Reader<'_>, name: &str) -> Read<(Value, Word, Flag)> {
    let (set, w) = (unknown(&mut reader.script, name), reader.script.fresh(64, name));
    let is = describes(&mut reader.script, &set, &w)?;
    Ok((set, w, is))
}

/// The condition that a word is a member of a set which an operation returned. If `Range::tight` returned it,
/// membership in its argument is asked for: its contract makes that sufficient, and it is easier to prove.
pub(crate) fn is_member(reader: &mut Reader<'_>, set: &Value, w: &Word) -> Read<Flag> {
    if let Some(merged) = reader.merged.iter().find(|merged| merged.value == *set).cloned() {
        let (early, late) = (is_member(reader, &merged.early, w)?, is_member(reader, &merged.late, w)?);
        let not = reader.script.not(&merged.flag);
        // In parts, because after merging the fields are no longer those of a tight set.
        let both = [reader.script.implies(&merged.flag, &early), reader.script.implies(&not, &late)];
        return Ok(reader.script.all(&both));
    }
    reader.results.push(w.clone());
    // A tight set is a struct of free words, so equality identifies the call that returned it.
    let made_from = reader.tightened.iter().find(|(_, tight)| tight == set);
    let set = made_from.map_or(set, |(loose, _)| loose).clone();
    describes(&mut reader.script, &set, w)
}

/// The definition of a member in the documentation of `Range`: within the bounds of the word and of both
/// halves, and no bit outside of `bits`.
fn describes(script: &mut Script, set: &Value, w: &Word) -> Read<Flag> {
    let mut set = set.clone();
    let mut field = |name: &str| set.field(name).and_then(|value| value.word());
    let (lo, hi, bits) = (field("lo")?, field("hi")?, field("bits")?);
    let mut half = |name: &str, end: &str| set.field(name)?.field(end)?.word();
    let halves = [half("low", "0")?, half("low", "1")?, half("high", "0")?, half("high", "1")?];
    let low = script.resize(w, 32);
    let high = script.binary("bvlshr", w, &Word::constant(64, 32));
    let high = script.resize(&high, 32);
    let outside = script.complement(&bits);
    let outside = script.binary("bvand", w, &outside);
    let all = [
        script.at_most(&lo, w),
        script.at_most(w, &hi),
        script.at_most(&halves[0], &low),
        script.at_most(&low, &halves[1]),
        script.at_most(&halves[2], &high),
        script.at_most(&high, &halves[3]),
        script.equal(&outside, &Word::constant(64, 0)),
    ];
    Ok(script.all(&all))
}

/// The contract of `Range::tight` as facts for other claims: members of its argument, among the words that
/// the claim is about, are members of its result. A claim of its own proves it.
pub(crate) fn tightened(reader: &mut Reader<'_>) -> Read<Vec<Flag>> {
    let (pairs, results) = (std::mem::take(&mut reader.tightened), std::mem::take(&mut reader.results));
    let mut facts = Vec::new();
    for (loose, tight) in &pairs {
        for w in &results {
            let before = describes(&mut reader.script, loose, w)?;
            let after = describes(&mut reader.script, tight, w)?;
            facts.push(reader.script.implies(&before, &after));
        }
    }
    Ok(facts)
}
