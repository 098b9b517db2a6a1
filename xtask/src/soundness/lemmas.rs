//! Properties of all integer products, which stand in place of the multiplication itself: z3 cannot reason
//! about that at 64 bits.
//!
//! The lemmas are proved over the reals, of which the integers are a part, and used for the free words that
//! [`Reader::product`] puts in place of products.
use crate::claims::{Claim, TRUE, claim, constant};
use crate::reader::{Product, Reader};
use crate::smt::{Flag, Script, Word, ones};

/// The lemmas about all real numbers: name, declarations with what is given, and what follows, in SMT-LIB.
pub(crate) const LEMMAS: [(&str, &str, &str); 3] = [
    (
        "lemma: products are monotone",
        "(declare-const x Real)(declare-const y Real)(declare-const u Real)(declare-const v Real)\n\
         (assert (and (<= 0 x u) (<= 0 y v)))",
        "(<= (* x y) (* u v))",
    ),
    (
        "lemma: factors below m make a product of at most (m - 1)^2",
        "(declare-const x Real)(declare-const y Real)(declare-const m Real)\n\
         (assert (and (<= 0 x (- m 1)) (<= 0 y (- m 1))))",
        "(<= (* x y) (* (- m 1) (- m 1)))",
    ),
    (
        "lemma: multiples of p and q make a multiple of p q",
        "(declare-const x Real)(declare-const y Real)(declare-const p Real)(declare-const q Real)",
        "(= (* (* p x) (* q y)) (* (* p q) (* x y)))",
    ),
];

/// Claims that all ones, shifted by a count of zeros, equal the word that [`Script`] puts in their place, for
/// all counts below the width.
pub(crate) fn shortcuts() -> Vec<Claim> {
    let one = |leading: bool| {
        let name = format!("lemma: ones shifted by {} zeros", if leading { "leading" } else { "trailing" });
        claim(name, move |reader| {
            let script = &mut reader.script;
            let (w, all) = (script.fresh(64, "w"), constant(ones(64)));
            let (count, place) = (script.counted(&w, leading), script.ones_in_place_of_zeros(&w, leading));
            let place = script.complement(&place);
            let op = if leading { "bvlshr" } else { "bvshl" };
            let mut then = TRUE;
            for zeros in 0..64 {
                let is = script.equal(&count, &Word::constant(32, zeros));
                let shifted = script.binary(op, &all, &constant(zeros));
                let same = script.equal(&place, &shifted);
                let holds = script.implies(&is, &same);
                then = script.and(&then, &holds);
            }
            Ok((TRUE, then))
        })
    };
    vec![one(false), one(true)]
}

/// The lemmas as facts about the products that the reader met. It empties the reader's list.
pub(crate) fn instances(reader: &mut Reader<'_>) -> Vec<Flag> {
    let products = std::mem::take(&mut reader.products);
    let script = &mut reader.script;
    let mut facts = Vec::new();
    for product in &products {
        facts.extend(bounded(script, product));
        facts.extend(multiple(script, product));
        // The lemma has a direction, so each pair occurs in both orders.
        for other in products.iter().filter(|other| other.value.width == product.value.width) {
            facts.push(monotone(script, product, other));
        }
    }
    facts
}

/// If both factors have at most half the width, or 52 bits, the product is at most the square of the greatest.
fn bounded(script: &mut Script, Product { factors: [x, y], value }: &Product) -> Vec<Flag> {
    // 52 bits are the factors of VPMADD52, whose products need a word of 128.
    let widths = [x.width / 2, 52].into_iter().filter(|bits| 2 * bits <= x.width);
    let bound = |bits| {
        let small = both_fit(script, [x, y], bits);
        let most = script.at_most(value, &Word::constant(x.width, ones(bits) * ones(bits)));
        script.implies(&small, &most)
    };
    widths.map(bound).collect()
}

/// A product ends in at least as many zeros as both factors together. Only counts that occur in the code are
/// used: those are the multiples that it relies on.
fn multiple(script: &mut Script, Product { factors: [x, y], value }: &Product) -> Vec<Flag> {
    // Counts in words of other widths are about other products.
    let trailing: Vec<_> = script.trailing().into_iter().filter(|(_, ones)| ones.width == x.width).collect();
    // The lemmas are about exact products. Wider factors could wrap.
    let fit = both_fit(script, [x, y], x.width / 2);
    let mut facts = Vec::new();
    for ((zeros, ones_x), (more, ones_y)) in
        trailing.iter().flat_map(|a| trailing.iter().map(move |b| (a, b)))
    {
        let multiples = [(x, ones_x), (y, ones_y)].map(|(word, ones)| {
            let rest = script.binary("bvand", word, ones);
            script.equal(&rest, &Word::constant(x.width, 0))
        });
        let given = script.all(&[fit.clone(), multiples[0].clone(), multiples[1].clone()]);
        let sum = script.binary("bvadd", zeros, more);
        let sum = script.resize(&sum, x.width);
        // A shift by the width or more gives zero in SMT-LIB.
        let above = script.binary("bvshl", &Word::constant(x.width, u128::MAX), &sum);
        let kept = script.binary("bvand", value, &above);
        let multiple = script.equal(&kept, value);
        facts.push(script.implies(&given, &multiple));
    }
    facts
}

/// If no factor is greater, neither is the product.
fn monotone(script: &mut Script, product: &Product, other: &Product) -> Flag {
    let ([x, y], [u, v]) = (&product.factors, &other.factors);
    // The greater factors must fit; then the smaller ones do.
    let fit = both_fit(script, [u, v], u.width / 2);
    let smaller = [script.at_most(x, u), script.at_most(y, v), fit];
    let smaller = script.all(&smaller);
    let monotone = script.at_most(&product.value, &other.value);
    script.implies(&smaller, &monotone)
}

fn both_fit(script: &mut Script, words: [&Word; 2], bits: u32) -> Flag {
    let fit = words.map(|word| script.at_most(word, &Word::constant(word.width, ones(bits))));
    script.all(&fit)
}
