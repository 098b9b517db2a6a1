//! Matrices: products and elimination against the textbook's on single entries, identities, published matrices.
#[path = "common/random.rs"]
mod random;

use carryless_gf2::field::DynField;
use carryless_gf2::linear::{BitMatrix, Matrix, Plu};
use random::Random;

/// Shapes around the sizes of words, tables and stripes.
const SIZES: [usize; 11] = [0, 1, 2, 7, 8, 9, 63, 64, 65, 130, 200];

/// A matrix of rank `rank` at most, as a product; about half of the entries are 1.
fn of_rank(random: &mut Random, [rows, columns]: [usize; 2], rank: usize) -> BitMatrix {
    let mut bits = |rows, columns| BitMatrix::from_fn(rows, columns, |_, _| random.word() & 1 != 0);
    bits(rows, rank).mul_vartime(&bits(rank, columns))
}

/// The reduced row echelon form, entry by entry, and its pivots.
fn textbook(a: &BitMatrix) -> (BitMatrix, Vec<usize>) {
    let (mut a, mut pivots) = (a.clone(), vec![]);
    for j in 0..a.columns() {
        let row = pivots.len();
        let Some(found) = (row..a.rows()).find(|&i| a.get(i, j)) else { continue };
        for k in 0..a.columns() {
            let (x, y) = (a.get(row, k), a.get(found, k));
            (a.set(row, k, y), a.set(found, k, x)).0
        }
        for i in (0..a.rows()).filter(|&i| i != row) {
            if a.get(i, j) {
                (0..a.columns()).for_each(|k| a.set(i, k, a.get(i, k) ^ a.get(row, k)));
            }
        }
        pivots.push(j);
    }
    (a, pivots)
}

fn permuted(a: &BitMatrix, permutation: &[usize]) -> BitMatrix {
    BitMatrix::from_fn(a.rows(), a.columns(), |i, j| a.get(permutation[i], j))
}

#[test]
fn products_of_bits_are_the_textbooks() {
    let mut random = Random(1);
    for (i, n) in SIZES.into_iter().enumerate() {
        let [m, k] = [SIZES[(i + 3) % SIZES.len()], SIZES[(i + 5) % SIZES.len()]];
        let mut bits = |rows, columns| BitMatrix::from_fn(rows, columns, |_, _| random.word() & 1 != 0);
        let (a, b) = (bits(n, m), bits(m, k));
        let entry = |i: usize, j: usize| (0..m).filter(|&l| a.get(i, l) && b.get(l, j)).count() % 2 == 1;
        assert_eq!(a.mul_vartime(&b), BitMatrix::from_fn(n, k, entry), "{n} {m} {k}");
        assert_eq!(a.mul_vartime(&b).transpose(), b.transpose().mul_vartime(&a.transpose()));
    }
}

/// Sizes at which products recurse, even ones and odd ones. A product C is right if C X = A (B X); a wrong one passes for one
/// in 2^64 of all X of 64 columns.
#[test]
fn large_products_of_bits_recurse() {
    let mut random = Random(8);
    for [n, m, k] in [[4096, 4096, 4160], [4099, 4225, 4161]] {
        let mut bits = |rows, columns| BitMatrix::from_fn(rows, columns, |_, _| random.word() >> 63 != 0);
        let (a, b, x) = (bits(n, m), bits(m, k), bits(k, 64));
        assert!(a.mul_vartime(&b).mul_vartime(&x) == a.mul_vartime(&b.mul_vartime(&x)), "{n} {m} {k}");
    }
}

#[test]
fn elimination_of_bits_is_the_textbooks() {
    let mut random = Random(2);
    for rows in SIZES {
        for columns in SIZES {
            for rank in [rows.min(columns), rows.min(columns) / 2, 1] {
                let a = of_rank(&mut random, [rows, columns], rank);
                let (mut reduced, wanted) = (a.clone(), textbook(&a));
                let pivots = reduced.row_reduce_vartime();
                assert_eq!((reduced, pivots), wanted, "{rows} x {columns}, rank {rank}");
                let null = a.null_space_vartime();
                assert_eq!(a.rank_vartime() + null.rows(), columns);
                assert_eq!(null.rank_vartime(), null.rows());
                assert_eq!(a.mul_vartime(&null.transpose()), BitMatrix::zero(rows, null.rows()));
                let Plu { permutation, lower, upper } = a.plu_vartime();
                assert_eq!(lower.mul_vartime(&upper), permuted(&a, &permutation), "{a:?}");
                for i in 0..rows {
                    assert!(lower.get(i, i) && (i + 1..rows).all(|j| !lower.get(i, j)));
                    assert!((0..i.min(columns)).all(|j| !upper.get(i, j)));
                }
            }
        }
    }
}

