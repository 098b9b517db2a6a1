//! Verification before timing: the speed of a wrong answer means nothing.
use crate::input::{Fill, Input, Key, Reference, Tag, next_key};
use crate::subject::{Subject, Verification};
use anyhow::{Result, bail, ensure};

/// Contents of the messages that every length is verified with.
const FILLS: [Fill; 4] = [Fill::Ones, Fill::Random(1), Fill::Random(2), Fill::Random(3)];

/// Most bytes of all messages together for which the reference is computed. Subjects on longer messages are
/// only compared with each other.
const REFERENCE_MOST: usize = 1 << 20;

/// Checks that all subjects give the bytes of `reference` on `count` messages of each length. A subject of
/// another family must give the bytes of that family's reference, a subject of none must pass its own test.
///
/// # Errors
/// Names the length and who agrees with whom.
pub fn verify(reference: Reference, subjects: &[&Subject], lengths: &[usize], count: usize) -> Result<()> {
    let families = by_reference(reference, subjects)?;
    for &length in lengths {
        for fill in FILLS {
            let input = Input::new(length, count, fill);
            families.iter().try_for_each(|(reference, family)| same_bytes(*reference, family, &input, 1))?;
        }
    }
    Ok(())
}

/// Checks that all subjects give the bytes of `reference` after three calls. Each call takes a key made
/// of the tag before it.
///
/// # Errors
/// Names the length and who agrees with whom.
pub fn verify_chains(reference: Reference, subjects: &[&Subject], lengths: &[usize]) -> Result<()> {
    let families = by_reference(reference, subjects)?;
    for &length in lengths {
        let input = Input::new(length, 1, Fill::Random(1)).with_chain(true);
        families.iter().try_for_each(|(reference, family)| same_bytes(*reference, family, &input, 3))?;
    }
    Ok(())
}

/// Subjects under the names that their rows get.
type Named<'a> = Vec<(String, &'a Subject)>;

/// Checks the subjects, and separates those that are right from peers that are not. Each of these has a line that
/// says why it is left out.
///
/// # Errors
/// If ours are wrong, nobody is right, or peers that agree with ours contradict each other.
pub(crate) fn without_wrong_peers<'a>(
    subjects: Named<'a>,
    check: impl Fn(&[&Subject]) -> Result<()>,
) -> Result<(Named<'a>, Vec<String>)> {
    let unnamed = |named: &[(String, &'a Subject)]| named.iter().map(|(_, subject)| *subject).collect();
    let all: Vec<&Subject> = unnamed(&subjects);
    if check(&all).is_ok() {
        return Ok((subjects, vec![]));
    }
    let (peers, mut right): (Named, Named) = subjects.into_iter().partition(|(_, subject)| subject.is_peer());
    let ours: Vec<&Subject> = unnamed(&right);
    check(&ours)?;
    let mut left_out = vec![];
    for (name, peer) in peers {
        // Beside ours, because the reference is not computed for the longest messages.
        match check(&[&ours[..], &[peer]].concat()) {
            Ok(()) => right.push((name, peer)),
            Err(error) => left_out.push(format!("left out: {name}: {error:#}")),
        }
    }
    ensure!(!right.is_empty(), "nobody is right: {}", left_out.join("; "));
    check(&unnamed(&right))?;
    Ok((right, left_out))
}

/// Groups the subjects by reference. Those without one pass their own tests here.
fn by_reference<'a>(
    reference: Reference,
    subjects: &[&'a Subject],
) -> Result<Vec<(Reference, Vec<&'a Subject>)>> {
    let mut families: Vec<(Reference, Vec<&Subject>)> = vec![(reference, vec![])];
    for &subject in subjects {
        match subject.verification {
            // The first group is that of the family itself.
            Verification::SameBytes => families[0].1.push(subject),
            Verification::Beside(reference) => join(&mut families, reference, subject),
            Verification::OtherFunction(check) => check()?,
        }
    }
    Ok(families)
}

/// Adds a subject to the group of its reference.
fn join<'a>(families: &mut Vec<(Reference, Vec<&'a Subject>)>, reference: Reference, subject: &'a Subject) {
    // One function may have several addresses. Its group is then split, and each part is verified.
    let same = |known: &&mut (Reference, Vec<_>)| std::ptr::fn_addr_eq(known.0, reference);
    match families.iter_mut().find(same) {
        Some((_, family)) => family.push(subject),
        None => families.push((reference, vec![subject])),
    }
}

