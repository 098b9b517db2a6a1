//! Subjects: a function of a library on a backend, and how its call is repeated.
use crate::input::{Fill, Input, Key, Reference, Tag, next_key};
use anyhow::{Result, bail};
use std::hint::black_box;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// The part of a computation that one call includes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// A fresh key: its powers are part of the call.
    #[default]
    #[value(name = "oneshot")]
    OneShot,
    /// The key's powers are ready, wherever the API allows that.
    Prepared,
    /// Many messages, each under a fresh key of its own.
    Batch,
    /// A fresh key made of the tag before it, so that each call waits for the last one.
    Latency,
}

impl Mode {
    /// The name on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Mode::OneShot => "oneshot",
            Mode::Prepared => "prepared",
            Mode::Batch => "batch",
            Mode::Latency => "latency",
        }
    }

    /// The kind of call in words, for the message that a family has none.
    pub(crate) fn what(self) -> &'static str {
        match self {
            Mode::OneShot => "for a message",
            Mode::Prepared => "with a prepared key",
            Mode::Batch => "for a batch",
            Mode::Latency => "that can wait for another",
        }
    }
}

/// Repeats a call on one input as many times as the number says, and writes a tag for each message.
pub type Runner<'a> = Box<dyn FnMut(&mut [Tag], u32) + 'a>;

/// A call that can be made ready for an input. Making it ready is not timed.
pub trait Work {
    /// Makes the call ready: keys and operands are set up here, outside the timing.
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a>;
}

/// The check that a subject must pass before anything is timed.
#[derive(Clone, Copy)]
pub enum Verification {
    /// The family that is measured: comparison with its reference and its other subjects.
    SameBytes,
    /// Another family, of this reference: comparison with it and with those of its subjects that are measured here.
    Beside(Reference),
    /// A function of no family, which a user might take instead: a test vector of its own.
    OtherFunction(fn() -> Result<()>),
}

/// A call that is measured under a name.
#[derive(Clone)]
pub struct Subject {
    /// `library/variant`, as `--subjects` and records name it.
    pub name: String,
    /// The backend it runs on, or `any` if the library chooses.
    pub backend: String,
    /// The check that it must pass before it is timed.
    pub verification: Verification,
    /// Lengths in bytes of the messages that it takes; it is left out at others.
    lengths: RangeInclusive<usize>,
    /// Whether its results are known to be wrong on crafted messages: it is then verified on random ones only.
    random_input_only: bool,
    /// Whether another library computes it: if it is wrong, it is left out and the run goes on.
    is_peer: bool,
    // Shared, because subjects are cloned to stand under further names.
    work: Rc<dyn Work>,
}

impl Subject {
    /// A subject of the family that is measured, for messages of any length.
    pub fn new(name: impl Into<String>, backend: impl Into<String>, work: impl Work + 'static) -> Subject {
        let verification = Verification::SameBytes;
        // Most subjects take every length. `for_lengths` restricts the others.
        let lengths = 0..=usize::MAX;
        Subject {
            name: name.into(),
            backend: backend.into(),
            verification,
            lengths,
            random_input_only: false,
            is_peer: false,
            work: Rc::new(work),
        }
    }

    /// The same subject, restricted to messages of these lengths in bytes.
    pub fn for_lengths(self, lengths: RangeInclusive<usize>) -> Subject {
        Subject { lengths, ..self }
    }

    /// The same subject, marked as wrong on crafted messages, so that it is verified on random ones only.
    pub fn on_random_input(self) -> Subject {
        Subject { random_input_only: true, ..self }
    }

    /// The same subject, marked as another library's.
    pub(crate) fn of_peer(self) -> Subject {
        Subject { is_peer: true, ..self }
    }

    /// Whether it is another library's.
    pub(crate) fn is_peer(&self) -> bool {
        self.is_peer
    }

    /// Whether its results must be right on messages that `fill` makes.
    pub(crate) fn is_right_on(&self, fill: Fill) -> bool {
        !self.random_input_only || fill != Fill::Ones
    }

    /// Whether it takes messages of `length` bytes.
    pub fn serves(&self, length: usize) -> bool {
        self.lengths.contains(&length)
    }

    /// The same subject, marked as another function, which `check` verifies.
    pub fn other_function(self, check: fn() -> Result<()>) -> Subject {
        Subject { verification: Verification::OtherFunction(check), ..self }
    }

