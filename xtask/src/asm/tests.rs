//! The reader and the rules, on text as GNU's and LLVM's disassemblers print it.
use super::addresses::Accesses;
use super::count::Counts;
use super::disassemble::parse;
use super::names::NAMES;
use super::rules::{self, Exactly, Rule, complaints};
use super::table::Table;
use super::{X86_64, operands};
use std::collections::BTreeMap;

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
    // The call is a panic and the last jump a copy, so no call is left.
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
    // Both calls through r12 are copies. Nothing is known of rbx, so its call counts as one.
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
    let rule = |mnemonics: &str, whole, loops: &[usize], limit| Rule {
        place: "a.toml:7".into(),
        target: "t".into(),
        name: vec!["kernel".into()],
        exactly: vec![Exactly { mnemonics: mnemonics.into(), whole, loops: loops.into() }],
        stack: limit,
        copies: 1,
        panics: limit,
    };
    let right = rule("vpmuludq|vpaddq", 2, &[2], 1);
    let wrong = rule("vpmuludq", 25, &[5, 20], 0);
    let kernel = &parse(GNU)[0];
    assert!(right.applies("t", "a kernel") && !right.applies("t", "another"));
    assert_eq!(complaints(kernel, &[]), Vec::<String>::new());
    assert_eq!(complaints(kernel, &[&right]), Vec::<String>::new());
    assert_eq!(
        complaints(kernel, &[&wrong]),
        [
            "1 accesses to the stack, more than 0 (a.toml:7)",
            "1 panics, more than 0 (a.toml:7)",
            "1 vpmuludq, not 25 (a.toml:7)",
            "vpmuludq in the loops: [1], not [5, 20] (a.toml:7)"
        ]
    );
}

/// A function of these instructions, at addresses 0, 10, 20, ... in hexadecimal.
fn accesses(by_reference: bool, instructions: &[&str]) -> Accesses {
    let lines = instructions.iter().enumerate().map(|(nr, line)| format!("{:x}:\t{line}\n", 16 * nr));
    Accesses::of(&parse(&format!("0 <kernel>:\n{}", lines.collect::<String>()))[0], by_reference)
}

#[test]
fn operands_and_constants_are_read() {
    let right = [
        "test rsi,rsi",
        "cmovne rdi,r8",
        "mov QWORD PTR [rsp+0x8],rdi",
        "vmovdqu xmm0,XMMWORD PTR [rdi+rcx*8+0x10]",
        "vpand xmm0,xmm0,XMMWORD PTR [rip+0x0]",
        "vmovq rax,xmm0",
        "mov QWORD PTR [rdx],rax",
        // The address that was stored above, so the read that follows is allowed.
        "mov rax,QWORD PTR [rsp+0x8]",
        "vpxor xmm0,xmm0,XMMWORD PTR [rax]",
        "xor eax,eax",
        "vmovdqu XMMWORD PTR [rax+rdx*1],xmm0",
        "ret",
    ];
    assert_eq!(accesses(false, &right), Accesses { by_data: 0, spills: 1 });
    let in_struct =
        ["mov rax,QWORD PTR [rdi]", "mov rdi,QWORD PTR [rdi+0x8]", "vmovdqu xmm0,XMMWORD PTR [rax+rdi*1]"];
    assert_eq!(accesses(true, &in_struct), Accesses::default());
    let arm = [
        "fmov x8, d0",
        "str x8, [x1, #16]!",
        "adrp x8, 0 <kernel>",
        "ldr q0, [x8]",
        "ext v1.16b, v0.16b, v2.16b, #8",
        "stp q0, q1, [sp, #32]",
        "ldp q2, q3, [sp, #32]",
        // These registers are the caller's, and restoring them is no spill.
        "ldp d9, d8, [sp, #16]",
        "ldp x29, x30, [sp], #80",
    ];
    assert_eq!(accesses(false, &arm), Accesses { by_data: 0, spills: 1 });
}