/// Sparse rows, where most columns have no pivot among the first rows, and pivots come in any order.
#[test]
fn elimination_of_sparse_bits() {
    let mut random = Random(3);
    for n in [65, 129, 300] {
        for ones in [1, 2, 3] {
            let mut a = BitMatrix::zero(n, n + 40);
            (0..n * ones).for_each(|k| a.set(k % n, random.word() as usize % (n + 40), true));
            let mut reduced = a.clone();
            assert_eq!((reduced.row_reduce_vartime(), reduced).1, textbook(&a).0, "{n} {ones}");
        }
    }
}

#[test]
fn systems_of_bits() {
    let mut random = Random(4);
    for n in SIZES {
        let a = of_rank(&mut random, [n, n], n);
        let identity = BitMatrix::identity(n);
        match a.inverse_vartime() {
            Some(inverse) => {
                assert!(a.determinant_vartime());
                assert_eq!((a.mul_vartime(&inverse), inverse.mul_vartime(&a)), (identity.clone(), identity));
            }
            None => assert!(a.rank_vartime() < n && !a.determinant_vartime()),
        }
        for [rows, columns] in [[n, n], [n, n + 9], [n + 70, n]] {
            let a = of_rank(&mut random, [rows, columns], rows.min(columns) / 2 + 1);
            let x = BitMatrix::from_fn(columns, 3, |_, _| random.word() & 1 != 0);
            let b = a.mul_vartime(&x);
            let found = a.solve_vartime(&b).expect("x is a solution");
            assert_eq!(a.mul_vartime(&found), b);
            // Outside of the space of the columns there is none.
            let other = BitMatrix::from_fn(rows, 1, |_, _| random.word() & 1 != 0);
            let both = BitMatrix::from_fn(rows, columns + 1, |i, j| {
                if j < columns { a.get(i, j) } else { other.get(i, 0) }
            });
            assert_eq!(a.solve_vartime(&other).is_some(), both.rank_vartime() == a.rank_vartime());
        }
    }
    assert!(BitMatrix::identity(0).determinant_vartime());
}

/// The fields of one byte, of 32 and 33 bits (the end of small elements), and of several words.
fn fields() -> impl Iterator<Item = DynField> {
    let all: [&[usize]; 5] =
        [&[8, 4, 3, 1, 0], &[2, 1, 0], &[32, 7, 3, 2, 0], &[33, 10, 0], &[163, 7, 6, 3, 0]];
    all.into_iter().map(|exponents| DynField::from_exponents(exponents).expect("irreducible"))
}

fn random_matrix<'f>(field: &'f DynField, random: &mut Random, rows: usize, columns: usize) -> Matrix<'f> {
    let mut words = random.words(rows * columns * field.words());
    let unused = 64 * field.words() - field.degree();
    words.chunks_exact_mut(field.words()).for_each(|entry| entry[field.words() - 1] >>= unused);
    Matrix::from_words(field, rows, columns, words)
}

/// The product, entry by entry.
fn textbook_product<'f>(a: &Matrix<'f>, b: &Matrix<'f>) -> Matrix<'f> {
    let (field, mut words) = (a.field(), vec![]);
    for i in 0..a.rows() {
        for j in 0..b.columns() {
            let (mut sum, mut product) = (vec![0; field.words()], vec![0; field.words()]);
            for k in 0..a.columns() {
                field.mul(a.get(i, k), b.get(k, j), &mut product);
                sum.iter_mut().zip(&product).for_each(|(sum, word)| *sum ^= word);
            }
            words.extend(sum);
        }
    }
    Matrix::from_words(field, a.rows(), b.columns(), words)
}