    /// The same subject, marked as one of the family with this reference, while another family is measured.
    pub fn of(self, reference: Reference) -> Subject {
        Subject { verification: Verification::Beside(reference), ..self }
    }

    /// The same subject under another name.
    pub fn named(self, name: &str) -> Subject {
        Subject { name: name.into(), ..self }
    }

    /// Makes the call ready for an input, outside the timing.
    pub fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        self.work.ready(input)
    }

    /// Calls it once, for its tags of the input's messages.
    pub fn tags(&self, input: &Input) -> Vec<Tag> {
        self.tags_after(input, 1)
    }

    /// Calls it `times` times, for the tags of the last call.
    pub(crate) fn tags_after(&self, input: &Input, times: u32) -> Vec<Tag> {
        let mut tags = vec![[0; 16]; input.count()];
        self.ready(input)(&mut tags, times);
        tags
    }
}

/// One call for each message: key and message in, tag out.
///
/// The tag goes out through a reference, as C libraries write it: copying it right after it was written in
/// smaller parts would stall the core.
pub struct OneByOne<F>(pub F);

impl<F: Fn(&Key, &[u8], &mut Tag)> Work for OneByOne<F> {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        // Only this kind of work has chains: the others make their keys before the first call.
        if input.chained() {
            return repeat_in_chain(input, |key, message, tag| (self.0)(key, message, tag));
        }
        repeat(input, input.keys().iter().collect(), |key, message, tag| (self.0)(key, message, tag))
    }
}

/// One call for each message with a key that the first function made ready, outside the timing.
pub struct Prepared<P, F>(pub P, pub F);

impl<K: 'static, P: Fn(&Key) -> K, F: Fn(&K, &Key, &[u8], &mut Tag)> Work for Prepared<P, F> {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let keys: Vec<(K, &Key)> = input.keys().iter().map(|key| ((self.0)(key), key)).collect();
        repeat(input, keys, |(ready, key), message, tag| (self.1)(ready, key, message, tag))
    }
}

/// One call for all messages, the third field. Its tags are of the library's own type; the first field makes
/// such a tag of bytes, the second makes bytes of it.
pub struct Together<T, F>(pub fn(Tag) -> T, pub fn(T) -> Tag, pub F);

impl<T: Copy, F: Fn(&[Key], &[&[u8]], &mut [T])> Work for Together<T, F> {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let messages = input.messages();
        let mut own = vec![(self.0)([0; 16]); input.count()];
        Box::new(move |tags, times| {
            for _ in 0..times {
                (self.2)(black_box(input.keys()), black_box(&messages), black_box(&mut own));
            }
            // The tags are converted once, after all calls, so that the sample hardly pays for it.
            tags.iter_mut().zip(&own).for_each(|(tag, &own)| *tag = (self.1)(own));
        })
    }
}

/// Repeats `call` on every key and message. The loop is compiled into each subject, so that a short message
/// pays for no indirect call.
fn repeat<'a, K: 'a>(input: &'a Input, keys: Vec<K>, call: impl Fn(&K, &[u8], &mut Tag) + 'a) -> Runner<'a> {
    let messages = input.messages();
    Box::new(move |tags, times| {
        // One message, the usual case, without the work of three iterators.
        if let ([key], [message], [tag]) = (&keys[..], &messages[..], &mut *tags) {
            for _ in 0..times {
                // Without black_box the compiler might compute one tag for all calls.
                call(black_box(key), black_box(message), black_box(&mut *tag));
            }
            return;
        }
        for _ in 0..times {
            for ((tag, key), message) in tags.iter_mut().zip(&keys).zip(&messages) {
                call(black_box(key), black_box(message), black_box(tag));
            }
        }
    })
}

/// Repeats `call` on one message. Each call gets a key made of the tag before it, so it cannot begin early.
fn repeat_in_chain<'a>(input: &'a Input, call: impl Fn(&Key, &[u8], &mut Tag) + 'a) -> Runner<'a> {
    Box::new(move |tags, times| {
        for ((tag, key), message) in tags.iter_mut().zip(input.keys()).zip(input.messages()) {
            let mut key = *key;
            for _ in 0..times {
                call(black_box(&key), black_box(message), black_box(&mut *tag));
                // The key depends on all of the tag, so the next call cannot begin before this one ends.
                key = next_key(&key, tag);
            }
        }
    })
}

