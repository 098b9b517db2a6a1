//! Backends, sizes, inputs, and the comparison of every route with the reference.
use carryless_hash::{Cpu, Tag, poly1305, polyhash1305};
use carryless_reference as reference;
use std::io::Write;
use std::sync::OnceLock;

/// All backends of this CPU. Names them on the terminal the first time, past the test harness's capture.
pub(crate) fn backends() -> &'static [Cpu] {
    static BACKENDS: OnceLock<Vec<Cpu>> = OnceLock::new();
    BACKENDS.get_or_init(|| {
        let here: Vec<Cpu> = Cpu::available().collect();
        let (present, absent): (Vec<&str>, Vec<&str>) =
            Cpu::NAMES.iter().partition(|&&name| here.iter().any(|cpu| cpu.name() == name));
        let line = format!("backends: {}; this CPU lacks: {}\n", present.join(" "), absent.join(" "));
        std::io::stderr().write_all(line.as_bytes()).expect("standard error is open");
        here
    })
}

/// How much to do: everything, or little for an emulator (`CARRYLESS_QUICK=1`), or very little for Miri.
pub(crate) fn pick(full: usize, quick: usize, miri: usize) -> usize {
    if cfg!(miri) {
        miri
    } else if std::env::var_os("CARRYLESS_QUICK").is_some_and(|v| v == "1") {
        quick
    } else {
        full
    }
}

/// splitmix64: the same inputs in every run.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    pub(crate) fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n.div_ceil(8)).flat_map(|_| self.word().to_le_bytes()).take(n).collect()
    }

    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        self.bytes(N).try_into().expect("N bytes")
    }

    /// A message of `n` bytes whose blocks are mostly [`weird_words`].
    pub(crate) fn weird_bytes(&mut self, n: usize) -> Vec<u8> {
        let weird = weird_words();
        let mut block = || match self.below(4) {
            0 => self.array(),
            _ => weird[self.below(weird.len())].to_le_bytes(),
        };
        (0..n.div_ceil(16)).flat_map(|_| block()).take(n).collect()
    }
}

/// 128-bit words at the edges of limbs of 26, 44 and 64 bits, and around 0, p and 2^128.
pub(crate) fn weird_words() -> Vec<u128> {
    let mut words = vec![0, 1, 2, 3, 4, 5, 6, !0, !0 - 1, !0 - 4, !0 - 5, 1 << 127, (1 << 127) - 1];
    for bit in [25, 26, 27, 43, 44, 45, 51, 52, 53, 63, 64, 65, 77, 78, 87, 88, 89, 103, 104, 105, 126] {
        words.extend([1 << bit, (1 << bit) - 1, !0 << bit]);
    }
    for limb in 0..5 {
        words.push(0x3ff_ffff << (26 * limb)); // one limb full
        words.push(!(0x3ff_ffff << (26 * limb))); // all others full
    }
    words
}

/// Keys of polyHash1305 at the same edges, and keys of which a small power is just below p.
pub(crate) fn weird_keys() -> Vec<[u8; 16]> {
    let mut keys: Vec<[u8; 16]> = weird_words().into_iter().map(u128::to_le_bytes).collect();
    for below in 1..=pick(6, 2, 0) as u32 {
        let value = reference::P1305.p() - below;
        keys.extend(reference::roots_of_power_of_two(&reference::P1305, &value, 3));
    }
    keys
}

fn poly1305_routes(cpu: Cpu, key: &[u8; 32], msg: &[u8]) -> Vec<(&'static str, Tag)> {
    let (r, s) = (key[..16].try_into().expect("r"), key[16..].try_into().expect("s"));
    let mut batch = [Tag::from([0; 16])];
    poly1305::mac_batch_on(cpu, &[*key], &[msg], &mut batch);
    let stream = |piece: usize| {
        let mut stream = poly1305::Poly1305::on(cpu, key);
        msg.chunks(piece).for_each(|piece| stream.update(piece));
        stream.finalize()
    };
    let mut routes = vec![
        ("one-shot", poly1305::mac_on(cpu, key, msg)),
        ("stream", stream(msg.len().max(1))),
        ("stream by 37", stream(37)),
        ("stream by 256", stream(256)),
        ("prepared", poly1305::PreparedKey::on(cpu, r).mac(s, msg)),
        ("batch of one", batch[0]),
    ];
    if cpu == Cpu::detect() {
        let mut stream = poly1305::Poly1305::new(key);
        stream.update(msg);
        routes.extend([
            ("one-shot by default", poly1305::mac(key, msg)),
            ("stream by default", stream.finalize()),
            ("prepared by default", poly1305::PreparedKey::new(r).mac(s, msg)),
        ]);
    }
    routes
}