/// Each is a look-up at a place that an operand gives.
#[test]
fn addresses_by_data_are_told() {
    let faults: &[(bool, &[&str])] = &[
        (false, &["vmovq rax,xmm0", "and eax,0xf", "vmovdqu xmm1,XMMWORD PTR [rcx+rax*8]"]),
        (false, &["vpextrb eax,xmm0,0x1", "movzx ecx,al", "vmovdqu XMMWORD PTR [rcx+rdx*1],xmm1"]),
        (false, &["mov rax,QWORD PTR [rdi]", "vmovdqu xmm1,XMMWORD PTR [rax+rcx*1]"]),
        (false, &["add rsi,QWORD PTR [rdi]", "vpxor xmm1,xmm1,XMMWORD PTR [rsi]"]),
        (
            true,
            &[
                "mov rax,QWORD PTR [rdi]",
                "mov rax,QWORD PTR [rax]",
                "lea rdx,[rcx+rax*2]",
                "mov rdx,QWORD PTR [rdx]",
            ],
        ),
        (false, &["vptest xmm0,xmm0", "sete al", "movzx eax,al", "vmovdqu xmm1,XMMWORD PTR [rcx+rax*8]"]),
        (false, &["cmp QWORD PTR [rdi],0x0", "cmove rcx,rdx", "vmovdqu xmm1,XMMWORD PTR [rcx]"]),
        (
            false,
            &[
                "vmovq rax,xmm0",
                "mov QWORD PTR [rsp+0x8],rax",
                "mov rcx,QWORD PTR [rsp+0x8]",
                "mov rcx,QWORD PTR [rcx]",
            ],
        ),
        (false, &["vmovdqu XMMWORD PTR [rsp],xmm0", "mov rcx,QWORD PTR [rsp]", "mov rcx,QWORD PTR [rcx]"]),
        // In a loop, the second time.
        (false, &["vmovdqu xmm0,XMMWORD PTR [rcx]", "vmovq rcx,xmm0", "jne 0 <kernel>"]),
        (false, &["umov w8, v0.s[1]", "ldr q1, [x1, w8, uxtw #4]"]),
        (false, &["ldr x8, [x0]", "add x9, x1, x8", "ldr q1, [x9]"]),
    ];
    for (by_reference, fault) in faults {
        assert_eq!(accesses(*by_reference, fault).by_data, 1, "{fault:?}");
    }
}