/// The subjects that `patterns` name, in that order; a `*` at the end of a pattern matches any rest.
///
/// A subject that is named twice is measured twice, as `NAME` and `NAME#2`: how far the two differ is the noise.
///
/// # Errors
/// If a pattern matches nothing.
pub fn select<'a>(subjects: &'a [Subject], patterns: &[String]) -> Result<Vec<(String, &'a Subject)>> {
    let mut chosen: Vec<(String, &Subject)> = Vec::new();
    for pattern in patterns {
        // Patterns keep their order, so a user decides in which order the columns stand.
        let matching: Vec<_> = subjects.iter().filter(|s| matches(pattern, &s.name)).collect();
        if matching.is_empty() {
            let names: Vec<_> = subjects.iter().map(|s| s.name.as_str()).collect();
            bail!("no subject '{pattern}' in this build on this CPU; there are {}", names.join(", "));
        }
        for subject in matching {
            // The same subject twice shows the noise, so it is kept under a name of its own.
            let before = chosen.iter().filter(|(_, s)| s.name == subject.name).count();
            let suffix = if before == 0 { String::new() } else { format!("#{}", before + 1) };
            chosen.push((format!("{}{suffix}", subject.name), subject));
        }
    }
    Ok(chosen)
}

/// Whether a pattern matches a name. A `*` at the end of the pattern matches any rest.
pub fn matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(key: &Key, message: &[u8]) -> Tag {
        let mut tag = [key[0]; 16];
        tag[1] = message.iter().fold(0, |sum, &byte| byte.wrapping_add(sum));
        tag
    }

    fn subjects() -> Vec<Subject> {
        let together = |keys: &[Key], messages: &[&[u8]], tags: &mut [Tag]| {
            for ((tag, key), message) in tags.iter_mut().zip(keys).zip(messages) {
                *tag = sum(key, message);
            }
        };
        vec![
            Subject::new("a/one", "any", OneByOne(|key: &Key, m: &[u8], tag: &mut Tag| *tag = sum(key, m))),
            Subject::new(
                "a/prepared",
                "any",
                Prepared(|key: &Key| *key, |key: &Key, _: &Key, m: &[u8], tag: &mut Tag| *tag = sum(key, m)),
            ),
            Subject::new("b/together", "any", Together(|tag| tag, |tag| tag, together)),
        ]
    }

    #[test]
    fn every_way_of_calling_gives_the_same_tags() {
        for count in [1, 2, 7] {
            let input = Input::new(33, count, Fill::Random(3));
            let expected: Vec<Tag> = (0..count).map(|i| sum(&input.keys()[i], input.message(i))).collect();
            for subject in subjects() {
                assert_eq!(subject.tags(&input), expected, "{}", subject.name);
            }
        }
    }

    #[test]
    fn a_call_is_repeated_as_often_as_told() {
        let calls = std::rc::Rc::new(std::cell::Cell::new(0));
        let seen = calls.clone();
        let counting = move |_: &Key, _: &[u8], _: &mut Tag| seen.set(seen.get() + 1);
        let subject = Subject::new("counting", "any", OneByOne(counting));
        for (count, expected) in [(1, 5), (4, 20)] {
            calls.set(0);
            subject.ready(&Input::new(1, count, Fill::Ones))(&mut vec![[0; 16]; count], 5);
            assert_eq!(calls.get(), expected);
        }
    }

    #[test]
    fn selection_by_name_and_pattern() {
        let subjects = subjects();
        let names = |patterns: &[&str]| {
            let patterns: Vec<String> = patterns.iter().map(|p| p.to_string()).collect();
            select(&subjects, &patterns).map(|s| s.into_iter().map(|(name, _)| name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["a/*"]).unwrap(), ["a/one", "a/prepared"]);
        assert_eq!(
            names(&["b/together", "a/one", "b/together"]).unwrap(),
            ["b/together", "a/one", "b/together#2"]
        );
        let error = names(&["a/on"]).unwrap_err().to_string();
        assert!(error.contains("'a/on'") && error.contains("a/one, a/prepared, b/together"), "{error}");
    }
}
