//! Tests of `carryless poly` and `carryless explain`.
#![cfg(feature = "algebra")]
mod common;

use std::io::Write as _;
use std::process::Stdio;

use common::{Run, Sandbox};

/// Runs `carryless poly` with these arguments, separated by spaces.
fn poly(words: &str) -> Run {
    Sandbox::new().run(&[&["poly"], &words.split(' ').collect::<Vec<_>>()[..]].concat())
}

#[test]
fn every_operation() {
    // In F2[X] modulo X^8 + X^4 + X^3 + X + 1, which AES uses: 0x53 0xca = 1.
    let cases = [
        ("add 0x53 0xca", "0x99\n"),
        ("mul 0x53 0xca", "0x3f7e\n"),
        ("square 0x53", "0x1105\n"),
        ("divrem 0x3f7e 0x11b", "0x3d\n0x1\n"),
        ("gcd 0x11 0x9", "0x3\n"),
        ("xgcd 0x53 0x11b", "0x1\n0xca\n0x3d\n"),
        ("inverse 0x53 0x11b", "0xca\n"),
        ("mulmod 0x53 0xca 0x11b", "0x1\n"),
        ("powmod 0x53 254 0x11b", "0xca\n"),
        ("powmod 0x53 0xfe 0x11b", "0xca\n"),
        ("powmod 0x53 2^8 0x11b", "0x53\n"),
        // (X^3 + X + 1) at X^2 + 1 is X^6 + X^4 + 1, and X^2 modulo X^4 + X + 1 has the conjugates of X.
        ("compose 0xb 0x5", "0x51\n"),
        ("composemod 0xb 0x5 0x13", "0xe\n"),
        ("minpoly 0x4 0x13", "0x13\n"),
        ("trace 0x8 0x13", "0x1\n"),
        ("trace 0x1 0x13", "0x0\n"),
        ("resultant 0x53 0x11b", "0x1\n"),
        ("resultant 0x11 0x9", "0x0\n"),
    ];
    for (words, expected) in cases {
        poly(&format!("{words} --format hex")).good().prints(expected);
    }
}

#[test]
fn the_status_tells_whether_it_is_irreducible() {
    poly("irreducible X^233+X^74+1").good().prints("irreducible\n");
    poly("irreducible 4,0").mismatch().prints("reducible\n");
}

#[test]
fn factors_are_printed_as_often_as_they_divide() {
    poly("factor X^9+X^8+X+1").good().prints(&"X + 1\n".repeat(9));
    // X^15 - 1: the factors over F2 of the cyclotomic polynomials of 1, 3, 5 and 15.
    poly("factor --format hex 15,0").good().prints("0x3\n0x7\n0x13\n0x19\n0x1f\n");
    poly("factor 1").good().prints("");
    poly("factor X^233+X^74+1").good().prints("X^233 + X^74 + 1\n");
    poly("factor 0").trouble("0 has no factorisation");
}

#[test]
fn irreducible_polynomials_are_found() {
    for (n, f) in [(1, "1,"), (2, "2,1,0"), (8, "8,4,3,1,0"), (163, "163,7,6,3,0"), (233, "233,74,0")] {
        poly(&format!("find-irreducible {n} --format exponents")).good().prints(&format!("{f}\n"));
    }
    poly("find-irreducible 0").trouble("the degree 0 is not from 1 to 268435455");
    poly("find-irreducible 268435456").trouble("the degree 268435456 is not from 1 to 268435455");
}

#[test]
fn roots_are_printed_as_often_as_they_are_roots() {
    // X^2 (X + 1) (X^2 + X + 1)
    poly("roots 5,2").good().prints("0\n0\n1\n");
    poly("roots X^2+X+1").good().prints("");
    poly("roots 0").trouble("everything is a root of 0");
}

#[test]
fn primitive_polynomials_are_told_and_found() {
    poly("primitive 8,4,3,2,0").good().prints("primitive\n");
    poly("primitive 8,4,3,1,0").mismatch().prints("not primitive\n");
    poly("primitive X^65+X^18+1").trouble("known for degrees from 1 to 64");
    poly("find-primitive 8").good().prints("X^8 + X^4 + X^3 + X^2 + 1\n");
    poly("find-primitive 0").trouble("known for degrees from 1 to 64");
}

