//! Verification before timing: a fast wrong answer is no answer.
use crate::input::{Fill, Input, Tag};
use crate::subject::{Subject, Verification};
use anyhow::{Result, bail, ensure};

/// Contents that every length is verified with.
const FILLS: [Fill; 4] = [Fill::Ones, Fill::Random(1), Fill::Random(2), Fill::Random(3)];

/// Checks that all subjects give the same bytes on `count` messages of each length, and that those which
/// compute another function pass their own test.
///
/// # Errors
/// Names the length and who agrees with whom.
pub fn verify(subjects: &[&Subject], lengths: &[usize], count: usize) -> Result<()> {
    let mut family = Vec::new();
    for &subject in subjects {
        match subject.verification {
            Verification::SameBytes => family.push(subject),
            Verification::OtherFunction(check) => check()?,
        }
    }
    for &length in lengths {
        for fill in FILLS {
            same_bytes(&family, &Input::new(length, count, fill))?;
        }
    }
    Ok(())
}

fn same_bytes(family: &[&Subject], input: &Input) -> Result<()> {
    let mut groups: Vec<(Vec<Tag>, Vec<&str>)> = Vec::new();
    for subject in family {
        let tags = subject.tags(input);
        ensure!(tags == subject.tags(input), "{} gives different bytes when called again", subject.name);
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
    use crate::input::Key;
    use crate::subject::OneByOne;

    fn constant(key: &Key, message: &[u8], tag: &mut Tag) {
        *tag = [key[0] ^ message.len() as u8; 16];
    }

    fn honest(name: &str) -> Subject {
        Subject::new(name, "any", OneByOne(constant))
    }

    #[test]
    fn honest_subjects_pass() {
        verify(&[&honest("a"), &honest("b")], &[1, 16, 300], 2).unwrap();
    }

    #[test]
    fn a_liar_at_one_length_is_found_and_named() {
        let lie = |key: &Key, message: &[u8], tag: &mut Tag| {
            constant(key, message, tag);
            tag[15] ^= u8::from(message.len() == 17);
        };
        let liar = Subject::new("liar", "any", OneByOne(lie));
        let all = [&honest("a"), &liar, &honest("b")];
        verify(&all, &[16, 18], 1).unwrap();
        let error = verify(&all, &[16, 17, 18], 1).unwrap_err().to_string();
        assert_eq!(error, "different bytes at length 17: a = b; but liar");
    }

    #[test]
    fn a_subject_that_varies_is_found() {
        let calls = std::cell::Cell::new(0);
        let vary = move |_: &Key, _: &[u8], tag: &mut Tag| *tag = [calls.replace(calls.get() + 1); 16];
        let error = verify(&[&Subject::new("x", "any", OneByOne(vary))], &[16], 1).unwrap_err();
        assert!(error.to_string().contains("when called again"));
    }

    #[test]
    fn another_function_must_pass_its_own_test() {
        let other =
            || Subject::new("other", "any", OneByOne(|_: &Key, _: &[u8], tag: &mut Tag| *tag = [7; 16]));
        let right = other().other_function(|| Ok(()));
        verify(&[&honest("a"), &right], &[16], 1).unwrap();
        let wrong = other().other_function(|| bail!("vector 1 fails"));
        assert!(verify(&[&honest("a"), &wrong], &[16], 1).is_err());
    }
}
