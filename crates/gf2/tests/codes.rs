//! Codes against searches through all codewords, published generators, and words of `reedsolo` 1.7.
#[path = "common/random.rs"]
mod random;

use carryless_gf2::algebra::Poly;
use carryless_gf2::codes::{
    Bch, CodeError, FibonacciLfsr, GaloisLfsr, ReedSolomon, TooManyErrors, berlekamp_massey_vartime,
};
use carryless_gf2::field::DynField;
use random::Random;

fn field(exponents: &[usize]) -> DynField {
    DynField::from_exponents(exponents).expect("irreducible")
}

/// Word number i, in base q.
fn numbered(mut i: u64, q: u64, n: usize) -> Vec<u64> {
    let mut digit = || (i % q, i /= q).0;
    (0..n).map(|_| digit()).collect()
}

/// What a decoder must do: the codeword that differs in e places outside of the erasures with 2 e + s < d, if there is one.
fn nearest<'a>(
    codewords: &'a [Vec<u64>],
    word: &[u64],
    erasures: &[usize],
    d: usize,
) -> Option<&'a Vec<u64>> {
    let errors = |codeword: &[u64]| {
        (0..word.len()).filter(|i| !erasures.contains(i) && codeword[*i] != word[*i]).count()
    };
    codewords.iter().find(|codeword| 2 * errors(codeword) + erasures.len() < d)
}

/// Runs a decoder on all words over q symbols, or on every `step`-th, each with several sets of erasures.
fn exhaust(
    codewords: &[Vec<u64>],
    [q, d]: [u64; 2],
    step: usize,
    decode: impl Fn(&mut [u64], &[usize]) -> Result<usize, TooManyErrors>,
) {
    let (n, mut random) = (codewords[0].len(), Random(q + n_of(codewords)));
    for i in (0..q.pow(n as u32)).step_by(step) {
        let word = numbered(i, q, n);
        let set = random.word() >> (random.word() % 64);
        for erasures in [vec![], (0..n).filter(|&place| set >> place & 1 != 0).collect()] {
            let wanted = nearest(codewords, &word, &erasures, d as usize);
            let mut decoded = word.clone();
            match (decode(&mut decoded, &erasures), wanted) {
                (Ok(changed), Some(wanted)) => {
                    assert_eq!(&decoded, wanted, "{word:?} {erasures:?}");
                    assert_eq!(changed, (0..n).filter(|&i| word[i] != wanted[i]).count());
                }
                (Err(TooManyErrors), None) => assert_eq!(decoded, word),
                (found, wanted) => panic!("{word:?} {erasures:?}: {found:?}, {wanted:?}"),
            }
        }
    }
}

fn n_of(codewords: &[Vec<u64>]) -> u64 {
    codewords.len() as u64
}

#[test]
fn all_words_of_small_bch_codes() {
    // Length, distance, first, f.
    let codes: [(usize, usize, u64, &[usize]); 8] = [
        (15, 3, 1, &[4, 1, 0]),
        (15, 5, 1, &[4, 1, 0]),
        (15, 7, 1, &[4, 1, 0]),
        (12, 5, 1, &[4, 1, 0]),
        (14, 6, 0, &[4, 3, 0]),
        (15, 5, 14, &[4, 1, 0]),
        (7, 3, 1, &[3, 1, 0]),
        (7, 4, 0, &[3, 1, 0]),
    ];
    for (n, d, first, f) in codes {
        let code = Bch::new(&field(f), n, d, 2, first).expect("a code");
        let k = code.dimension();
        let codewords: Vec<Vec<u64>> = (0..1 << k).map(|i| code.encode(&numbered(i, 2, k))).collect();
        assert!(codewords.iter().enumerate().all(|(i, word)| word[..k] == numbered(i as u64, 2, k)));
        // Linear, so the least distance is the least weight.
        let weight = codewords[1..].iter().map(|word| word.iter().sum::<u64>()).min();
        assert!(weight >= Some(code.distance() as u64) && code.distance() >= d, "{code:?}");
        let step = if k > 8 { 11 } else { 1 };
        exhaust(&codewords, [2, code.distance() as u64], step, |word, erasures| {
            assert_eq!(code.detect(word), !codewords.contains(&word.to_vec()));
            code.decode_vartime(word, erasures)
        });
    }
}

