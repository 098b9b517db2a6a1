//! Polynomials as text and in data formats. The size of the result is bounded by that of the input and a
//! constant, and each result survives every format.
#![no_main]
#![forbid(unsafe_code)]
use carryless_gf2::algebra::Poly;
use libfuzzer_sys::fuzz_target;

/// The words that a text of this length may make.
fn most_words(len: usize) -> usize {
    (Poly::MAX_TEXT_EXPONENT / 64 + 1).max(len / 16 + 1)
}

fuzz_target!(|data: &[u8]| {
    // A document of JSON that holds one polynomial or several.
    if let Ok(polys) = serde_json::from_slice::<Vec<Poly>>(data) {
        let json = serde_json::to_string(&polys).expect("JSON");
        assert_eq!(serde_json::from_str::<Vec<Poly>>(&json).expect("JSON"), polys);
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    let read = text.parse::<Poly>();
    let json = serde_json::to_string(text).expect("JSON");
    assert_eq!(serde_json::from_str::<Poly>(&json).ok().as_ref(), read.as_ref().ok(), "{text:?} in JSON");
    let Ok(poly) = read else { return };
    assert!(poly.words().len() <= most_words(text.len()), "{} words of {text:?}", poly.words().len());
    assert_ne!(poly.words().last(), Some(&0));

    let hex = format!("{poly:#x}");
    assert_eq!(hex.parse().as_ref(), Ok(&poly), "{text:?} as {hex}");
    let json = serde_json::to_string(&poly).expect("JSON");
    assert_eq!(json, format!("\"{hex}\""));
    let degree = poly.degree().unwrap_or(0);
    let sum = poly.to_string();
    assert_eq!(Poly::from_str_bounded(&sum, degree).as_ref(), Ok(&poly), "{text:?} as {sum}");
    let list: String = poly.exponents().map(|exponent| format!("{exponent},")).collect();
    assert!(
        poly.is_zero() || Poly::from_str_bounded(&list, degree).as_ref() == Ok(&poly),
        "{text:?} as {list}"
    );
    if degree > 0 && !text.trim().starts_with("0x") {
        assert!(Poly::from_str_bounded(text, degree - 1).is_err(), "{text:?} below its degree");
    }
});
