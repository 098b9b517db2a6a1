//! Tests of `carryless field` and `carryless explain field`.
#![cfg(feature = "algebra")]
mod common;

use common::{Run, Sandbox};

/// Runs `carryless field` with these arguments, separated by spaces.
fn field(words: &str) -> Run {
    Sandbox::new().run(&[&["field"], &words.split(' ').collect::<Vec<_>>()[..]].concat())
}

#[test]
fn every_operation() {
    // The field of AES: 0x53 0xca = 1.
    for (words, expected) in [
        ("8 add 0x53 0xca", "0x99\n"),
        ("8 mul 0x53 0xca", "0x1\n"),
        ("8 div 0x1 0xca", "0x53\n"),
        ("8 square 0x2", "0x4\n"),
        ("8 sqrt 0x4", "0x2\n"),
        ("8 inverse 0x53", "0xca\n"),
        ("8 trace 0x20", "0x1\n"),
        ("8 trace 0x1", "0x0\n"),
        ("8 frobenius 0x53 8", "0x53\n"),
        ("8 frobenius 0x53 18446744073709551608", "0x53\n"),
        ("8 pow 0x53 254", "0xca\n"),
        ("8 pow 0x53 2^8", "0x53\n"),
        ("8-rs mul 0x80 0x2", "0x1d\n"),
        ("233 mul X^232 X --format text", "X^74 + 1\n"),
        ("233-sqrt mul X^232 X --format exponents", "159,0\n"),
        ("128-polyval mul 0x2 127,", "0xc2000000000000000000000000000001\n"),
        ("--poly X^5+X^2+1 mul 0x10 0x2", "0x5\n"),
        ("233 --poly 233,159,0 mul 232, 1, --format exponents", "159,0\n"),
        ("1223 inv 0x1", "0x1\n"),
    ] {
        field(words).good().prints(expected);
    }
    let x = field("571 solve 0x6").good().text();
    let square = field(&format!("571 square {}", x.trim())).good().text();
    field(&format!("571 add {} {}", x.trim(), square.trim())).good().prints("0x6\n");
    field("--json 8 mul 0x53 0xca").good().prints("{\"f\":[8,4,3,1,0],\"result\":\"0x1\"}\n");
}

#[test]
fn what_cannot_be_computed_is_said_in_one_line() {
    field("8 square 0x100").trouble("an operand has degree 8, and elements of this field have one below 8");
    field("8 inverse 0x0").trouble("0 has no inverse");
    field("8 div 0x1 0x0").trouble("division by 0");
    field("8 solve 0x20").trouble("X^2 + X = A has no solution: the trace of A is 1");
    field("--poly X^5+X+1 square 0x1").trouble("--poly: the polynomial is reducible");
    field("--poly 0 square 0x1").trouble("--poly: the polynomial of a field is not 0");
    field("--poly X^1280+1 square 0x1")
        .trouble("a polynomial of degree 1280, where a field has one of degree 1 to 1279");
    field("8 --poly X^5+X^2+1 square 0x1").trouble("--poly has degree 5, which is not that of the field 8");
    field("9 square 0x1")
        .trouble("no field is called \"9\"; give its polynomial by --poly, or name one of 8, 8-rs, 12, 13");
    let run = field("9 square 0x1 --json");
    assert!(run.text().starts_with("{\"error\":\"no field is called"), "{}", run.text());
    for words in ["", "233", "233 cube 0x1", "233 mul 0x1", "mul 0x1 0x1", "8 mul 0x1 y"] {
        let run = field(words);
        assert_eq!(run.status, 2, "{words}");
        assert!(!run.err.is_empty() && run.out.is_empty(), "{words}");
    }
}
