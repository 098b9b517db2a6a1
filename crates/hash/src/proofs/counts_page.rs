//! counts.md, written from what is counted.
use super::CUT26;
use super::counts::*;
use super::counts_long::long_rows;
use super::paper001::{brw_key_bytes, horner_key_bytes};
use crate::choose::plan::FirstProduct::{Fewest, InRegisters};
use crate::field::groups::LONG_G;
use crate::field::p1305::element::{freeze, pack26};
use crate::field::p1305::lanes26::Radix26;
use crate::field::p1305::lanes44::Radix44;
use carryless_lanes::Tally;
use carryless_reference::{decbrwhash_key_bytes, polyhash_key_bytes};
use std::string::{String, ToString};
use std::vec::Vec;
use std::{format, vec};

/// A line of the table.
struct Line {
    kernel: &'static str,
    bytes: &'static str,
    tally: Tally,
    papers: &'static str,
}

fn lines() -> Vec<Line> {
    let line = |kernel, bytes, tally, papers| Line { kernel, bytes, tally, papers };
    vec![
        line("word64::step", "16", word64_step(), ""),
        line("word44::step with split", "16", word44_step(), "001: maax, radix 2^64"),
        line("word44::step_two with split", "32", word44_two(), ""),
        line(
            "lanes26::mul",
            "16 N",
            multiplication::<4>(),
            "000 3.4, 003 Table 1: mul 25, add 20, shuffle 13",
        ),
        line("lanes26::carry", "", carry::<4>(), "000 3.5: mul 1, add 7, shift 7, logic 7, then repacking"),
        line("horner::group, g = 1", "16 N", rows_of::<4, 1>(), "001 Table 3: 1 multiplication, 1 reduction"),
        line(
            "horner::group, g = 2",
            "32 N",
            rows_of::<4, 2>(),
            "001 Table 3: 2 multiplications, 1 reduction",
        ),
        line(
            "horner::group, g = 3",
            "48 N",
            rows_of::<4, 3>(),
            "001 Table 3: 3 multiplications, 1 reduction",
        ),
        line(
            "horner::group, g = 4",
            "64 N",
            rows_of::<4, 4>(),
            "001 Table 3: 4 multiplications, 1 reduction",
        ),
        line("horner::group, g = 8", "128 N", rows_of::<4, 8>(), ""),
        line("horner::group in radix 2^44, g = 1", "16 N", rows_of_ifma::<1>(), ""),
        line("horner::group in radix 2^44, g = 4", "64 N", rows_of_ifma::<4>(), ""),
        line("horner::group in radix 2^44, g = 8", "128 N", rows_of_ifma::<8>(), ""),
        line("horner::long_group, 16 rows", "256 N", long_rows(LONG_G), ""),
        line("BRW of 64 rows, any t", "1024 N", brw_rows::<4, _>(Radix26, 64, 2), BRW),
        line("BRW of 64 rows in radix 2^44, t = 2", "1024 N", brw_rows::<8, _>(Radix44, 64, 2), BRW),
        line("BRW of 64 rows in radix 2^44, t = 3", "1024 N", brw_rows::<8, _>(Radix44, 64, 3), BRW),
        line("horner::last_rows", "16 N", two_last_rows::<4>(), ""),
        line(
            "packed::mul",
            "16 N",
            packed_multiplication::<4>(),
            "000 3.4, 003 Table 1: mul 25, add 20, shuffle 9 + 4",
        ),
        line(
            "packed::reduce",
            "",
            packed_reduction::<4>(),
            "000 3.5: mul 1, add 7, shift 7 + 2, logic 7, shuffle 2",
        ),
        line(
            "packed_first, 4 lanes, rho = 1",
            "16",
            packed_first_multiplication::<4>(1, InRegisters),
            "000 4.4: mul 7, add 7, shuffle 16, set 8",
        ),
        line(
            "packed_first, 4 lanes, rho = 2",
            "32",
            packed_first_multiplication::<4>(2, InRegisters),
            "003 4.1: mul 13",
        ),
        line("packed_first, 8 lanes, rho = 1", "16", packed_first_multiplication::<8>(1, InRegisters), ""),
        line(
            "packed_first, 8 lanes, rho = 3 or 4",
            "64",
            packed_first_multiplication::<8>(4, InRegisters),
            "",
        ),
        line("packed_first::any, 8 lanes, rho = 3", "48", packed_first_multiplication::<8>(3, Fewest), ""),
        line("packed_first::any, 8 lanes, rho = 7", "112", packed_first_multiplication::<8>(7, Fewest), ""),
        line("horner::Keys, g = 1", "", keys::<4, 1>(), ""),
        line("horner::Keys, g = 4", "", keys::<4, 4>(), ""),
        line("window::add_row", "8 N", window_row::<4>(), ""),
        line("window::next_window, 4 lanes", "512", window::<4>(), ""),
        line("window::next_window, 8 lanes", "512", window::<8>(), ""),
        line("window::prepare, 4 lanes", "", whole_table::<4>(), ""),
        line(
            "element::pack26",
            "",
            count::<1>(|s| {
                let _ = pack26(s, CUT26);
            }),
            "",
        ),
        line(
            "element::freeze",
            "",
            count::<1>(|s| {
                let _ = freeze(s, [1, 2, 3]);
            }),
            "",
        ),
    ]
}

