//! The parameters of the BRW hashes: the function, and how to evaluate it.

/// The number c of streams. It is part of the function: another c gives other digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// BRWHash: one stream, half a product for a block and the fewest products of all.
    One = 1,
    /// 2-decBRWHash: two streams, one per lane on backends of two lanes.
    Two = 2,
    /// 3-decBRWHash: three streams, which no vectors fill; evaluated in words.
    Three = 3,
    /// 4-decBRWHash: four streams, the fastest on backends of four lanes.
    Four = 4,
    /// 8-decBRWHash: eight streams, one per lane on backends of eight lanes.
    Eight = 8,
    /// 16-decBRWHash: sixteen streams, two or more vectors of lanes.
    Sixteen = 16,
}

/// The error of a number of streams that is not 1, 2, 3, 4, 8 or 16.
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

/// Where the elements are during evaluation: in words, or in lanes of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// In 64-bit words, one stream after the other. Needs no vectors.
    Words,
    /// Streams side by side in the backend's lanes, in limbs of 26 bits, or of 44 and 43 bits with 52-bit
    /// multiply-add. Words are used instead where the streams do not fill the lanes, and on the portable backend.
    Lanes,
    /// In lanes, modulo 2^127 - 1 in the four limbs of 32 bits of paper 001, section 4.2. It is slower, and
    /// reproduces the paper's comparison. Modulo 2^130 - 5 it is [`Lanes`](Layout::Lanes).
    FourLimbs,
    /// In lanes of which some are idle, to measure their cost: one, two or three streams in a run of four lanes. Eight
    /// lanes have two runs; without 52-bit multiply-add there are four lanes. Elsewhere it is [`Lanes`](Layout::Lanes).
    IdleLanes,
}

/// How to evaluate a BRW hash, for measurements and for reproducing papers. Every choice gives the same digest.
///
/// Without the feature `research-kernels` only t = 2 and 3 are compiled, and [`FourLimbs`](Layout::FourLimbs) and
/// [`IdleLanes`](Layout::IdleLanes) are the same as [`Lanes`](Layout::Lanes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Leaves of the product tree have 2^t - 1 blocks of a stream, t = 2 to 5. Other values are clamped to this range.
    pub t: usize,
    /// Where the elements are: in words or in lanes.
    pub layout: Layout,
}

impl Params {
    /// All 16 choices: every layout with every t.
    pub fn all() -> impl Iterator<Item = Params> {
        let layouts = [Layout::Words, Layout::Lanes, Layout::FourLimbs, Layout::IdleLanes];
        layouts.into_iter().flat_map(|layout| (2..=5).map(move |t| Params { t, layout }))
    }

    /// The 12 choices that differ modulo 2^130 - 5, where [`Layout::FourLimbs`] has no code of its own.
    pub fn all1305() -> impl Iterator<Item = Params> {
        Params::all().filter(|params| params.layout != Layout::FourLimbs)
    }
}
