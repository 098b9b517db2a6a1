//! `carryless-lab explain kem`: lists the sizes of a KEM and the parts of its operations, and measures both.
use std::hint::black_box;

use anyhow::{Result, ensure};
use carryless_cli::base::{Parameters, ProfileArgs, clmul_cpu, json};
use carryless_gf2::poly::{Costs, Plan};
use carryless_hqc::parts::{Parts, Permutations};
use carryless_hqc::{
    Array, ClmulCpu, DecapsulationKey, ExpandedDecapsulationKey, ExpandedEncapsulationKey, Scheme, SchemeId,
    SchemeVisitor, keccak,
};
use clap::Args;
use serde::Serialize;

use super::{duration, measured};

/// The KEM HQC: sizes, the plan of its products, permutations of Keccak, what its operations consist of, and
/// the times of parts and operations here. Secrets of both sides are compared first.
#[derive(Args)]
pub(super) struct KemArgs {
    /// The backend for carry-less products [default: the best]
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    #[command(flatten)]
    profile: ProfileArgs,
    /// Print the explanation as one JSON object
    #[arg(long)]
    json: bool,
    /// The parameter set, such as hqc-1
    #[arg(value_name = "SET")]
    set: String,
}

/// The explanation of a scheme, as printed or as JSON.
#[derive(Serialize)]
struct Explanation {
    set: &'static str,
    profile: &'static str,
    backend: &'static str,
    parameters: Parameters,
    bytes: Bytes,
    plan: String,
    /// Predicted time of a product in nanoseconds, by the table of costs.
    product_predicted_ns: f64,
    parts: Vec<Part>,
    operations: Vec<Operation>,
}

/// Sizes of the scheme's values in memory and on the wire, in bytes.
#[derive(Serialize)]
struct Bytes {
    seed: usize,
    encapsulation_key: usize,
    decapsulation_key: usize,
    ciphertext: usize,
    shared_secret: usize,
    expanded_encapsulation_key: usize,
    expanded_decapsulation_key: usize,
}

/// A part of operations, with its measured time.
#[derive(Serialize)]
struct Part {
    part: &'static str,
    /// How often key generation, encapsulation and decapsulation compute this part.
    counts: [usize; 3],
    min_ns: f64,
    median_ns: f64,
}

#[derive(Serialize)]
struct Operation {
    operation: &'static str,
    /// Permutations of single Keccak states. Independent hashes share them.
    permutations: usize,
    /// Sum of the minimal times of its parts, in nanoseconds.
    predicted_ns: f64,
    min_ns: f64,
    median_ns: f64,
}

/// Measures a call. Returns the minimal and the median time in nanoseconds.
fn times<T>(mut call: impl FnMut() -> T) -> (f64, f64) {
    let times = measured(|| {
        black_box(call());
    });
    (times[0], times[times.len() / 2])
}

struct Explain(SchemeId, ClmulCpu);

impl SchemeVisitor for Explain {
    type Output = Result<Explanation>;

    fn visit<K: Scheme>(self) -> Result<Explanation> {
        let Explain(scheme, cpu) = self;
        let parameters = Parameters::of(scheme);
        let sizes = parameters.sizes;
        let plan: Plan = Parts::<K>::on(cpu).plan();
        let parts = parts::<K>(cpu);
        Ok(Explanation {
            set: K::NAME,
            profile: scheme.profile(),
            backend: cpu.name(),
            parameters,
            bytes: Bytes {
                seed: sizes.seed,
                encapsulation_key: sizes.encapsulation_key,
                decapsulation_key: sizes.decapsulation_key,
                ciphertext: sizes.ciphertext,
                shared_secret: sizes.shared_secret,
                expanded_encapsulation_key: size_of::<ExpandedEncapsulationKey<K>>(),
                expanded_decapsulation_key: size_of::<ExpandedDecapsulationKey<K>>(),
            },
            plan: plan.describe().to_string(),
            product_predicted_ns: plan.predicted(&Costs::of(cpu)) as f64 / 1e3,
            operations: operations::<K>(cpu, &parts)?,
            parts,
        })
    }
}