/// What paper 001 has for 64 rows.
const BRW: &str = "001 Table 3: 32 multiplications, 17 reductions";

const HEAD: &str = "# Operation counts

Operations that kernels ask of a backend, as the analysis `Count` sees them. `crates/hash/src/proofs/counts.rs` and `paper001.rs` assert the papers'
figures; `CARRYLESS_BLESS=1 cargo test -p carryless-hash counts` writes these tables.

One count is one operation on a vector of N lanes of 64 bits, in `word` and `element` lines on one 64-bit word. `mul` is 32 x 32 -> 64 bits in
lanes, 64 x 64 -> 128 in words; `shift` includes `high32`; `logic` is masks and joins; `load` includes keys from tables. Broadcasts of constants and
renamed registers are left out.

```text
";

/// A line of text, in columns.
fn row(kernel: &str, bytes: &str, cells: [String; 7], papers: &str) -> String {
    let cells: String = cells.iter().map(|cell| format!("{cell:>8}")).collect();
    format!("{kernel:<36}{bytes:>7}{cells}   {papers}").trim_end().to_string() + "\n"
}

fn table() -> String {
    let names = ["mul", "add", "shift", "logic", "shuffle", "load", "store"].map(String::from);
    let mut text = String::from(HEAD) + &row("kernel", "bytes", names, "papers");
    for Line { kernel, bytes, tally: t, papers } in lines() {
        let cells = [
            t.mul + t.mul32 + t.madd52,
            t.add + t.sub,
            t.shift + t.high32,
            t.mask + t.select + t.concat,
            t.unpack + t.permute + t.blend,
            t.load + t.load_part + t.load_words + t.load_limb,
            t.store + t.store_limb,
        ];
        text += &row(
            kernel,
            bytes,
            cells.map(|cell| if cell == 0 { String::new() } else { cell.to_string() }),
            papers,
        );
    }
    text + "```\n" + &key_material()
}

const KEY_HEAD: &str = "
Bytes of key powers that an evaluation keeps, in four lanes in radix 2^26. Paper 001's are those of Table 4 with its erratum. Ours also has, of polyHash, the
powers of the last row but one and their multiples by five, of 4-decBRWHash tau^d and the four powers at the streams' ends.

```text
evaluation                      paper    here
";

/// Table 4 of paper 001, and ours.
fn key_material() -> String {
    let mut text = String::from(KEY_HEAD);
    for (g, here) in (1..).zip(horner_key_bytes()) {
        text += &format!("{:<31}{:>6}{here:>8}\n", format!("polyHash1305, g = {g}"), polyhash_key_bytes(g));
    }
    for l in [4, 12, 28, 60, 124, 252, 508, 32768] {
        let (paper, here) = (decbrwhash_key_bytes(l), brw_key_bytes(l, 4));
        text += &format!("{:<31}{paper:>6}{here:>8}\n", format!("4-decBRWHash1305, {l} blocks"));
    }
    text + "```\n"
}

/// counts.md begins with this table; what follows it is written by hand.
#[test]
#[cfg(not(miri))]
fn the_page_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/proofs/counts.md");
    let page = std::fs::read_to_string(path).unwrap_or_default();
    let (_, rest) = page.split_once("\n## ").unwrap_or((&page, ""));
    let want = if rest.is_empty() { table() } else { format!("{}\n## {rest}", table()) };
    if std::env::var_os("CARRYLESS_BLESS").is_some() {
        std::fs::write(path, &want).unwrap();
    } else {
        assert!(page == want, "src/proofs/counts.md is out of date: run this test with CARRYLESS_BLESS=1");
    }
}
