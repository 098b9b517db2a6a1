//! What a caller chooses: the function, and the way to evaluate it.

/// The number c of streams, which is part of the function: other streams, other digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// BRWHash: the fewest products.
    One = 1,
    /// Two streams.
    Two = 2,
    /// Three streams.
    Three = 3,
    /// Four streams: the fastest on machines of four lanes.
    Four = 4,
    /// Eight streams.
    Eight = 8,
    /// Sixteen streams.
    Sixteen = 16,
}

/// The error of a number of streams that is none of 1, 2, 3, 4, 8, 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownStreams;

impl core::fmt::Display for UnknownStreams {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("there are 1, 2, 3, 4, 8 or 16 streams")
    }
}

impl core::error::Error for UnknownStreams {}

impl TryFrom<usize> for Streams {
    type Error = UnknownStreams;

    fn try_from(c: usize) -> Result<Streams, UnknownStreams> {
        match c {
            1 => Ok(Streams::One),
            2 => Ok(Streams::Two),
            3 => Ok(Streams::Three),
            4 => Ok(Streams::Four),
            8 => Ok(Streams::Eight),
            16 => Ok(Streams::Sixteen),
            _ => Err(UnknownStreams),
        }
    }
}

/// How elements lie in the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// In 64-bit words, one stream after the other.
    Words,
    /// Streams side by side in the machine's lanes, in limbs of 26 bits, or of 44 and 43 where there is 52-bit multiply-add.
    /// Words serve where the streams do not fill the lanes, and on the portable machine.
    Lanes,
    /// In lanes, modulo 2^127 - 1 in the four limbs of 32 bits of paper 001, section 4.2, to reproduce its comparison: it is
    /// slower. Modulo 2^130 - 5 the same as [`Lanes`](Layout::Lanes).
    FourLimbs,
    /// In lanes of which some idle, to know what they cost: one, two or three streams in a run of four lanes, two runs in eight; without
    /// 52-bit multiply-add in four. Elsewhere the same as [`Lanes`](Layout::Lanes).
    IdleLanes,
}

/// How to evaluate, for those who measure or reproduce. Every choice gives the same digest.
///
/// Without the feature `plans` only t = 2 and 3 are compiled, and [`FourLimbs`](Layout::FourLimbs) and
/// [`IdleLanes`](Layout::IdleLanes) are the same as [`Lanes`](Layout::Lanes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Leaves of the product tree have 2^t - 1 blocks of a stream, t = 2 to 5; others are taken as the nearest of these.
    pub t: usize,
    /// How elements lie in the machine.
    pub layout: Layout,
}

impl Params {
    /// Every choice.
    pub fn all() -> impl Iterator<Item = Params> {
        let layouts = [Layout::Words, Layout::Lanes, Layout::FourLimbs, Layout::IdleLanes];
        layouts.into_iter().flat_map(|layout| (2..=5).map(move |t| Params { t, layout }))
    }

    /// Every choice modulo 2^130 - 5, where [`Layout::FourLimbs`] is none of its own.
    pub fn all1305() -> impl Iterator<Item = Params> {
        Params::all().filter(|params| params.layout != Layout::FourLimbs)
    }
}
