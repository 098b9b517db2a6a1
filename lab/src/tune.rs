//! `carryless-lab tune`: measures products in F2[X] on this CPU, and prints the table of costs by which plans
//! are chosen; or the kernels of Poly1305, beside those that the library chooses.
mod hash;

use std::hint::black_box;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use carryless_cli::base::{Exit, clmul_cpu, stdout_error};
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{MeasuredChain, Plan, Ring};
use clap::{Args, ValueEnum, value_parser};

/// Measures what the library chooses between on this CPU, and prints a table.
///
/// `products`: the fastest constructions of products of polynomials over F2, for `carryless-lab explain poly
/// --costs FILE` and for the library (`poly::Costs`). `hash`: at each length the kernel of Poly1305 that the library
/// chooses, and the fastest one; with `--all` every kernel.
///
/// Everything is measured in turn, again and again, and its least time counts; run it on a quiet machine.
#[derive(Args)]
pub(crate) struct TuneArgs {
    /// What to measure
    #[arg(value_enum, default_value_t = What::Products)]
    what: What,
    /// The backend [default: the best for products, all for hash]
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    /// Print the time of every kernel of Poly1305 (`hash` only)
    #[arg(long)]
    all: bool,
    /// Seconds to measure; everything is measured three times at least
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = value_parser!(u64).range(1..=3600))]
    seconds: u64,
}

/// The tables that can be measured.
#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Products in F2[X]
    Products,
    /// Poly1305
    Hash,
}

/// Longest operand that is measured, in words.
const TOP: usize = 2400;

/// Word sizes of Toom3 that are measured, in bits. Larger ones make the operands shorter.
const WORDS: [u16; 2] = [64, 128];

/// Returns the numbers of points at which a transform is measured. The time of a point and that of a level
/// follow from the two times.
fn points(ring: Ring) -> [usize; 2] {
    // A ring of 256 points has no transform of 1024.
    if ring.points() == 1 << 8 { [32, 256] } else { [32, 1024] }
}

/// A construction that is measured: a chain or a transform.
#[derive(Clone, Copy)]
enum Subject {
    Chain(MeasuredChain),
    Transform { ring: Ring, points: usize },
}

impl Subject {
    fn plan(self, cpu: ClmulCpu) -> Option<Plan> {
        match self {
            Subject::Chain(chain) => Some(Plan::by_chain(cpu, &chain)),
            Subject::Transform { ring, points } => {
                // A product has twice the words of its operands, so operands of half the points fill the
                // transform.
                let words = ring.words() * points.div_ceil(2);
                Plan::by_transform(cpu, words, words, ring).ok()
            }
        }
    }
}

/// Returns all chains up to the longest operand. Toom3 of short parts is not worth measuring and is left out.
fn chains() -> Vec<Subject> {
    let mut all = Vec::new();
    // The ranges are generous: chains beyond the longest operand are dropped below.
    for tooms in 0..4 {
        // Without Toom3 there is no word size to vary.
        let words = if tooms == 0 { [0].as_slice() } else { &WORDS };
        for odd in [1, 3, 5, 9] {
            for karats in 0..9 {
                for leaf in [2, 4, 6, 8] {
                    let room = tooms == 0 || (usize::from(odd) * usize::from(leaf)) << karats >= 20;
                    let chain = |&x| MeasuredChain::new(tooms, x, odd, karats, leaf, 0);
                    // A chain with leaves of 128 bits, except a single leaf, equals a chain with longer
                    // leaves.
                    if room && (leaf > 2 || (karats == 0 && odd == 1)) {
                        let chains = words.iter().filter_map(chain).filter(|chain| chain.words() <= TOP);
                        all.extend(chains.map(Subject::Chain));
                    }
                }
            }
        }
    }
    all
}

fn transforms() -> impl Iterator<Item = Subject> {
    let both = |ring| points(ring).map(|points| Subject::Transform { ring, points });
    Ring::ALL.into_iter().flat_map(both)
}

/// A plan, with the least time of a product so far, in picoseconds.
struct Entry {
    subject: Subject,
    plan: Plan,
    best: u64,
}

impl Entry {
    /// Multiplies for 60 microseconds, or once if that takes longer, and keeps the least time.
    fn round(&mut self, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        let [m, n] = self.plan.words();
        let mut count = 1;
        loop {
            let start = Instant::now();
            for _ in 0..count {
                self.plan.mul(black_box(&a[..m]), black_box(&b[..n]), &mut out[..m + n], scratch);
            }
            let elapsed = start.elapsed();
            if elapsed > Duration::from_micros(60) {
                // Interrupts only make a round longer, so the least time counts.
                self.best = self.best.min((elapsed.as_nanos() * 1000 / count) as u64);
                return;
            }
            // Doubling finds a round of at least 60 microseconds. Shorter ones would measure the clock.
            count *= 2;
        }
    }
}

