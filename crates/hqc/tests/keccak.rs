//! Keccak and its streams on every backend, against FIPS 202's functions of RustCrypto and published values.
//!
//! `CARRYLESS_QUICK=1` makes the run small enough for an emulator.
mod common;

use carryless_hqc::keccak::{
    Advance, Block, Function, SHA3_256, SHA3_512, SHAKE256, Stream, permute, permute_many, run,
};
use carryless_lanes::ClmulCpu;
use common::pick;
use sha3::Digest;
use shake::{ExtendableOutput, Update, XofReader};

/// A function of FIPS 202, its rate, and what its output has at most.
const FUNCTIONS: [(Function, usize, usize); 3] =
    [(SHA3_256, 136, 32), (SHA3_512, 72, 64), (SHAKE256, 136, 1 << 20)];

/// Every how many of all lengths and places are tried.
fn step() -> usize {
    pick(1, 13, 101)
}

/// As many bytes, different ones for each seed.
fn bytes(seed: usize, count: usize) -> Vec<u8> {
    (0..count).map(|i| (31 * seed + 7 * i + i / 251) as u8).collect()
}

/// Computes the expected output by the crates of RustCrypto.
fn wanted(function: Function, input: &[u8], output: usize) -> Vec<u8> {
    let mut out = vec![0; output];
    if function == SHA3_256 {
        out.copy_from_slice(&sha3::Sha3_256::digest(input)[..output]);
    } else if function == SHA3_512 {
        out.copy_from_slice(&sha3::Sha3_512::digest(input)[..output]);
    } else {
        let mut hasher = shake::Shake256::default();
        hasher.update(input);
        hasher.finalize_xof().read(&mut out);
    }
    out
}

/// A function, and the lengths of its input and output.
struct Job(Function, usize, usize);

/// All of them side by side.
fn check(cpu: ClmulCpu, jobs: &[Job]) {
    let inputs: Vec<Vec<u8>> = (0..).zip(jobs).map(|(seed, job)| bytes(seed, job.1)).collect();
    let parts: Vec<[&[u8]; 1]> = inputs.iter().map(|input| [&input[..]]).collect();
    let mut outputs: Vec<Vec<u8>> = jobs.iter().map(|job| vec![0x5a; job.2]).collect();
    let streams = jobs.iter().zip(&parts).zip(&mut outputs);
    let mut streams: Vec<_> =
        streams.map(|((job, parts), output)| Stream::new(job.0, parts, output)).collect();
    let mut streams: Vec<_> = streams.iter_mut().map(|stream| stream as &mut dyn Advance).collect();
    run(cpu, &mut streams, &mut []);
    for ((job, input), output) in jobs.iter().zip(&inputs).zip(&outputs) {
        let want = wanted(job.0, input, job.2);
        assert_eq!(*output, want, "{}, {:?}, {} bytes", cpu.name(), job.0, job.1);
    }
}

/// The permutation of zero, twice: the first lanes of the known answers of the Keccak team.
#[test]
fn permutations_of_zero() {
    let mut state = [0; 25];
    permute(&mut state, &[0; 136]);
    assert_eq!(
        state[..5],
        [
            0xf125_8f79_40e1_dde7,
            0x84d5_ccf9_33c0_478a,
            0xd598_261e_a65a_a9ee,
            0xbd15_4730_6f80_494d,
            0x8b28_4e05_6253_d057
        ]
    );
    permute(&mut state, &[0; 136]);
    assert_eq!(state[..2], [0x2d5c_954d_f96e_cb3c, 0x6a33_2cd0_7057_b56d]);
}

/// Every backend does with each of its states and blocks what `permute` does: random ones beside a single bit, which may be one of a block.
#[test]
fn states_side_by_side() {
    for cpu in ClmulCpu::available() {
        let width = cpu.wide_words();
        for bit in (0..1600 + 8 * 136).step_by(step() * 3) {
            let single = |i: usize| u64::from(i == bit / 64) << (bit % 64);
            let word = |i: usize, j: usize| if j == 0 { single(i) } else { (i * j * bit) as u64 };
            let blocks: Vec<Block> = (0..width)
                .map(|j| std::array::from_fn(|i| (single(25 + i / 8) >> (8 * (i % 8))) as u8 ^ (i * j) as u8))
                .collect();
            let mut states: Vec<u64> = (0..25 * width).map(|k| word(k / width, k % width)).collect();
            permute_many(cpu, &mut states, &blocks.iter().collect::<Vec<_>>());
            for (j, block) in blocks.iter().enumerate() {
                let mut one = std::array::from_fn(|i| word(i, j));
                permute(&mut one, block);
                let many: [u64; 25] = std::array::from_fn(|i| states[i * width + j]);
                assert_eq!(many, one, "{}, state {j}", cpu.name());
            }
        }
    }
}