#[test]
fn all_words_of_small_reed_solomon_codes() {
    // n, k, alpha, first, f.
    let codes: [(usize, usize, u64, u64, &[usize]); 6] = [
        (3, 1, 2, 1, &[2, 1, 0]),
        (3, 2, 3, 0, &[2, 1, 0]),
        (5, 2, 2, 1, &[3, 1, 0]),
        (5, 1, 3, 5, &[3, 1, 0]),
        (4, 2, 2, 0, &[4, 1, 0]),
        (1 << 2, 3, 4, 7, &[4, 1, 0]),
    ];
    for (n, k, alpha, first, f) in codes {
        let (field, d) = (field(f), n - k + 1);
        let code = ReedSolomon::new(&field, n, k, alpha, first).expect("a code");
        let q = 1 << field.degree();
        let codewords: Vec<Vec<u64>> =
            (0..u64::pow(q, k as u32)).map(|i| code.encode(&numbered(i, q, k))).collect();
        assert!(codewords.iter().enumerate().all(|(i, word)| word[..k] == numbered(i as u64, q, k)));
        let weight = codewords[1..].iter().map(|word| word.iter().filter(|s| **s != 0).count()).min();
        assert_eq!((weight, code.distance(), code.dimension()), (Some(d), d, k));
        let step = if k > 2 { 13 } else { 1 };
        exhaust(&codewords, [q, d as u64], step, |word, erasures| {
            assert_eq!(code.detect(word), !codewords.contains(&word.to_vec()));
            code.decode_vartime(word, erasures)
        });
    }
}

/// `count` different places of n.
fn places(random: &mut Random, n: usize, count: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..n).collect();
    (0..count).for_each(|i| all.swap(i, i + random.word() as usize % (n - i)));
    all.truncate(count);
    all
}

#[test]
fn random_words_to_the_bound_and_past_it() {
    let mut random = Random(7);
    let codes: [(&[usize], usize, usize, u64, u64); 6] = [
        (&[8, 4, 3, 2, 0], 255, 223, 2, 1),
        (&[8, 7, 2, 1, 0], 255, 223, 0xad, 112),
        (&[8, 4, 3, 2, 0], 40, 7, 2, 0),
        (&[16, 12, 3, 1, 0], 300, 250, 2, 1),
        (&[33, 10, 0], 60, 40, 2, 5),
        (&[64, 4, 3, 1, 0], 30, 21, 7, u64::MAX),
    ];
    for (f, n, k, alpha, first) in codes {
        let (field, parity) = (field(f), n - k);
        let code = ReedSolomon::new(&field, n, k, alpha, first).expect("a code");
        let symbol = |random: &mut Random| random.word() >> (64 - field.degree());
        for round in 0..60 {
            let message: Vec<u64> = (0..k).map(|_| symbol(&mut random)).collect();
            let word = code.encode(&message);
            assert_eq!((&word[..k], code.detect(&word)), (&message[..], false));
            let erased = [0, parity, random.word() as usize % (parity + 1)][round % 3];
            let errors = (parity - erased) / 2;
            let wrong = places(&mut random, n, errors + erased);
            let mut received = word.clone();
            wrong.iter().for_each(|&place| received[place] ^= symbol(&mut random));
            let changed = (0..n).filter(|&i| word[i] != received[i]).count();
            assert_eq!(code.decode_vartime(&mut received, &wrong[errors..]), Ok(changed));
            assert_eq!(received, word);
            // More errors: refused, or a codeword within the bound.
            wrong.iter().for_each(|&place| received[place] ^= 1);
            places(&mut random, n, 4).iter().for_each(|&place| received[place] ^= symbol(&mut random));
            let before = received.clone();
            match code.decode_vartime(&mut received, &wrong[errors..]) {
                Err(TooManyErrors) => assert_eq!(received, before),
                Ok(_) => {
                    let other = |i: &usize| received[*i] != before[*i] && !wrong[errors..].contains(i);
                    assert!(!code.detect(&received));
                    assert!(2 * (0..n).filter(other).count() + erased <= parity);
                }
            }
        }
        let all: Vec<usize> = (0..=parity).collect();
        let mut word = code.encode(&vec![1; k]);
        assert_eq!(code.decode_vartime(&mut word, &all), Err(TooManyErrors), "too many erasures");
    }
}

