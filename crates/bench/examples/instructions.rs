//! Instructions that products in F2\[X\] execute, beside those that paper 002 counts (Tables 4 and 14,
//! retired instructions): by the library's own plans, and by KaratRec over each of the paper's kernels.
//!
//! For an emulator whose time stamp counter advances by one for each instruction, as that of Bochs does:
//! `cargo xtask bochs --instructions` runs it there, on backends that this CPU may lack. Where the counter
//! counts time it says so and exits with 1.
use anyhow::{Result, ensure};
use carryless_bench::clock::Clock;
use carryless_bench::paper002::figures::Paper;
use carryless_bench::paper002::kernel_of;
use carryless_gf2::ClmulCpu;
use carryless_gf2::papers::KaratRec;
use carryless_gf2::poly::Plan;

/// Bits of an operand, and the fewest instructions that the paper's tables have for it, those of
/// `karat_mult_1_512_SB`. `None` for HQC's sizes, which the tables lack.
const SIZES: [(usize, Option<u64>); 11] = [
    (1024, Some(193)),
    (2048, Some(581)),
    (4096, Some(1821)),
    (8192, Some(6128)),
    (16384, Some(18797)),
    (17669, None),
    (32768, Some(57525)),
    (35851, None),
    (57637, None),
    (65536, Some(174_468)),
    (131_072, Some(527_205)),
];

fn main() -> Result<()> {
    let clock = Clock::start();
    ensure!(counts_instructions(&clock), "this CPU's time stamp counter counts time, not instructions");
    println!("| bits | backend | plan | instructions | paper | ratio |");
    println!("|---:|---|---|---:|---:|---:|");
    for (bits, paper) in SIZES {
        let words = bits.div_ceil(64);
        let (a, b) = (operand(words, 1), operand(words, 2));
        let expected = product(&Plan::on(ClmulCpu::named("soft")?, words, words), &a, &b, |work| work());
        for cpu in ClmulCpu::available().filter(|cpu| cpu.name() != "soft") {
            let plan = Plan::on(cpu, words, words);
            let mut count = u64::MAX;
            // The least of five runs: an interrupt adds its own instructions.
            for _ in 0..5 {
                let got = product(&plan, &a, &b, |work| count = count.min(clock.time(work)));
                ensure!(got == expected, "{} gives a wrong product on {}", plan.describe(), cpu.name());
            }
            line(bits, cpu, plan.describe(), count, paper.map(|paper| paper as f64));
        }
    }
    kernels(&clock)
}

fn line(bits: usize, cpu: ClmulCpu, what: impl std::fmt::Display, count: u64, paper: Option<f64>) {
    let (least, ratio) = paper
        .map_or_else(Default::default, |paper| (paper.to_string(), format!("{:.2}", count as f64 / paper)));
    println!("| {bits} | {} | {what} | {count} | {least} | {ratio} |", cpu.name());
}

/// Prints the columns of Tables 4 and 14. The paper's AVX2 code is compared on the backend with its
/// instructions, all other code on the widest backend.
fn kernels(clock: &Clock) -> Result<()> {
    let paper = Paper::read();
    for table in &paper.tables {
        for column in &table.columns {
            let Some(kernel) = kernel_of(table.name, column) else { continue };
            let name = if *column == "avx2" { "pclmul-avx2" } else { ClmulCpu::detect().name() };
            let Ok(cpu) = ClmulCpu::named(name) else { continue };
            for of_paper in &table.lines {
                let words = of_paper.bits / 64;
                let levels = (words / kernel.words()).ilog2() as usize;
                let method = KaratRec::new(cpu, kernel, levels)?;
                let (a, b) = (operand(words, 1), operand(words, 2));
                let expected =
                    product(&Plan::on(ClmulCpu::named("soft")?, words, words), &a, &b, |work| work());
                let (mut got, mut scratch) = (vec![0; 2 * words], vec![0; method.scratch_words()]);
                let mut count = u64::MAX;
                for _ in 0..5 {
                    count = count.min(clock.time(&mut || method.mul(&a, &b, &mut got, &mut scratch)));
                }
                ensure!(got == expected, "{kernel:?} gives a wrong product on {}", cpu.name());
                let theirs = paper.instructions(table, of_paper, column);
                line(
                    of_paper.bits,
                    cpu,
                    format!("{}, {column}: KaratRec({kernel:?})", table.name),
                    count,
                    theirs,
                );
            }
        }
    }
    Ok(())
}

/// Whether the time stamp counter counts instructions: a chain of multiplications takes three cycles for
/// each, but little more than one instruction.
fn counts_instructions(clock: &Clock) -> bool {
    let least = (0..5).map(|_| clock.probe().ticks).min().unwrap_or(u64::MAX);
    (least as f64) < Clock::PROBE_CYCLES / 2.0
}

fn operand(words: usize, seed: u64) -> Vec<u64> {
    (1..=words as u64).map(|i| (i ^ seed << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
}

/// Computes a product. `run` is given the multiplication alone, to count it.
fn product(plan: &Plan, a: &[u64], b: &[u64], run: impl FnOnce(&mut dyn FnMut())) -> Vec<u64> {
    let (mut product, mut scratch) = (vec![0; a.len() + b.len()], vec![0; plan.scratch_words()]);
    run(&mut || plan.mul(a, b, &mut product, &mut scratch));
    product
}
