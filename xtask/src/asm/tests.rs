//! The reader and the rules, on text as GNU's and LLVM's disassemblers print it.
use super::count::Counts;
use super::disassemble::parse;
use super::rules::{Exactly, Rule, complaints};

const GNU: &str = "\
0000000000000000 <kernel>:
   0:\tpush   rbp
   4:\tvpmuludq ymm0,ymm1,YMMWORD PTR [rsp+0x20]
   a:\tvpaddq ymm0,ymm0,ymm2
   e:\tvmovdqu YMMWORD PTR [rdi],ymm0        # a comment
  12:\tjne    4 <kernel+0x4>
  14:\tcall   19 <kernel+0x19>
\t\t\t15: R_X86_64_PLT32\t_RNvNtCs1_4core9panicking5panic-0x4
  19:\tjmp    1e <kernel+0x1e>
\t\t\t1a: R_X86_64_PLT32\tmemcpy-0x4
";

const LLVM: &str = "\
0000000000000000 <kernel>:
       0:      \tvpmuludq\tymm0, ymm1, ymmword ptr [rsp + 32]
       4:      \tjne\t0x0 <kernel>
0000000000000000 <arm>:
       0:      \tumull\tv0.2d, v1.2s, v2.2s
       4:      \tumlal2\tv0.2d, v1.4s, v2.4s
       8:      \tldp\tq0, q1, [sp, #32]
       c:      \tstr\tq0, [x0]
      10:      \tcbnz\tx1, 0x4 <arm+0x4>
      14:      \tb\t0x14 <arm+0x14>
\t\t0000000000000014:  R_AARCH64_JUMP26\tmemcpy
";

#[test]
fn gnu_text_is_counted() {
    let functions = parse(GNU);
    let counts = Counts::of(&functions[0].body);
    assert_eq!((functions.len(), functions[0].name.as_str()), (1, "kernel"));
    assert_eq!((counts.total, counts.calls, counts.copies, counts.panics), (7, 0, 1, 1));
    assert_eq!((counts.loads, counts.stores, counts.stack), (1, 1, 1));
    assert_eq!(counts.of_mnemonics("vpmuludq|vpaddq"), 2);
    assert_eq!(functions[0].body[5].symbol.as_deref(), Some("core::panicking::panic"));
    let loops = functions[0].loops();
    assert_eq!((loops.len(), loops[0].len(), loops[0][0].mnemonic.as_str()), (1, 4, "vpmuludq"));
}

#[test]
fn kernels_may_call_kernels() {
    let text = GNU.replace("memcpy-0x4", ".text._RINvNvC5lanes4call2goC6kernelEB2_-0x4");
    let functions = parse(&text);
    let (last, counts) = (functions[0].body.last().expect("a jump"), Counts::of(&functions[0].body));
    assert_eq!(last.symbol.as_deref(), Some("lanes::call::go::<kernel>"));
    assert_eq!((counts.calls, counts.copies), (0, 0));
}

const HELD: &str = "\
0000000000000000 <kernel>:
   0:\tmov    r12,QWORD PTR [rip+0x0]
\t\t\t3: R_X86_64_GOTPCREL\tmemset-0x4
   7:\tcall   r12
   a:\tcall   r12
   d:\tcall   rbx
";

#[test]
fn calls_by_an_address_in_a_register() {
    let counts = |text: &str| {
        let counts = Counts::of(&parse(text)[0].body);
        (counts.calls, counts.copies)
    };
    assert_eq!(counts(HELD), (1, 2));
    assert_eq!(counts(&HELD.replace("memset", "other")), (3, 0));
    let two =
        format!("{HELD}  10:\tmov    r12,QWORD PTR [rip+0x0]\n\t\t\t13: R_X86_64_GOTPCREL\tother-0x4\n");
    assert_eq!(counts(&two), (3, 0), "one of two functions");
}

#[test]
fn llvm_text_is_counted() {
    let functions = parse(LLVM);
    assert_eq!(functions.len(), 2);
    assert_eq!((functions[0].loops().len(), Counts::of(&functions[0].body).stack), (1, 1));
    let arm = Counts::of(&functions[1].body);
    assert_eq!((arm.total, arm.copies, arm.loads, arm.stores, arm.stack), (6, 1, 1, 1, 1));
    assert_eq!(arm.of_mnemonics("umull|umull2|umlal|umlal2"), 2);
    assert_eq!(functions[1].loops()[0].len(), 4);
}

#[test]
fn a_broken_rule_is_told() {
    const RIGHT: &[Exactly] = &[Exactly { mnemonics: "vpmuludq|vpaddq", whole: 2, loops: &[2] }];
    const WRONG: &[Exactly] = &[Exactly { mnemonics: "vpmuludq", whole: 25, loops: &[5, 20] }];
    let rule =
        |exactly, stack, panics| Rule { target: "t", name: &["kernel"], exactly, stack, copies: 1, panics };
    let kernel = &parse(GNU)[0];
    assert!(rule(RIGHT, 0, 0).applies("t", "a kernel") && !rule(RIGHT, 0, 0).applies("t", "another"));
    assert_eq!(complaints(kernel, &[]), Vec::<String>::new());
    assert_eq!(complaints(kernel, &[&rule(RIGHT, 1, 1)]), Vec::<String>::new());
    assert_eq!(
        complaints(kernel, &[&rule(WRONG, 0, 0)]),
        [
            "1 accesses to the stack, more than 0",
            "1 panics, more than 0",
            "1 vpmuludq, not 25",
            "vpmuludq in the loops: [1], not [5, 20]"
        ]
    );
}