/// Generators of Lin and Costello, Error Control Coding, appendix C, in octal there.
#[test]
fn published_bch_codes() {
    let published: [(&[usize], usize, usize, usize, u64); 8] = [
        (&[4, 1, 0], 15, 7, 2, 0o721),
        (&[4, 1, 0], 15, 5, 3, 0o2467),
        (&[5, 2, 0], 31, 21, 2, 0o3551),
        (&[5, 2, 0], 31, 16, 3, 0o107657),
        (&[6, 1, 0], 63, 51, 2, 0o12471),
        (&[6, 1, 0], 63, 45, 3, 0o1701317),
        (&[7, 3, 0], 127, 113, 2, 0o41567),
        (&[8, 4, 3, 2, 0], 255, 239, 2, 0o267543),
    ];
    let mut random = Random(3);
    for (f, n, k, t, generator) in published {
        let code = Bch::with_dimension(&field(f), n, k, 2, 1).expect("a code");
        assert_eq!((code.generator(), code.distance()), (&Poly::from(generator), 2 * t + 1));
        assert_eq!(Bch::new(&field(f), n, 2 * t, 2, 1), Ok(code.clone()));
        assert_eq!((code.length(), code.dimension()), (n, k));
        let message: Vec<u64> = random.words(k).into_iter().map(|word| word & 1).collect();
        let word = code.encode(&message);
        assert_eq!((&word[..k], code.detect(&word)), (&message[..], false));
        let mut received = word.clone();
        places(&mut random, n, t).into_iter().for_each(|place| received[place] ^= 1);
        assert!(code.detect(&received));
        assert_eq!((code.decode_vartime(&mut received, &[]), received), (Ok(t), word));
    }
}