#[test]
fn matrices_over_fields() {
    let mut random = Random(5);
    for field in fields() {
        for [rows, columns] in [[0, 0], [1, 1], [3, 3], [6, 6], [4, 9], [9, 4], [17, 17]] {
            for rank in [rows.min(columns), rows.min(columns) / 2] {
                let left = random_matrix(&field, &mut random, rows, rank);
                let right = random_matrix(&field, &mut random, rank, columns);
                let a = &left * &right;
                assert_eq!(a, textbook_product(&left, &right));
                assert_eq!((a.transpose(), a.rows()), (&right.transpose() * &left.transpose(), rows));
                let (mut reduced, found) = (a.clone(), a.rank_vartime());
                let pivots = reduced.row_reduce_vartime();
                assert!(found <= rank && pivots.len() == found);
                for (i, &pivot) in pivots.iter().enumerate() {
                    let one = |k: usize| k == i;
                    assert!((0..rows).all(|k| reduced.get(k, pivot).iter().any(|&w| w != 0) == one(k)));
                    assert!(
                        reduced.get(i, pivot)[0] == 1
                            && (0..pivot)
                                .all(|j| reduced.get(i, j)[0] == 0 || pivots.binary_search(&j).is_err())
                    );
                }
                // The rows span the same space.
                assert!(a.transpose().solve_vartime(&reduced.transpose()).is_some());
                let null = a.null_space_vartime();
                assert_eq!((null.rows() + found, null.rank_vartime()), (columns, null.rows()));
                assert_eq!(&a * &null.transpose(), Matrix::zero(&field, rows, null.rows()));
                let Plu { permutation, lower, upper } = a.plu_vartime();
                let permuted = permutation.iter().flat_map(|&i| a.row(i).to_vec()).collect();
                assert_eq!(&lower * &upper, Matrix::from_words(&field, rows, columns, permuted));
                let x = random_matrix(&field, &mut random, columns, 2);
                let b = &a * &x;
                assert_eq!(&a * &a.solve_vartime(&b).expect("x is a solution"), b);
                if rows == columns {
                    let zero = a.determinant_vartime().iter().all(|&word| word == 0);
                    let inverse = a.inverse_vartime();
                    assert_eq!((inverse.is_none(), found < rows), (zero, zero), "{a:?}");
                    if let Some(inverse) = inverse {
                        assert_eq!(&a * &inverse, Matrix::identity(&field, rows));
                    }
                }
            }
        }
        // The determinant of a product is the product of determinants.
        let [a, b] = [0; 2].map(|_| random_matrix(&field, &mut random, 5, 5));
        let mut product = vec![0; field.words()];
        field.mul(&a.determinant_vartime(), &b.determinant_vartime(), &mut product);
        assert_eq!((&a * &b).determinant_vartime(), product);
    }
}

/// MixColumns and its inverse (FIPS 197, 5.1.3 and 5.3.3).
/// The value of a polynomial whose coefficients have the words of an element each, that of x^0 first.
fn value(field: &DynField, coefficients: &[u64], point: &[u64]) -> Vec<u64> {
    let (mut value, mut product) = (vec![0; field.words()], vec![0; field.words()]);
    for coefficient in coefficients.rchunks_exact(field.words()) {
        field.mul(&value, point, &mut product);
        value = product.iter().zip(coefficient).map(|(a, b)| a ^ b).collect();
    }
    value
}

/// Characteristic polynomials p against determinants, p(c) = det(c I - A), also of sparse matrices, whose Hessenberg form has zeros on its subdiagonal.
#[test]
fn characteristic_polynomials_are_determinants() {
    let mut random = Random(12);
    for field in fields() {
        for n in [0, 1, 2, 3, 4, 7, 12] {
            for sparse in [false, true] {
                let mut a = random_matrix(&field, &mut random, n, n);
                if sparse {
                    let kept = |i: usize| random.word().is_multiple_of(3) || i == 0;
                    let keep: Vec<bool> = (0..n * n).map(kept).collect();
                    let entries = a.words().chunks_exact(field.words()).zip(keep);
                    let words = entries
                        .flat_map(|(entry, keep)| entry.iter().map(move |w| if keep { *w } else { 0 }));
                    a = Matrix::from_words(&field, n, n, words.collect());
                }
                let found = a.characteristic_polynomial_vartime();
                assert_eq!(found.len(), (n + 1) * field.words());
                let mut one = vec![0; field.words()];
                one[0] = 1;
                assert_eq!(found[n * field.words()..], one);
                for _ in 0..=n {
                    let point = random_matrix(&field, &mut random, 1, 1);
                    let diagonal = (0..n * n).flat_map(|i| {
                        point.words().iter().map(move |w| if i % (n + 1) == 0 { *w } else { 0 })
                    });
                    let scaled = Matrix::from_words(&field, n, n, diagonal.collect());
                    let wanted = (&scaled + &a).determinant_vartime();
                    assert_eq!(value(&field, &found, point.words()), wanted, "{n} {field:?} {a:?}");
                }
                // Cayley and Hamilton.
                let mut sum = Matrix::zero(&field, n, n);
                for coefficient in found.rchunks_exact(field.words()) {
                    let diagonal = (0..n * n)
                        .flat_map(|i| coefficient.iter().map(move |w| if i % (n + 1) == 0 { *w } else { 0 }));
                    sum = &(&sum * &a) + &Matrix::from_words(&field, n, n, diagonal.collect());
                }
                assert_eq!(sum, Matrix::zero(&field, n, n));
            }
        }
    }
}