#[test]
fn limits_are_of_the_kernels_they_name() {
    let fault = "0 <kernel>:\n0:\tmov rax,QWORD PTR [rdi]\n4:\tvpxor xmm0,xmm0,XMMWORD PTR [rsp+rax*8]\n";
    let mut kernel = parse(fault).remove(0);
    let rows = "\
[[operands]]
on = 'Avx2'
kernel = 'One<*Square>'
spills = { Gf233 = 0, Gf571 = 2 }
[[operands]]
on = 'arm'
kernel = 'One<'
";
    let limits = table(rows).limits;
    // Under this name no limit is about the function, whatever it reads.
    assert_eq!(operands::complaints(&limits, &kernel, X86_64), Vec::<String>::new());
    kernel.name = "::Avx2 ::compile::go::<carryless_gf2::field::One<Gf233, Square>>".into();
    let wrong = ["1 addresses depend on data", "1 reads of the stack, more than 0 (xtask/asm/a.toml:1)"];
    assert_eq!(operands::complaints(&limits, &kernel, X86_64), wrong);
    let unused = operands::unused(&limits, &[&kernel], X86_64);
    assert_eq!(unused, [r#"xtask/asm/a.toml:1: no kernel matches ["::Avx2 ", "One<", "Square>"] "Gf571""#]);
}

const TARGETS: &str = "\
compiler = 'rustc 1.'
[[target]]
name = 'x86'
triple = 'x86_64-unknown-linux-gnu'
backends = { Avx2 = '::Avx2 ', Avx512 = '::Avx512 ' }
instructions = { product = 'vpmuludq|mulx' }
[[target]]
name = 'arm'
triple = 'aarch64-unknown-linux-gnu'
backends = {}
instructions = { product = 'umull' }
";

/// The table of these targets and a file `a.toml`.
fn try_table(text: &str) -> Result<Table, String> {
    Table::parse(TARGETS, &BTreeMap::from([("a.toml".into(), text.into())]))
}

fn table(text: &str) -> Table {
    try_table(text).unwrap_or_else(|why| panic!("{why}"))
}

/// Place, target, words, numbers of instructions, limits.
fn written(rule: &Rule) -> String {
    let exactly = rule.exactly.iter().map(|e| format!("{} {} {:?}", e.mnemonics, e.whole, e.loops));
    let exactly = exactly.collect::<Vec<_>>().join(", ");
    let Rule { place, target, name, stack, copies, panics, .. } = rule;
    let target = target.split('-').next().unwrap_or_default();
    format!("{place} {target} {name:?} {exactly}; {stack} {copies} {panics}")
}

#[test]
fn rows_stand_for_rules() {
    let text = "\
[[rule]]
on = ['x86', 'arm']
kernel = 'K<'
stack = 3
rows = [
    { kernel = ['::A,*>', 'B'], whole = { product = 4 }, panics = 1 },
    { on = 'Avx512', stack = 5, rows = [
        { kernel = 'C', whole = { ifma = 6, mul = 1 }, loops = { ifma = [1, 2] } },
    ] },
]
[[rule]]
on = 'arm'
kernel = 'D'
copies = 2
";
    let rules: Vec<String> = table(text).rules.iter().map(written).collect();
    assert_eq!(
        rules,
        [
            r#"xtask/asm/a.toml:6 x86_64 ["K<", "::A,", ">"] vpmuludq|mulx 4 []; 3 0 1"#,
            r#"xtask/asm/a.toml:6 x86_64 ["K<", "B"] vpmuludq|mulx 4 []; 3 0 1"#,
            r#"xtask/asm/a.toml:6 aarch64 ["K<", "::A,", ">"] umull 4 []; 3 0 1"#,
            r#"xtask/asm/a.toml:6 aarch64 ["K<", "B"] umull 4 []; 3 0 1"#,
            r#"xtask/asm/a.toml:8 x86_64 ["::Avx512 ", "K<", "C"] ifma 6 [1, 2], mul 1 []; 5 0 0"#,
            r#"xtask/asm/a.toml:11 aarch64 ["D"] ; 0 2 0"#,
        ]
    );
}

#[test]
fn mistakes_in_files_are_told() {
    let why = |text: &str| try_table(text).map(|_| ()).unwrap_err();
    let row = |row: &str| why(&format!("[[rule]]\nkernel = 'K'\nrows = [\n    {{ {row} }},\n]"));
    assert_eq!(row("on = 'Avx3'"), "xtask/asm/a.toml:4: xtask/asm/backends.toml has no backend Avx3");
    assert_eq!(row("stack = 1"), "xtask/asm/a.toml:4: there is no backend: `on` is missing or empty");
    assert_eq!(row("on = []"), row("stack = 1"));
    assert_eq!(
        row("on = 'Avx2', loops = { mul = [1] }"),
        "xtask/asm/a.toml:4: `loops` has mul, but `whole` has not"
    );
    assert_eq!(
        why("\n[[rule]]\non = 'x86'"),
        "xtask/asm/a.toml:2: there is no kernel: `kernel` is missing or empty"
    );
    assert_eq!(
        why("[[operands]]\non = 'Avx3'\nkernel = 'K'"),
        "xtask/asm/a.toml:1: xtask/asm/backends.toml has no backend Avx3"
    );
    assert!(why("[[operands]]\non = []\nkernel = 'K'").contains("no backend"));
    for (row_of, word) in [("stacks = 1", "stacks"), ("on = 1", "a string or a list"), ("stack = -1", "-1")] {
        let why = row(row_of);
        assert!(why.starts_with("xtask/asm/a.toml: ") && why.contains("line 4"), "{why}");
        assert!(why.contains(word), "{why}");
    }
    assert!(why("[[rules]]").contains("rules"));
    let why = Table::parse(&format!("{TARGETS}nonsense = 1"), &BTreeMap::new()).map(|_| ()).unwrap_err();
    assert!(why.starts_with("xtask/asm/backends.toml: ") && why.contains("nonsense"), "{why}");
}

#[test]
fn rules_without_kernels_are_told() {
    let kernels = parse(GNU);
    let rules = table("[[rule]]\non = ['x86', 'arm']\nkernel = ['kern*el', 'other']").rules;
    let unused = rules::unused(&rules, &[&kernels[0]], X86_64);
    assert_eq!(unused, [r#"xtask/asm/a.toml:1: no kernel matches ["other"]"#]);
}

/// A row that `--table` prints is one that holds.
#[test]
fn printed_rows_hold() {
    let names = table("").names;
    let mut kernel = parse(GNU).remove(0);
    kernel.name = "<lanes::Avx2 as Backend>::call::go::<mac::Kernel<mac::field::F>>".into();
    let row = rules::row(&kernel, &names.targets[0]);
    assert_eq!(
        row,
        "{ on = \"Avx2\", kernel = \"mac::Kernel<*::field::\", whole = { product = 1 }, \
         loops = { product = [1] }, stack = 1, copies = 1, panics = 1 },"
    );
    let rules = table(&format!("[[rule]]\nrows = [{row}]")).rules;
    assert!(rules[0].applies(X86_64, &kernel.name));
    assert_eq!(complaints(&kernel, &[&rules[0]]), Vec::<String>::new());
}

#[test]
fn every_target_has_rules() {
    let table = Table::read().unwrap_or_else(|_| panic!("{NAMES} and the files beside it do not parse"));
    for target in &table.names.targets {
        let has_rules = table.rules.iter().any(|rule| rule.target == target.triple);
        assert!(has_rules && table.limits.iter().any(|limit| limit.target == target.triple));
    }
}