#[test]
fn words_of_other_implementations() {
    let hex = |text: &str| -> Vec<u64> {
        let digits = (0..text.len()).step_by(2).map(|i| u64::from_str_radix(&text[i..i + 2], 16));
        digits.map(|byte| byte.expect("hexadecimal")).collect()
    };
    // `reedsolo` for the messages 1, 8, 15 and so on: CCSDS's code, that of most libraries, QR's roots.
    let ccsds: &[usize] = &[8, 7, 2, 1, 0];
    let usual: &[usize] = &[8, 4, 3, 2, 0];
    let published = [
        (ccsds, 223, 0xad, 112, "a67eda07978d2c801c6925711f8f657f9bee2f2a871283d91232e98e1e1a3a29"),
        (usual, 223, 2, 1, "db5a771135f57da3787054af4c1cdf960473c88751741dd48da5b89e5d75f182"),
        (usual, 239, 2, 0, "12e2e10636efda28e725a4ae84db94f5"),
    ];
    for (f, k, alpha, first, parity) in published {
        let code = ReedSolomon::new(&field(f), 255, k, alpha, first).expect("a code");
        let message: Vec<u64> = (0..k as u64).map(|i| (7 * i + 1) % 256).collect();
        assert_eq!(code.encode(&message)[k..], hex(parity));
    }
    // HELLO WORLD in a QR code of version 1-M, much quoted.
    let code = ReedSolomon::new(&field(usual), 26, 16, 2, 0).expect("a code");
    let message = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
    assert_eq!(code.encode(&message)[16..], [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
    assert_eq!(code.generator()[..4], [1, 216, 194, 159]);
}

/// The remainder of a word divided by a generator with leading coefficient 1, both from the highest power down.
fn remainder(field: &DynField, word: &[u64], generator: &[u64]) -> Vec<u64> {
    let (mut rest, mut product) = (word.to_vec(), [0]);
    for i in 0..=word.len() - generator.len() {
        let quotient = [rest[i]];
        for (j, &coefficient) in generator.iter().enumerate() {
            field.mul(&quotient, &[coefficient], &mut product);
            rest[i + j] ^= product[0];
        }
    }
    rest[word.len() + 1 - generator.len()..].to_vec()
}

/// Lengths of the parity at the ends of words, and past what a packed remainder has.
#[test]
fn codewords_are_multiples_of_the_generator() {
    let mut random = Random(11);
    let (byte, short) = (field(&[8, 4, 3, 2, 0]), field(&[5, 2, 0]));
    let cases = [1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100].map(|parity| (&byte, 255, parity));
    for (field, n, parity) in cases.into_iter().chain([(&short, 31, 9), (&short, 20, 16)]) {
        let code = ReedSolomon::new(field, n, n - parity, 2, 1).expect("a code");
        let message: Vec<u64> =
            random.words(n - parity).into_iter().map(|word| word >> (64 - field.degree())).collect();
        let mut word = code.encode(&message);
        assert_eq!(remainder(field, &word, &code.generator()), vec![0; parity], "{n} {parity}");
        assert!(!code.detect(&word));
        word[n - 1] ^= 1;
        assert!(code.detect(&word));
    }
    let bits = self::field(&[1, 0]);
    let large = self::field(&[10, 3, 0]);
    for (field, n, d) in
        [(&byte, 255, 3), (&byte, 254, 31), (&short, 31, 5), (&large, 1023, 41), (&large, 1020, 131)]
    {
        let code = Bch::new(field, n, d, 2, 1).expect("a code");
        let parity = n - code.dimension();
        let generator: Vec<u64> =
            (0..=parity).rev().map(|i| code.generator().coefficient(i).into()).collect();
        for k in [1, 2] {
            let message: Vec<u64> =
                random.words(code.dimension()).into_iter().map(|word| word >> 63).collect();
            let mut word = code.encode(&message);
            assert_eq!(remainder(&bits, &word, &generator), vec![0; parity], "{n} {d}");
            assert!(!code.detect(&word));
            word[n - k] ^= 1;
            assert!(code.detect(&word));
        }
    }
    assert!(Bch::new(&large, 1020, 131, 2, 1).is_ok_and(|code| code.length() - code.dimension() > 512));
}

/// Whether a sequence has this recurrence.
fn follows(field: &DynField, sequence: &[u64], connection: &[u64]) -> bool {
    let length = connection.len() - 1;
    (length..sequence.len()).all(|i| {
        let mut sum = [0];
        let back: Vec<u64> = (0..=length).map(|j| sequence[i - j]).collect();
        field.dot(connection, &back, &mut sum);
        sum == [0]
    })
}

#[test]
fn recurrences_are_the_shortest() {
    for (f, q, terms) in [(&[1, 0][..], 2, 9), (&[2, 1, 0], 4, 5)] {
        let field = field(f);
        for i in 0..u64::pow(q, terms as u32) {
            let sequence = numbered(i, q, terms);
            let found = berlekamp_massey_vartime(&field, &sequence);
            assert!(found[0] == 1 && follows(&field, &sequence, &found), "{sequence:?}: {found:?}");
            let shorter = found.len() - 1;
            let mut others = (0..shorter).flat_map(|length| {
                (0..u64::pow(q, length as u32)).map(move |i| [&[1], &numbered(i, q, length)[..]].concat())
            });
            assert!(!others.any(|other| follows(&field, &sequence, &other)), "{sequence:?}");
        }
    }
}

#[test]
fn registers_follow_their_recurrence() {
    let mut random = Random(9);
    for f in [&[1, 0][..], &[8, 4, 3, 1, 0], &[61, 5, 2, 1, 0]] {
        let field = field(f);
        let mut symbols = |n| random.words(n).into_iter().map(|word| word >> (64 - field.degree()));
        for n in [1, 2, 5, 12] {
            let connection = [&[1], &symbols(n).collect::<Vec<_>>()[..]].concat();
            let state: Vec<u64> = symbols(n).collect();
            let mut register = FibonacciLfsr::new(&field, &connection, &state);
            let terms: Vec<u64> = register.by_ref().take(3 * n).collect();
            assert!(follows(&field, &terms, &connection));
            assert!(terms[..n].iter().eq(state.iter().rev()));
            assert_eq!(register.state()[n - 1], register.clone().next().expect("endless"));
            let mut register = GaloisLfsr::new(&field, &connection, &state);
            let terms: Vec<u64> = register.by_ref().take(3 * n).collect();
            assert!(follows(&field, &terms, &connection) && terms[0] == state[n - 1]);
            assert_eq!(register.state()[n - 1], register.clone().next().expect("endless"));
        }
    }
}

/// A register that has gone round its period is the one that it was.
#[test]
fn registers_are_equal_by_their_states() {
    let field = field(&[1, 0]);
    let connection = [1, 1, 0, 1];
    let (fibonacci, galois) = (
        FibonacciLfsr::new(&field, &connection, &[1, 0, 0]),
        GaloisLfsr::new(&field, &connection, &[1, 1, 1]),
    );
    let mut stepped = (fibonacci.clone(), galois.clone());
    assert!(stepped.0.by_ref().take(3).count() == 3 && stepped.0 != fibonacci);
    assert!(stepped.1.by_ref().take(3).count() == 3 && stepped.1 != galois);
    assert_eq!([stepped.0.by_ref().take(4).count(), stepped.1.by_ref().take(4).count()], [4, 4]);
    assert_eq!(stepped, (fibonacci, galois));
}

#[test]
fn what_makes_no_code() {
    let f = field(&[8, 4, 3, 1, 0]);
    let error = |n, k, alpha| ReedSolomon::new(&f, n, k, alpha, 1).expect_err("no code");
    assert_eq!(error(10, 0, 3), CodeError::Dimension { n: 10, k: 0 });
    assert_eq!(error(10, 10, 3), CodeError::Dimension { n: 10, k: 10 });
    assert_eq!(error(usize::MAX, 10, 3), CodeError::Root { n: usize::MAX });
    // 2 has the order 51 with this f, 3 the order 255.
    assert_eq!(error(52, 10, 2), CodeError::Root { n: 52 });
    assert!(ReedSolomon::new(&f, 51, 10, 2, 1).is_ok() && ReedSolomon::new(&f, 255, 10, 3, 1).is_ok());
    assert_eq!(error(256, 10, 3), CodeError::Root { n: 256 });
    assert_eq!((error(10, 5, 0), error(10, 5, 256)), (CodeError::Root { n: 10 }, CodeError::Root { n: 10 }));
    assert_eq!(error(10, 5, 1), CodeError::Root { n: 10 });
    let large = field(&[65, 18, 0]);
    assert_eq!(ReedSolomon::new(&large, 10, 5, 2, 1).err(), Some(CodeError::Field { degree: 65 }));
    let f = field(&[4, 1, 0]);
    for d in [0, 1, 9, 16] {
        let wanted = Err(CodeError::Distance { n: 15, d });
        if d == 9 {
            // The repetition code, of distance 15.
            assert_eq!(Bch::new(&f, 15, d, 2, 1).expect("a code").distance(), 15);
            assert_eq!(Bch::new(&f, 15, d, 2, 0), wanted);
        } else {
            assert_eq!(Bch::new(&f, 15, d, 2, 1), wanted);
        }
    }
    assert_eq!(Bch::with_dimension(&f, 15, 8, 2, 1), Err(CodeError::Dimension { n: 15, k: 8 }));
    assert_eq!(Bch::with_dimension(&f, 15, 15, 2, 1), Err(CodeError::Dimension { n: 15, k: 15 }));
    assert_eq!(CodeError::Dimension { n: 15, k: 8 }.to_string(), "no code of length 15 has dimension 8");
}

#[test]
fn what_does_not_fit_is_refused() {
    let f = field(&[4, 1, 0]);
    let rs = ReedSolomon::new(&f, 15, 11, 2, 1).expect("a code");
    let bch = Bch::new(&f, 15, 5, 2, 1).expect("a code");
    let refused: [&dyn Fn(); 11] = [
        &|| _ = rs.encode(&[0; 10]),
        &|| _ = rs.encode(&[16; 11]),
        &|| _ = rs.detect(&[0; 16]),
        &|| _ = rs.decode_vartime(&mut [16; 15], &[]),
        &|| _ = rs.decode_vartime(&mut [1; 15], &[15]),
        &|| _ = bch.encode(&[2; 7]),
        &|| _ = bch.decode_vartime(&mut [2; 15], &[]),
        &|| _ = bch.decode_vartime(&mut [0; 15], &[15]),
        &|| _ = FibonacciLfsr::new(&f, &[1, 2], &[1, 1]),
        &|| _ = GaloisLfsr::new(&f, &[2, 1], &[1]),
        &|| _ = berlekamp_massey_vartime(&f, &[16]),
    ];
    for (i, call) in refused.iter().enumerate() {
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err(), "{i}");
    }
}