/// Checks digests that NIST has published as examples.
#[test]
fn published_values() {
    let examples: [(Function, &[u8], &str); 6] = [
        (SHA3_256, b"", "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"),
        (SHA3_256, b"abc", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
        (
            SHA3_512,
            b"",
            "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a615b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26",
        ),
        (
            SHA3_512,
            b"abc",
            "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0",
        ),
        (
            SHAKE256,
            b"",
            "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762fd75dc4ddd8c0f200cb05019d67b592f6fc821c49479ab48640292eacb3b7c4be",
        ),
        (SHAKE256, &[0xa3; 200], "cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d"),
    ];
    for cpu in ClmulCpu::available() {
        for (function, input, hex) in examples {
            let mut output = vec![0; hex.len() / 2];
            run(cpu, &mut [&mut Stream::new(function, &[input], &mut output)], &mut []);
            let found: String = output.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(found, hex, "{}, {function:?}", cpu.name());
        }
    }
}

/// One stream of every length of input, up to three blocks and more, and of every length of output.
#[test]
fn all_lengths() {
    for cpu in ClmulCpu::available() {
        for (function, rate, most) in FUNCTIONS {
            for length in (0..3 * rate + 5).step_by(step()) {
                check(cpu, &[Job(function, length, 32)]);
                check(cpu, &[Job(function, 50, length.min(most))]);
            }
        }
    }
}

/// One to eight streams of different functions and lengths, which end at different blocks.
#[test]
fn different_streams() {
    for cpu in ClmulCpu::available() {
        for count in 1..=8 {
            for seed in (0..40).step_by(step()) {
                let job = |i: usize| {
                    let (input, output) = ((seed * 131 + i * i * 89) % 1500, (seed * 53 + i * 211) % 1400);
                    let (function, _, most) = FUNCTIONS[(seed + i) % 3];
                    Job(function, input, output.min(most))
                };
                check(cpu, &(0..count).map(job).collect::<Vec<_>>());
            }
        }
    }
}

/// Inputs in parts that end at any place, outputs that begin at any place, and another stream that goes on meanwhile.
#[test]
fn streams_cut_anywhere() {
    let (input, other) = (bytes(1, 300), bytes(2, 77));
    let (want, want_other) = (wanted(SHAKE256, &input, 300), wanted(SHAKE256, &other, 900));
    for cpu in ClmulCpu::available() {
        for cut in (0..=300).step_by(step()) {
            let (mut output, mut beside) = ([0; 300], [0; 900]);
            let output = &mut output[cut..];
            let other = [&other[..cut.min(77)], &[], &other[cut.min(77)..]];
            let mut other = Stream::new(SHAKE256, &other, &mut beside);
            // An empty part between the others changes nothing.
            let parts = [&input[..cut], &input[cut..cut], &input[cut..]];
            run(cpu, &mut [&mut Stream::new(SHAKE256, &parts, output).skip(cut)], &mut [&mut other]);
            run(cpu, &mut [&mut other], &mut []);
            assert!(*output == want[cut..] && beside == want_other[..], "{}, cut at {cut}", cpu.name());
        }
    }
}

/// What runs beside does not go on when all others have ended, and gives the same in the end.
#[test]
fn streams_beside_others() {
    let (long, want) = (bytes(3, 5000), wanted(SHA3_256, &bytes(3, 5000), 32));
    for cpu in ClmulCpu::available() {
        for blocks in (0..=36).step_by(step()) {
            let (mut short, mut hash) = (vec![0; 136 * blocks], [0; 32]);
            let long = [&long[..]];
            let mut beside = Stream::new(SHA3_256, &long, &mut hash);
            run(cpu, &mut [&mut Stream::new(SHAKE256, &[b"short"], &mut short)], &mut [&mut beside]);
            run(cpu, &mut [&mut beside], &mut []);
            assert_eq!(short, wanted(SHAKE256, b"short", short.len()));
            assert_eq!(hash[..], want, "{}, beside {blocks} blocks", cpu.name());
        }
    }
}

/// Nothing is asked for, and nothing runs.
#[test]
fn nothing_to_do() {
    for cpu in ClmulCpu::available() {
        let mut hash = [7; 32];
        run(cpu, &mut [], &mut [&mut Stream::new(SHA3_256, &[], &mut hash)]);
        assert_eq!(hash, [7; 32]);
        run(cpu, &mut [&mut Stream::new(SHA3_256, &[b"abc"], &mut [])], &mut []);
    }
}

#[test]
fn debug_shows_no_state() {
    let stream = Stream::new(SHA3_512, &[b"secret"], &mut []);
    assert_eq!(format!("{stream:?}"), "Stream { function: Function { rate: 72, suffix: 6 }, .. }");
}
