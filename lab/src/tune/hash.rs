//! `carryless-lab tune hash`: measures every kernel of Poly1305 at many lengths, beside the one that the library chooses.
use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use carryless_cli::base::cpu;
use carryless_hash::poly1305::{mac, mac_with};
use carryless_hash::research::{Plan, kernel_for};
use carryless_hash::{Cpu, CpuClass, CpuId};

/// Messages of 16 bytes to 64 KiB: four lengths for each power of two, and lengths with a short last block.
fn lengths() -> Vec<usize> {
    let mut all: Vec<usize> = (4..16)
        .flat_map(|lg| [4, 5, 6, 7].map(|quarter| (quarter << lg) / 4))
        .flat_map(|len| [len, len + 7])
        .collect();
    all.push(1 << 16);
    all
}

/// A kernel on a backend, with the least time of a call so far, in nanoseconds.
struct Entry {
    cpu: Cpu,
    plan: Plan,
    best: f64,
}

/// Measures all kernels of `backend`, or of every backend of this CPU, and returns the table as text, with a line for
/// each kernel if `all`.
pub(super) fn table(backend: Option<&str>, time: Duration, all: bool) -> Result<String> {
    let cpus: Vec<Cpu> = match backend {
        Some(_) => vec![cpu(backend)?],
        None => Cpu::available().collect(),
    };
    let best = *cpus.last().unwrap_or(&Cpu::detect());
    let lengths = lengths();
    let mut text = format!(
        "# carryless-lab tune hash, class {}{}: Poly1305 under a fresh key, nanoseconds of a call\n\
         # differences under 2 % are noise\n{:>6} {:>9} {:>9} {:>6}  chosen; fastest, if another\n",
        CpuClass::detect().name(),
        CpuId::detect().map_or(String::new(), |id| format!(" ({id})")),
        "bytes",
        "chosen",
        "fastest",
        "ratio"
    );
    let mut worst = (0.0, 0);
    for &len in &lengths {
        let mut entries = measure(&cpus, len, time / lengths.len() as u32)?;
        let choice = kernel_for(best, len);
        let is_chosen =
            |e: &&Entry| e.plan == choice.plan() && (e.cpu == choice.cpu() || e.plan == Plan::Words);
        entries.sort_by(|a, b| a.best.total_cmp(&b.best));
        let (Some(chosen), Some(fastest)) = (entries.iter().find(is_chosen), entries.first()) else {
            continue;
        };
        let ratio = chosen.best / fastest.best;
        text += &format!("{len:>6} {:>9.1} {:>9.1} {ratio:>6.3}  {choice}", chosen.best, fastest.best);
        if fastest.plan != chosen.plan || fastest.cpu != chosen.cpu {
            text += &format!("; {}, {}", fastest.plan, fastest.cpu.name());
        }
        text.push('\n');
        worst = if ratio > worst.0 { (ratio, len) } else { worst };
        if all {
            text += &every(&entries, fastest.best);
        }
    }
    text +=
        &format!("# the chosen kernel takes at most {:.3} of the fastest, at {} bytes\n", worst.0, worst.1);
    Ok(text)
}

/// A line for each kernel, the fastest first, with its backend and its time in ratio to the fastest.
fn every(entries: &[Entry], fastest: f64) -> String {
    let line =
        |e: &Entry| format!("{:>16.1} {:>16.3}  {}, {}\n", e.best, e.best / fastest, e.plan, e.cpu.name());
    entries.iter().map(line).collect()
}

/// The least times of all kernels for messages of `len` bytes. All must give the same tag.
fn measure(cpus: &[Cpu], len: usize, time: Duration) -> Result<Vec<Entry>> {
    let (key, msg) = ([0x5c; 32], vec![0xc5; len]);
    let want = mac(&key, &msg);
    let plans = |&cpu: &Cpu| Plan::all(cpu, len).map(move |plan| Entry { cpu, plan, best: f64::INFINITY });
    let mut entries: Vec<Entry> = cpus.iter().flat_map(plans).collect();
    // Lanes of plain integers are slower than words by far.
    entries.retain(|entry| entry.cpu.name() != "portable" || entry.plan == Plan::Words);
    for Entry { cpu, plan, .. } in &entries {
        let tag = mac_with(*cpu, *plan, &key, &msg)?;
        ensure!(tag == want, "{plan} on {} gives another tag for {len} bytes", cpu.name());
    }
    // Three rounds even if the time is over before: a single one may have been disturbed.
    let (start, mut rounds) = (Instant::now(), 0);
    while rounds < 3 || start.elapsed() < time {
        entries.iter_mut().for_each(|entry| entry.round(&key, &msg));
        rounds += 1;
    }
    Ok(entries)
}

impl Entry {
    /// Repeats the call for some 20 microseconds and keeps the least time.
    fn round(&mut self, key: &[u8; 32], msg: &[u8]) {
        let count = 1 + 40_000 / (msg.len() + 100);
        let start = Instant::now();
        for _ in 0..count {
            let _ = black_box(mac_with(self.cpu, self.plan, black_box(key), black_box(msg)));
        }
        // Interrupts only make a round longer, so the least time counts.
        self.best = self.best.min(start.elapsed().as_nanos() as f64 / count as f64);
    }
}
