//! Key, tags and manifest against values computed by another program (a big-integer one in another language).
//! They also hold the formats still: a change that makes old manifests unreadable fails here.
mod common;

use std::fs;
use std::os::unix::fs::symlink;

use common::{Sandbox, name};

const MANIFEST: &str = r"carryless-manifest-v1
algorithm polyhash1305-hchacha20
segments horner-16
key-id d27bd12377ec6434
symlinks record
specials refuse
gitignore ignore
exclude *.o
root t

file e0c017d39ab9ae0e978cb67e2c6ab7de 16 t/block
file 27a5d20255a4f0a1cffe2b1e99633851 0 t/empty
file 6c53466fcdb5f965ca076fb0c047d2ab 9000017 t/large
link t/link	../nowhere
file b2c854b623c00f7363ad1d5848271664 300001 t/odd\n\\\xff
file f0856460e387c9f3934c78f551bc804e 1 t/one
file a94ca9ac52d249fc59798b510243cf32 4096 t/page
file 48b35ae5d9b3e89eeb50d4e66f9eb226 13 t/text
file 1fc074cf4b0b92d6de31d0434f37aff6 2 t/two zeros
mac c66f7794ff64a626583222c32923ce6d
";

fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 131 + (i >> 8) * 17) as u8).collect()
}

fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("t/empty", "");
    sandbox.write("t/one", [0]);
    sandbox.write("t/two zeros", [0, 0]);
    sandbox.write("t/block", bytes(16));
    sandbox.write("t/text", "hello, world\n");
    sandbox.write("t/page", bytes(4096));
    sandbox.write(name(b"t/odd\n\\\xff"), bytes(300_001));
    sandbox.write("t/large", bytes(9_000_017));
    sandbox.write("t/left out.o", "object");
    symlink("../nowhere", sandbox.path("t/link")).expect("symlink");
    sandbox
}

#[test]
fn the_manifest_is_byte_for_byte_the_expected_one() {
    let sandbox = tree();
    sandbox.tag(&["--exclude", "*.o", "-o", "m", "t"]).good();
    assert_eq!(String::from_utf8(sandbox.read("m")).expect("UTF-8"), MANIFEST);
    sandbox.verify(&["--quiet", "m"]).good().prints("");
}

#[test]
fn threads_machines_and_spellings_of_the_root_make_no_difference() {
    let sandbox = tree();
    let variants: [&[&str]; 7] = [
        &["--threads", "1", "t"],
        &["--threads", "2", "./t/"],
        &["--threads", "7", "t/.", "t"],
        &["--machine", "portable", "t"],
        &["-C", ".", ".//t"],
        &["-C", "t/..", "t"],
        &["--progress", "json", "t"],
    ];
    for args in variants {
        let run = sandbox.tag(&[&["--exclude", "*.o", "-o", "-"], args].concat());
        run.good().prints(MANIFEST);
    }
}

#[test]
fn a_manifest_from_elsewhere_is_accepted() {
    let sandbox = tree();
    sandbox.write("m", MANIFEST);
    sandbox.verify(&["--quiet", "m"]).good().prints("");
    fs::remove_file(sandbox.path("t/link")).expect("rm");
    symlink("../elsewhere", sandbox.path("t/link")).expect("symlink");
    sandbox.verify(&["--quiet", "m"]).mismatch().prints("t/link: changed\n");
}
