use crate::common::{Random, samples};
use carryless_gf2::algebra::{ParsePolyError, Poly};

#[test]
fn text_comes_back() {
    let mut random = Random(41);
    for a in samples(&mut random) {
        assert_eq!(a.to_string().parse(), Ok(a.clone()));
        assert_eq!(format!("{a:#x}").parse(), Ok(a.clone()));
        let list: String = a.exponents().map(|e| format!("{e},")).collect();
        if !a.is_zero() {
            assert_eq!(list.parse(), Ok(a));
        }
    }
}

#[test]
fn forms() {
    let a = Poly::from_exponents([5, 1, 0]);
    for text in [
        "X^5 + X + 1",
        "x^5+x+1",
        " 1 +X^ 5+  X\n",
        "0x23",
        "0x0023",
        "5,1,0",
        "0, 1, 5 ,",
        "X^5+X+1+0+X^7+X^7",
    ] {
        assert_eq!(text.parse(), Ok(a.clone()), "{text}");
    }
    assert_eq!(
        (a.to_string(), format!("{a:x}"), format!("{a:#x}")),
        ("X^5 + X + 1".into(), "23".into(), "0x23".into())
    );
    let zero = Poly::zero();
    assert_eq!((zero.to_string(), format!("{zero:#x}")), ("0".into(), "0x0".into()));
    assert_eq!(format!("{:x}", Poly::monomial(64)), "10000000000000000");
    assert_eq!("0xABCdef0123456789f".parse(), Ok(Poly::from_words(&[0xbcde_f012_3456_789f, 0xa])));
    assert_eq!(["0", "1", "X", "0,", "1,"].map(str::parse), [0, 1, 2, 1, 2].map(|bits| Ok(Poly::from(bits))));
}

#[test]
fn what_is_none() {
    use ParsePolyError::{Empty, Exponent, Hex, Term, TooLarge};
    let cases = [
        ("", Empty),
        (" \n", Empty),
        ("0x", Hex),
        ("0xg", Hex),
        ("0x1 2", Hex),
        ("0x-1", Hex),
        ("5", Term),
        ("X^", Term),
        ("X^-1", Term),
        ("X5", Term),
        ("X +", Term),
        ("X++1", Term),
        ("Y^2", Term),
        ("2X", Term),
        (",", Exponent),
        ("5,,1", Exponent),
        ("5,a", Exponent),
        ("5,+1", Exponent),
        ("X^65536", TooLarge { limit: 65_535 }),
        ("X^2147483647", TooLarge { limit: 65_535 }),
        ("1 + X^65536 + X^65536", TooLarge { limit: 65_535 }),
        ("65536,", TooLarge { limit: 65_535 }),
        ("99999999999999999999999,", TooLarge { limit: 65_535 }),
    ];
    for (text, error) in cases {
        assert_eq!(text.parse::<Poly>(), Err(error), "{text:?}");
        assert!(!error.to_string().is_empty());
    }
}

/// A short text takes little memory, unless the caller says otherwise; hexadecimal text is limited by its length.
#[test]
fn exponents_are_limited() {
    let limit = Poly::MAX_TEXT_EXPONENT;
    assert_eq!(limit, 65_535);
    for text in ["X^65535", "65535,", "x ^ 65535+0"] {
        assert_eq!(text.parse(), Ok(Poly::monomial(limit)), "{text}");
    }
    let above = Poly::monomial(limit + 1);
    for text in [above.to_string(), "65536,".into(), "1,0,65536".into()] {
        assert_eq!(text.parse::<Poly>(), Err(ParsePolyError::TooLarge { limit }), "{text}");
        let read = Poly::from_str_bounded(&text, limit + 1).expect("a larger limit");
        assert_eq!(read.degree(), Some(limit + 1));
    }
    assert_eq!(format!("{above:#x}").parse(), Ok(above));
}

#[test]
fn a_limit_may_be_any_number() {
    let limited = |text, limit| Poly::from_str_bounded(text, limit);
    let too_large = |limit| Err(ParsePolyError::TooLarge { limit });
    assert_eq!(limited("1+0", 0), Ok(Poly::one()));
    assert_eq!(limited("0x7", 0), Ok(Poly::from(7)));
    for text in ["X", "X^1", "1,", "x+1"] {
        assert_eq!(limited(text, 0), too_large(0), "{text}");
        assert!(limited(text, 1).is_ok(), "{text}");
    }
    assert_eq!(limited("X^99999999999999999999999", usize::MAX), too_large(usize::MAX));
    // The first error counts, and what stands before it does not.
    assert_eq!(limited("X+X^9+Y", 8), too_large(8));
    assert_eq!(limited("X+Y+X^9", 8), Err(ParsePolyError::Term));
}

/// Serde has the limits of text.
#[cfg(feature = "serde")]
#[test]
fn data_formats_limit_exponents() {
    let above = Poly::monomial(Poly::MAX_TEXT_EXPONENT + 1);
    for text in [above.to_string(), "65536,".into(), "1,0,65536".into()] {
        let json = serde_json::to_string(&text).expect("JSON");
        let error = serde_json::from_str::<Poly>(&json).expect_err("above the limit");
        assert!(error.to_string().contains("above the limit of 65535"), "{error}");
    }
    let json = serde_json::to_string(&above).expect("JSON");
    assert_eq!(serde_json::from_str::<Poly>(&json).expect("JSON"), above);
}

#[cfg(feature = "serde")]
#[test]
fn data_formats_hold_hexadecimal_strings() {
    let a = Poly::from_exponents([70, 1, 0]);
    let text = serde_json::to_string(&a).expect("JSON");
    assert_eq!(text, "\"0x400000000000000003\"");
    assert_eq!(serde_json::from_str::<Poly>(&text).expect("JSON"), a);
    assert!(serde_json::from_str::<Poly>("\"X^\"").is_err());
    assert!(serde_json::from_str::<Poly>("5").is_err());
}