/// Compares the tags of `times` calls, with those of the reference unless the messages are too long for it.
fn same_bytes(reference: Reference, family: &[&Subject], input: &Input, times: u32) -> Result<()> {
    // Groups of equal tags, so that an error can say who agrees with whom.
    let mut groups: Vec<(Vec<Tag>, Vec<&str>)> = Vec::new();
    // The reference counts as one more subject, which an error names first.
    if !family.is_empty() && input.length() * input.count() <= REFERENCE_MOST {
        // A chain of one call is the plain tag, so both kinds of verification share this code.
        let last_of_chain = |(key, message): (&Key, &[u8])| {
            let first = reference(key, message);
            let chain = (1..times).fold((next_key(key, &first), first), |(key, _), _| {
                let tag = reference(&key, message);
                (next_key(&key, &tag), tag)
            });
            chain.1
        };
        let tags = input.keys().iter().zip(input.messages()).map(last_of_chain);
        groups.push((tags.collect(), vec!["the reference"]));
    }
    for subject in
        family.iter().filter(|subject| subject.serves(input.length()) && subject.is_right_on(input.fill()))
    {
        let tags = subject.tags_after(input, times);
        ensure!(
            // A second call would show state that the first one left behind.
            tags == subject.tags_after(input, times),
            "{} gives different bytes when called again",
            subject.name
        );
        match groups.iter_mut().find(|(known, _)| *known == tags) {
            Some((_, names)) => names.push(&subject.name),
            None => groups.push((tags, vec![&subject.name])),
        }
    }
    if groups.len() > 1 {
        let sides: Vec<String> = groups.iter().map(|(_, names)| names.join(" = ")).collect();
        bail!("different bytes at length {}: {}", input.length(), sides.join("; but "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::POLYHASH1305;
    use crate::subject::{Mode, OneByOne};

    fn constant(key: &Key, message: &[u8], tag: &mut Tag) {
        *tag = [key[0] ^ message.len() as u8; 16];
    }

    fn reference(key: &Key, message: &[u8]) -> Tag {
        let mut tag = [0; 16];
        constant(key, message, &mut tag);
        tag
    }

    fn honest(name: &str) -> Subject {
        Subject::new(name, "any", OneByOne(constant))
    }

    #[test]
    fn honest_subjects_pass() {
        verify(reference, &[&honest("a"), &honest("b")], &[1, 16, 300], 2).unwrap();
    }

    #[test]
    fn a_liar_at_one_length_is_found_and_named() {
        let lie = |key: &Key, message: &[u8], tag: &mut Tag| {
            constant(key, message, tag);
            tag[15] ^= u8::from(message.len() == 17);
        };
        let liar = Subject::new("liar", "any", OneByOne(lie));
        let all = [&honest("a"), &liar, &honest("b")];
        verify(reference, &all, &[16, 18], 1).unwrap();
        let error = verify(reference, &all, &[16, 17, 18], 1).unwrap_err().to_string();
        assert_eq!(error, "different bytes at length 17: the reference = a = b; but liar");
    }

    #[test]
    fn a_wrong_peer_is_left_out_and_the_run_goes_on() {
        let liar =
            || Subject::new("liar", "any", OneByOne(|_: &Key, _: &[u8], tag: &mut Tag| *tag = [7; 16]));
        let check = |subjects: &[&Subject]| verify(reference, subjects, &[16], 1);
        let (ours, right, wrong) = (honest("a"), honest("right").of_peer(), liar().of_peer());
        let all = [&ours, &wrong, &right].map(|subject| (subject.name.clone(), subject));
        let (kept, left_out) = without_wrong_peers(all.into(), check).expect("ours are right");
        assert_eq!(kept.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "right"]);
        assert_eq!(left_out, ["left out: liar: different bytes at length 16: the reference = a; but liar"]);
        let own = liar();
        assert!(without_wrong_peers(vec![("own".into(), &own), ("right".into(), &right)], check).is_err());
        let error = without_wrong_peers(vec![("alone".into(), &wrong)], check).err().expect("nobody is left");
        assert!(error.to_string().starts_with("nobody is right: left out: alone: "), "{error}");
    }

    #[test]
    fn a_chain_is_followed_and_a_liar_in_it_is_found() {
        verify_chains(reference, &[&honest("a")], &[1, 16]).unwrap();
        let key = *Input::new(16, 1, Fill::Random(1)).keys().first().expect("one message has one key");
        // Right for the first key only: as if the call did not take the key that it is given.
        let lie = move |_: &Key, message: &[u8], tag: &mut Tag| constant(&key, message, tag);
        let liar = Subject::new("liar", "any", OneByOne(lie));
        verify(reference, &[&honest("a")], &[16], 1).unwrap();
        assert!(verify_chains(reference, &[&honest("a"), &liar], &[16]).is_err());
    }

    #[test]
    fn a_subject_that_varies_is_found() {
        let calls = std::cell::Cell::new(0);
        let vary = move |_: &Key, _: &[u8], tag: &mut Tag| *tag = [calls.replace(calls.get() + 1); 16];
        let error = verify(reference, &[&Subject::new("x", "any", OneByOne(vary))], &[16], 1).unwrap_err();
        assert!(error.to_string().contains("when called again"));
    }

    #[test]
    fn all_may_agree_and_be_wrong() {
        let error = verify(|_, _| [1; 16], &[&honest("a"), &honest("b")], &[16], 1).unwrap_err().to_string();
        assert_eq!(error, "different bytes at length 16: the reference; but a = b");
    }

    /// A subject of another family is checked against that family's reference.
    #[test]
    fn the_function_of_another_family() {
        let of = |reference| honest("other").of(reference);
        let wrong = [&honest("a"), &of(POLYHASH1305.reference)];
        let error = verify(reference, &wrong, &[16], 1).unwrap_err().to_string();
        assert_eq!(error, "different bytes at length 16: the reference; but other");
        let right = POLYHASH1305.ours(Mode::OneShot).remove(0).of(POLYHASH1305.reference);
        verify(reference, &[&honest("a"), &right], &[16], 1).unwrap();
    }

    #[test]
    fn another_function_must_pass_its_own_test() {
        let other =
            || Subject::new("other", "any", OneByOne(|_: &Key, _: &[u8], tag: &mut Tag| *tag = [7; 16]));
        let right = other().other_function(|| Ok(()));
        verify(reference, &[&honest("a"), &right], &[16], 1).unwrap();
        let wrong = other().other_function(|| bail!("vector 1 fails"));
        assert!(verify(reference, &[&honest("a"), &wrong], &[16], 1).is_err());
    }
}