#[test]
fn forms_are_read_and_written() {
    for a in ["X^5+X+1", "0x23", "5,1,0"] {
        poly(&format!("add {a} 0")).good().prints("X^5 + X + 1\n");
        poly(&format!("--format exponents add {a} 0")).good().prints("5,1,0\n");
        poly(&format!("add {a} 0 --format hex")).good().prints("0x23\n");
    }
    poly("mul --format exponents X^3 X^2").good().prints("5,\n");
    poly("mul --format exponents 5, 0").good().prints("0\n");
    poly("square 5,").good().prints("X^10\n");
}

#[test]
fn long_operands_come_from_files_and_standard_input() {
    let sandbox = Sandbox::new();
    sandbox.write("a", format!("0x{}\n", "f".repeat(100_000)));
    sandbox.write("b", "X + 1\n");
    let product = format!("0x1{}1\n", "0".repeat(99_999));
    sandbox.run(&["poly", "mul", "--format", "hex", "@a", "@b"]).good().prints(&product);
    let mut command = sandbox.command();
    command.args(["poly", "mul", "--format", "hex", "@a", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("spawn");
    child.stdin.take().expect("piped").write_all(b"1,0\n").expect("write");
    Run::from(child.wait_with_output().expect("output")).good().prints(&product);
}

#[test]
fn what_cannot_be_computed_is_said_in_one_line() {
    poly("divrem X 0").trouble("division by the polynomial 0");
    poly("inverse X 0").trouble("division by the polynomial 0");
    poly("mulmod X X 0").trouble("division by the polynomial 0");
    poly("powmod X 2^5 0").trouble("division by the polynomial 0");
    poly("composemod X X 0").trouble("division by the polynomial 0");
    poly("minpoly X 0").trouble("division by the polynomial 0");
    poly("trace X 0").trouble("division by the polynomial 0");
    poly("inverse X+1 X^2+1").trouble("no inverse: A and F have a common divisor");
    poly("mul - -").trouble("only one operand can come from standard input");
    poly("add - 1").trouble("standard input: an empty polynomial");
    poly("add @none 1").trouble("none: No such file");
    let sandbox = Sandbox::new();
    sandbox.write("a", "X^\n");
    sandbox.run(&["poly", "square", "@a"]).trouble("a: not a sum of 0, 1, X and X^n");
}

/// Operations that would exhaust memory or never end are refused at once. Those at the limits succeed.
#[test]
fn sizes_are_bounded() {
    let top = "X^268435455";
    poly(&format!("mul {top} 0")).good().prints("0\n");
    poly(&format!("divrem {top} X^268435454")).good().prints("X\n0\n");
    poly(&format!("compose X^2 {top}")).trouble("the degree 536870910, above the limit of 268435455");
    poly(&format!("compose {top} {top}")).trouble("above the limit of 268435455");
    let run = poly("mul X^268435456 1");
    assert_eq!(run.status, 2);
    assert!(run.err.contains("an exponent above the limit of 268435455"), "{}", run.err);
    let run = poly("mul X^2147483647 1");
    assert_eq!(run.status, 2);

    poly("powmod X 2^18446744073709551615 X^5+X+1")
        .trouble("the exponent is too large: it takes 18446744073709551615");
    poly("powmod X 2^17179869185 X^5+X+1").trouble("and at most 17179869184 are allowed");
    poly("powmod X 2^8589934593 X^64+X+1")
        .trouble("squarings, and at most 8589934592 are allowed modulo this F");
    poly("powmod X 2^5 0").trouble("division by the polynomial 0");
    // The order of X modulo X^5 + X^2 + 1 is 31, and 2^100000 mod 31 = 1.
    poly("powmod X 2^100000 X^5+X^2+1").good().prints("X\n");

    let sandbox = Sandbox::new();
    sandbox.run(&["poly", "add", "@/dev/zero", "1"]).trouble("/dev/zero: longer than 64 MiB");
    sandbox.write("list", "268435456,0\n");
    sandbox.run(&["poly", "square", "@list"]).trouble("list: an exponent above the limit of 268435455");
    let mut command = sandbox.command();
    command.args(["poly", "square", "-"]).stdin(std::fs::File::open("/dev/zero").expect("a device"));
    let run = Run::from(command.output().expect("run"));
    run.trouble("standard input: longer than 64 MiB");
}

#[test]
fn wrong_command_lines_exit_with_2() {
    for words in
        ["", "cube X", "mul X", "mul X 5", "square X^99999999999", "powmod X -1 X", "add X X --format roman"]
    {
        let run = poly(words);
        assert_eq!(run.status, 2, "{words}");
        assert!(!run.err.is_empty() && run.out.is_empty(), "{words}");
    }
}