#[test]
fn the_matrices_of_aes() {
    let field = DynField::from_exponents(&[8, 4, 3, 1, 0]).expect("AES's field");
    let circulant = |row: [u64; 4]| {
        let words = (0..16).map(|k| row[(4 + k % 4 - k / 4) % 4]).collect();
        Matrix::from_words(&field, 4, 4, words)
    };
    let (mix, unmix) = (circulant([2, 3, 1, 1]), circulant([0x0e, 0x0b, 0x0d, 0x09]));
    assert_eq!(mix.inverse_vartime(), Some(unmix));
    assert_eq!(mix.determinant_vartime(), [1]);
}

#[test]
fn debug_shows_entries() {
    let bits = BitMatrix::from_rows(3, &[[0b011], [0b100]]);
    assert_eq!(format!("{bits:?}"), "BitMatrix(2 x 3)\n110\n001");
    let field = DynField::from_exponents(&[100, 15, 0]).expect("irreducible");
    let matrix = Matrix::from_words(&field, 1, 2, vec![5, 1, 0xa, 0]);
    assert_eq!(format!("{matrix:?}"), "Matrix(1 x 2, GF(2^100))\n10000000000000005 0000000000000000a");
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let field = DynField::from_exponents(&[8, 4, 3, 1, 0]).expect("irreducible");
    let other = DynField::from_exponents(&[8, 4, 3, 2, 0]).expect("irreducible");
    let (a, b) = (BitMatrix::zero(2, 3), Matrix::zero(&field, 2, 3));
    let refused: [&dyn Fn(); 14] = [
        &|| _ = a.mul_vartime(&a),
        &|| _ = &a + &a.transpose(),
        &|| _ = a.inverse_vartime(),
        &|| _ = a.determinant_vartime(),
        &|| _ = a.solve_vartime(&a.transpose()),
        &|| _ = a.get(0, 3),
        &|| _ = a.row(2),
        &|| _ = BitMatrix::from_rows(3, &[[8]]),
        &|| _ = BitMatrix::zero(usize::MAX, 65),
        &|| _ = &b * &Matrix::zero(&other, 3, 2),
        &|| _ = Matrix::from_words(&field, 1, 1, vec![256]),
        &|| _ = b.inverse_vartime(),
        &|| _ = a.clone().try_row_reduce_vartime(4, || Ok::<(), ()>(())),
        &|| _ = b.clone().try_row_reduce_vartime(4, || Ok::<(), ()>(())),
    ];
    for (i, call) in refused.iter().enumerate() {
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err(), "{i}");
    }
}

/// Runs `work` with a `proceed` that fails at call number 0, 1 and so on, until it comes to its end; returns the calls of that run.
fn interrupted<R>(mut work: impl FnMut(&mut dyn FnMut() -> Result<(), usize>) -> Result<R, usize>) -> usize {
    let mut limit = 0;
    loop {
        let mut calls = 0;
        let result = work(&mut || {
            calls += 1;
            if calls > limit { Err(calls) } else { Ok(()) }
        });
        match result {
            Ok(_) => return calls,
            Err(found) => assert_eq!((found, calls), (limit + 1, limit + 1)),
        }
        limit += 1;
    }
}

#[test]
fn a_caller_ends_long_computations() {
    let mut random = Random(6);
    let bits = of_rank(&mut random, [130, 200], 100);
    let reduced = {
        let mut all = bits.clone();
        (all.row_reduce_vartime(), all).1
    };
    // Four words of columns; of the first 128 columns, two.
    for (columns, calls) in [(200, 4), (128, 2), (0, 0)] {
        let counted = interrupted(|proceed| {
            let mut rest = bits.clone();
            let result = rest.try_row_reduce_vartime(columns, proceed);
            // Whatever was done, the rows span the same space.
            rest.row_reduce_vartime();
            assert_eq!(rest, reduced);
            result
        });
        assert_eq!(counted, calls);
    }
    assert_eq!(interrupted(|proceed| bits.try_mul_vartime(&bits.transpose(), proceed)), 1);
    // One level of the recursion, with seven products.
    let large = BitMatrix::identity(4096);
    assert_eq!(interrupted(|proceed| large.try_mul_vartime(&large, proceed)), 7);
    assert_eq!(interrupted(|proceed| bits.try_plu_vartime(proceed)), 130);
    let field = DynField::from_exponents(&[8, 4, 3, 1, 0]).expect("irreducible");
    let matrix = random_matrix(&field, &mut random, 5, 9);
    let counted = interrupted(|proceed| {
        let mut rest = matrix.clone();
        let result = rest.try_row_reduce_vartime(5, proceed);
        assert!(rest.transpose().solve_vartime(&matrix.transpose()).is_some());
        result
    });
    assert_eq!((counted, interrupted(|proceed| matrix.try_plu_vartime(proceed))), (5, 5));
}