/// Measures the parts of the KEM, on arbitrary values.
fn parts<K: Scheme>(cpu: ClmulCpu) -> Vec<Part> {
    let (parts, permutations) = (Parts::<K>::on(cpu), Permutations::of::<K>());
    // Zeros serve as well as random values: apart from the candidates of samplers, no time depends on them.
    let dk = DecapsulationKey::<K>::from_seed_on(cpu, &Array::zeroed());
    let (ek, seed) = (dk.encapsulation_key().as_bytes(), Array::zeroed());
    let (message, mut space) = (Array::zeroed(), parts.space());
    let y = parts.y_positions(&seed);
    let (errors, h, code) = (parts.error_positions(&seed), parts.uniform(&seed), parts.encode(&message));
    let (factor, mut sum) = (parts.prepare(&h, &mut space), parts.vector(y.as_ref()));
    let mut state = [0; 25];

    // Hashes that have no part of their own below.
    let others = [
        permutations.seeds,
        permutations.message + permutations.secret,
        permutations.message + permutations.secret + permutations.rejection,
    ];
    let mut list = Vec::new();
    let mut part = |part, counts, (min_ns, median_ns)| list.push(Part { part, counts, min_ns, median_ns });
    // Key generation: h y. Encapsulation: h r2 and s r2. Decapsulation: u y, then both of encapsulation.
    part("product", [1, 2, 3], times(|| parts.mul_add(black_box(&h), &factor, &mut sum, &mut space)));
    // The factors of these products are y and r2. r2 is prepared once for two products.
    part("factor prepared", [1, 1, 2], times(|| parts.prepare(black_box(&h), &mut space)));
    part("h of its seed", [1, 0, 0], times(|| parts.uniform(black_box(&seed))));
    part("h and H(ek) side by side", [0, 1, 1], times(|| parts.key_hash(black_box(ek))));
    part("positions of y and x", [1, 0, 1], times(|| parts.key_positions(black_box(&seed))));
    part("positions of r1, r2, e", [0, 1, 1], times(|| parts.error_positions(black_box(&seed))));
    part("ones at positions", [2, 3, 4], times(|| parts.vector(black_box(errors.e.as_ref()))));
    part("codeword", [0, 1, 1], times(|| parts.encode(black_box(&message))));
    part("decoding", [0, 0, 1], times(|| parts.decode(black_box(&code))));
    // 136 bytes is the rate of SHAKE256.
    part("permutations of other hashes", others, times(|| keccak::permute(black_box(&mut state), &[0; 136])));
    list
}

/// Measures the operations, after comparing the secrets of both sides.
fn operations<K: Scheme>(cpu: ClmulCpu, parts: &[Part]) -> Result<Vec<Operation>> {
    let seed = Array::zeroed();
    let dk = DecapsulationKey::<K>::from_seed_on(cpu, &seed);
    let (ek, message, salt) = (dk.encapsulation_key(), Array::zeroed(), [0; 16]);
    let (ct, ss) = ek.encapsulate_deterministic(&message, &salt);
    let (expanded, permutations) = (dk.expand(), Permutations::of::<K>());
    ensure!(
        dk.decapsulate(&ct) == ss && expanded.decapsulate(&ct) == ss,
        "the secrets of both sides differ on {}",
        cpu.name()
    );
    let mut list = Vec::new();
    let mut operation = |operation, i: usize, permutations, (min_ns, median_ns)| {
        // What an operation takes beyond its parts is copies, wiping and comparisons.
        let predicted_ns = parts.iter().map(|part| part.counts[i] as f64 * part.min_ns).sum();
        list.push(Operation { operation, permutations, predicted_ns, min_ns, median_ns });
    };
    let key = || DecapsulationKey::<K>::from_seed_on(cpu, black_box(&seed));
    // The number is the index of the operation in the counts of parts.
    operation("key generation", 0, permutations.key_generation(), times(key));
    let encapsulate = || ek.encapsulate_deterministic(black_box(&message), &salt);
    operation("encapsulation", 1, permutations.encapsulation(), times(encapsulate));
    operation("decapsulation", 2, permutations.decapsulation(), times(|| dk.decapsulate(black_box(&ct))));
    Ok(list)
}

pub(super) fn explain(args: &KemArgs) -> Result<String> {
    let (scheme, cpu) = (args.profile.of(&args.set)?, clmul_cpu(args.backend.as_deref())?);
    let explanation = scheme.dispatch(Explain(scheme, cpu))?;
    Ok(if args.json { json(&explanation)? + "\n" } else { describe(&explanation) })
}

fn describe(e: &Explanation) -> String {
    let (p, bytes) = (&e.parameters, &e.bytes);
    let mut text = format!("scheme    {}, profile {}\nbackend   {}\n", e.set, e.profile, e.backend);
    text += &format!(
        "ring      F2[X] / (X^{} - 1), {} bytes; weights {} (x, y) and {} (r1, r2, e)\n",
        p.n, p.ring_bytes, p.w, p.w_r
    );
    text += &format!(
        "code      Reed-Solomon [{}, {}] over GF(2^8), {} errors; {} copies of Reed-Muller [128, 8]; {} bytes\n",
        p.n1, p.k, p.delta, p.copies, p.code_bytes
    );
    text += &format!(
        "bytes     seed {}, encapsulation key {}, decapsulation key {}, ciphertext {}, shared secret {}\n",
        bytes.seed, bytes.encapsulation_key, bytes.decapsulation_key, bytes.ciphertext, bytes.shared_secret
    );
    text += &format!(
        "expanded  encapsulation key {}, decapsulation key {}\n",
        bytes.expanded_encapsulation_key, bytes.expanded_decapsulation_key
    );
    text += &format!("product   {}, {} predicted\n\n", e.plan, duration(e.product_predicted_ns));
    text += "in keygen, encaps, decaps                 at least    median\n";
    for Part { part, counts: [a, b, c], min_ns, median_ns } in &e.parts {
        text +=
            &format!("{a:4} {b:4} {c:4}  {part:28}{:>9} {:>9}\n", duration(*min_ns), duration(*median_ns));
    }
    text += "\noperation       permutations     parts  at least    median\n";
    for Operation { operation, permutations, predicted_ns, min_ns, median_ns } in &e.operations {
        text += &format!(
            "{operation:16}{permutations:12} {:>9} {:>9} {:>9}\n",
            duration(*predicted_ns),
            duration(*min_ns),
            duration(*median_ns)
        );
    }
    text
}
