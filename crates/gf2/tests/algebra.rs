//! Polynomials as values: against the reference bit by bit, by identities where they are long, and the vectors.
#[path = "algebra/common.rs"]
mod common;
#[path = "algebra/composition.rs"]
mod composition;
#[path = "algebra/division.rs"]
mod division;
#[path = "algebra/factor.rs"]
mod factor;
#[path = "algebra/gcd.rs"]
mod gcd;
#[path = "algebra/minimal.rs"]
mod minimal;
#[path = "algebra/modular.rs"]
mod modular;
#[path = "algebra/primitive.rs"]
mod primitive;
#[path = "common/random.rs"]
mod random;
#[path = "algebra/random_ones.rs"]
mod random_ones;
#[path = "algebra/ring.rs"]
mod ring;
#[path = "algebra/series.rs"]
mod series;
#[path = "algebra/sparse.rs"]
mod sparse;
#[path = "algebra/text.rs"]
mod text;
#[path = "algebra/values.rs"]
mod values;