/// Measures all constructions in turn until the time is over, at least three times. Taking turns spreads
/// disturbances over all of them.
fn measure(cpu: ClmulCpu, time: Duration) -> Vec<Entry> {
    let entry = |subject: Subject| Some(Entry { subject, plan: subject.plan(cpu)?, best: u64::MAX });
    let mut entries: Vec<Entry> = chains().into_iter().chain(transforms()).filter_map(entry).collect();
    let most = |size: fn(&Plan) -> usize| entries.iter().map(|e| size(&e.plan)).max().unwrap_or(0);
    // All entries share one pair of operands and one scratch, as long as the longest of them needs.
    let (words, scratch) = (most(|plan| plan.words()[0]), most(Plan::scratch_words));
    let operand = |seed: u64| -> Vec<u64> {
        (0..words as u64).map(|i| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
    };
    let (a, b, mut out, mut scratch) = (operand(1), operand(2), vec![0; 2 * words], vec![0; scratch]);
    // Three rounds even if the time is over before: a single one may have been disturbed.
    let (start, mut rounds) = (Instant::now(), 0);
    while rounds < 3 || start.elapsed() < time {
        entries.iter_mut().for_each(|entry| entry.round(&a, &b, &mut out, &mut scratch));
        rounds += 1;
    }
    entries
}

/// Keeps the chains that are faster than every chain of at least their length, in ascending order.
fn worth_having(entries: &[Entry]) -> Vec<MeasuredChain> {
    let measured = |e: &Entry| match e.subject {
        Subject::Chain(chain) => Some(chain.taking(e.best)),
        Subject::Transform { .. } => None,
    };
    let mut all: Vec<_> = entries.iter().filter_map(measured).collect();
    // From the longest chain down: one that is not faster than a longer chain is useless, as the longer one
    // serves its operands too.
    all.sort_by_key(|chain| (chain.words(), std::cmp::Reverse(chain.picoseconds())));
    let mut kept: Vec<MeasuredChain> = Vec::new();
    for chain in all.into_iter().rev() {
        let better = |longer: &MeasuredChain| {
            chain.picoseconds() < longer.picoseconds() && chain.words() < longer.words()
        };
        // Of equal lengths the fastest comes first, and the others fail the strict comparison of lengths.
        if kept.last().is_none_or(better) {
            kept.push(chain);
        }
    }
    kept.reverse();
    kept
}

/// Returns picoseconds for each point, and for each point and level, from the times at two numbers of points.
fn of_transform(entries: &[Entry], ring: Ring) -> (u64, u64) {
    let of_point = |wanted: usize| {
        let is = |e: &&Entry| matches!(e.subject, Subject::Transform { ring: r, points } if r == ring && points == wanted);
        let best = entries.iter().find(is).map_or(0, |e| e.best);
        (best / wanted as u64, u64::from(wanted.ilog2()))
    };
    // A transform of n points takes n point + n log2(n) level. Two numbers of points determine both.
    let [(few, low), (many, high)] = points(ring).map(of_point);
    // Noise can make the larger transform seem cheaper for each point. Times must not become negative.
    let level = many.saturating_sub(few) / (high - low);
    (few.saturating_sub(low * level), level)
}

/// Measures and prints the table.
pub(crate) fn run(args: &TuneArgs) -> Result<Exit> {
    let (backend, time) = (args.backend.as_deref(), Duration::from_secs(args.seconds));
    let text = match args.what {
        What::Products => {
            ensure!(!args.all, "--all is for `tune hash`");
            products(clmul_cpu(backend)?, time)
        }
        What::Hash => hash::table(backend, time, args.all)?,
    };
    io::stdout().write_all(text.as_bytes()).map_err(stdout_error)?;
    Ok(Exit::Good)
}

/// The table of constructions of products.
fn products(cpu: ClmulCpu, time: Duration) -> String {
    let entries = measure(cpu, time);
    let mut text = format!("# carryless-lab tune, {}\n", cpu.name());
    // The table is numbers alone, so comments tell a reader what each of them is.
    text += "# transform(picoseconds of a point, of a point in a level), for each ring\n";
    for ring in Ring::ALL {
        let (point, level) = of_transform(&entries, ring);
        text += &format!("transform({point}, {level})\n");
    }
    text +=
        "# chain(words, times Toom3, its x in bits, odd step, times Karat2, words of a leaf, picoseconds)\n";
    for chain in worth_having(&entries) {
        text += &format!("{chain}\n");
    }
    text
}