fn polyhash1305_routes(cpu: Cpu, key: &[u8; 16], msg: &[u8]) -> Vec<(&'static str, [u8; 16])> {
    let prepared = polyhash1305::PreparedKey::on(cpu, key);
    let stream = |piece: usize| {
        let mut stream = polyhash1305::PolyHash1305::on(cpu, key);
        msg.chunks(piece).for_each(|piece| stream.update(piece));
        stream.finalize()
    };
    // A segment before another has whole blocks.
    let (a, b) = msg.split_at(msg.len() / 32 * 16);
    let joined = prepared.segment(a).join(&prepared.segment(b)).expect("whole blocks");
    let mut routes = vec![
        ("one-shot", polyhash1305::digest_on(cpu, key, msg)),
        ("stream", stream(msg.len().max(1))),
        ("stream by 37", stream(37)),
        ("stream by 256", stream(256)),
        ("prepared", prepared.digest(msg)),
        ("segment", prepared.segment(msg).digest()),
        ("two segments", joined.digest()),
    ];
    if cpu == Cpu::detect() {
        let mut stream = polyhash1305::PolyHash1305::new(key);
        stream.update(msg);
        routes.extend([
            ("one-shot by default", polyhash1305::digest(key, msg)),
            ("stream by default", stream.finalize()),
            ("prepared by default", polyhash1305::PreparedKey::new(key).digest(msg)),
        ]);
    }
    routes
}

/// Every route to a Poly1305 tag, on every backend, gives `expected`.
#[track_caller]
pub(crate) fn expect_poly1305(key: &[u8; 32], msg: &[u8], expected: [u8; 16]) {
    for &cpu in backends() {
        for (route, tag) in poly1305_routes(cpu, key, msg) {
            let same = tag.to_bytes() == expected;
            assert!(same, "{route} on {}: {tag:?}, not {expected:02x?}\n{}", cpu.name(), show(key, msg));
        }
    }
}

/// Every route to a polyHash1305 digest, on every backend, gives `expected`.
#[track_caller]
pub(crate) fn expect_polyhash1305(key: &[u8; 16], msg: &[u8], expected: [u8; 16]) {
    for &cpu in backends() {
        for (route, digest) in polyhash1305_routes(cpu, key, msg) {
            let name = cpu.name();
            assert!(
                digest == expected,
                "{route} on {name}: {digest:02x?}, not {expected:02x?}\n{}",
                show(key, msg)
            );
        }
    }
}

/// Every route and backend agrees with the reference: polyHash1305 under the first half of the key, and Poly1305.
#[track_caller]
pub(crate) fn check(key: &[u8; 32], msg: &[u8]) {
    expect_poly1305(key, msg, reference::poly1305(key, msg));
    let tau = key[..16].try_into().expect("half a key");
    expect_polyhash1305(tau, msg, reference::polyhash1305(tau, msg));
}

/// The input of a failure, for a report; of a long message only the beginning.
fn show(key: &[u8], msg: &[u8]) -> String {
    let hex = |bytes: &[u8]| bytes.iter().take(2048).map(|b| format!("{b:02x}")).collect::<String>();
    format!("length {}\nkey {}\nmsg {}", msg.len(), hex(key), hex(msg))
}

/// CI names the backends it came to exercise; a run on a CPU without them is a failure, not a pass.
#[test]
fn required_backends_are_present() {
    backends();
    let required = std::env::var("CARRYLESS_REQUIRE_BACKEND");
    let required = required.unwrap_or_default();
    for name in required.split(',').filter(|name| Cpu::NAMES.contains(name)) {
        assert!(Cpu::named(name).is_ok(), "CARRYLESS_REQUIRE_BACKEND: this CPU has no {name}");
    }
}

#[test]
fn the_list_of_backends_is_consistent() {
    assert!(backends().iter().any(|cpu| cpu.name() == "portable"));
    assert!(
        backends().contains(&Cpu::detect()) && backends().iter().all(|cpu| Cpu::NAMES.contains(&cpu.name()))
    );
    assert!(backends().iter().all(|cpu| Cpu::named(cpu.name()) == Ok(*cpu)));
    assert!(Cpu::named("abacus").is_err() && Cpu::named("").is_err());
}
