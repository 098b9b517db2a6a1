//! Every plan gives the digest of the reference, and says so when it does not serve.
use crate::common::{backends, pick};
use carryless_hash::research::{FirstProduct, Plan, PlanMismatch, PlannedKey, Tail, lambda_of_papers};
use carryless_hash::{Cpu, poly1305, polyhash1305};
use carryless_reference as reference;
use digest::{KeyInit, Mac};
use universal_hash::UniversalHash;

/// The worst key and message for growth of limbs, and an ordinary pair.
fn inputs(len: usize) -> [([u8; 32], Vec<u8>); 2] {
    let key = core::array::from_fn(|i| (i * 29 + 101) as u8);
    [([0xff; 32], vec![0xff; len]), (key, (0..len).map(|i| (i * 131 + 17) as u8).collect())]
}

#[test]
fn all_plans_agree() {
    let edges: &[usize] = if cfg!(miri) { &[] } else { &[512, 1024, 2048] };
    let around = |edge: usize| [edge - 17, edge - 16, edge - 1, edge, edge + 1, edge + 16];
    for len in (0..pick(700, 300, 40)).chain(edges.iter().copied().flat_map(around)) {
        for (key, msg) in inputs(len) {
            let mac = reference::poly1305(&key, &msg);
            let short: &[u8; 16] = key.first_chunk().unwrap();
            let digest = reference::polyhash1305(short, &msg);
            for &cpu in backends() {
                for plan in Plan::all(cpu, len) {
                    let what = format!("{plan:?} on {} at {len} bytes", cpu.name());
                    assert_eq!(poly1305::mac_with(cpu, plan, &key, &msg).unwrap().to_bytes(), mac, "{what}");
                    assert_eq!(polyhash1305::digest_with(cpu, plan, short, &msg).unwrap(), digest, "{what}");
                }
            }
        }
    }
}

#[test]
fn a_plan_that_does_not_serve_is_an_error() {
    let cpu = Cpu::named("portable").unwrap();
    let msg = [0; 64];
    assert_eq!(poly1305::mac_with(cpu, Plan::Horner { g: 1 }, &[1; 32], &msg), Err(PlanMismatch));
    assert_eq!(poly1305::mac_with(cpu, Plan::Horner { g: 0 }, &[1; 32], &[0; 999]), Err(PlanMismatch));
    assert_eq!(poly1305::mac_with(cpu, Plan::Horner { g: 5 }, &[1; 32], &[0; 999]), Err(PlanMismatch));
    let tail = Plan::HornerTail { g: 1 };
    assert_eq!(poly1305::mac_with(cpu, tail, &[1; 32], &[0; 32 * 4 - 1][..]), Err(PlanMismatch));
    for lambda in [0, 5] {
        for plan in packed(lambda) {
            assert_eq!(poly1305::mac_with(cpu, plan, &[1; 32], &[0; 999]), Err(PlanMismatch));
        }
    }
    for plan in packed(1) {
        assert_eq!(poly1305::mac_with(cpu, plan, &[1; 32], &[]), Err(PlanMismatch));
        assert!(poly1305::mac_with(cpu, plan, &[1; 32], &[0]).is_ok());
    }
    assert_eq!(poly1305::mac_with(cpu, Plan::Window, &[1; 32], &msg[..48]), Err(PlanMismatch));
}

/// Powers that are ready give the digests of powers that are made, for every plan and length that it serves, and no others.
#[test]
fn planned_keys_agree() {
    let edges: &[usize] = if cfg!(miri) { &[] } else { &[1024, 2048] };
    for &cpu in backends() {
        let key = [0xff; 16];
        for plan in Plan::all(cpu, 1 << 16).chain([Plan::Row, Plan::RowIfma]) {
            let Ok(planned) = PlannedKey::new(cpu, plan, &key) else {
                assert!(!plan.serves(cpu, 16 * cpu.lanes()), "{plan:?} on {}", cpu.name());
                continue;
            };
            for len in
                (0..pick(700, 200, 40)).chain(edges.iter().flat_map(|edge| [edge - 1, *edge, edge + 17]))
            {
                let msg = &inputs(len)[1].1;
                let want = plan.serves(cpu, len).then(|| reference::polyhash1305(&key, msg));
                assert_eq!(planned.digest(msg).ok(), want, "{plan:?} on {} at {len} bytes", cpu.name());
            }
        }
    }
}

/// A planned key is for no plan that is not there, and no row takes more blocks than there are lanes.
#[test]
fn planned_keys_and_rows_have_limits() {
    let cpu = Cpu::named("portable").unwrap();
    for plan in [Plan::GroupedWords { g: 0 }, Plan::GroupedWords { g: 5 }, Plan::Horner { g: 999 }] {
        assert!(PlannedKey::new(cpu, plan, &[1; 16]).is_err(), "{plan:?}");
    }
    let past_a_row = vec![0; 16 * cpu.lanes() + 1];
    for len in [0, past_a_row.len()] {
        let msg = &past_a_row[..len];
        assert_eq!(poly1305::mac_with(cpu, Plan::Row, &[1; 32], msg), Err(PlanMismatch), "{len} bytes");
    }
}

/// The plans of papers 000 and 003 with so many rows for a reduction.
fn packed(lambda: usize) -> impl Iterator<Item = Plan> {
    let balanced = FirstProduct::ALL.map(|first| Plan::Packed { lambda, first });
    balanced.into_iter().chain(Tail::ALL.map(|tail| Plan::GollGueron { lambda, tail }))
}

#[test]
fn the_packed_layout_is_there_where_halves_move() {
    for &cpu in backends() {
        // These backends do not implement `Shuffle32`.
        let halves_move = !["simd128", "neon", "avx512vlifma"].contains(&cpu.name());
        for len in [1, 999] {
            let all: Vec<Plan> = Plan::all(cpu, len).collect();
            assert!(
                (1..=4).flat_map(packed).all(|plan| all.contains(&plan) == halves_move),
                "{}",
                cpu.name()
            );
        }
    }
}

#[test]
fn rows_for_a_reduction_are_those_of_the_papers() {
    assert_eq!([1, 831, 832, 1 << 20].map(lambda_of_papers), [1, 1, 3, 3]);
}

#[test]
fn the_rustcrypto_traits_agree() {
    for (key, msg) in inputs(1000) {
        let mut mac = <poly1305::Poly1305 as KeyInit>::new(&key.into());
        Mac::update(&mut mac, &msg);
        assert_eq!(Mac::finalize(mac).into_bytes().0, reference::poly1305(&key, &msg));

        // `update_padded` fills the last block with zeros: 1000 bytes are 62 blocks and a half.
        let padded: Vec<u8> = msg.iter().copied().chain([0; 8]).collect();
        let mut hash = <poly1305::Poly1305 as KeyInit>::new(&key.into());
        hash.update_padded(&msg);
        assert_eq!(UniversalHash::finalize(hash).0, reference::poly1305(&key, &padded));
    }
}
