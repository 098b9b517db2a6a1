//! Compares key, tags and manifest with values that another program computed, with big integers in another
//! language. They also pin the formats: a change that makes old manifests unreadable fails here.
mod common;

use std::fs;
use std::os::unix::fs::symlink;

use common::{Sandbox, name};

const MANIFEST: &str = r"carryless-manifest-v1
algorithm 4-decbrwhash1305-hchacha20
segments two-level-1048576
key-id d27bd12377ec6434
symlinks record
specials refuse
gitignore ignore
exclude *.o
root t

file c5aef9d9c96d80d608c0cc397f9bd9a4 16 t/block
file 377cf3ef472a6454f686bde21ab1ad4d 0 t/empty
file 277a5975935a111a008b551c1539d450 9000017 t/large
link t/link	../nowhere
file 3cd251bbb016541cc514c6f255dd06e3 300001 t/odd\n\\\xff
file 5de609cd113c118cd9481ce72cc3759e 1 t/one
file 95a5f5275872c4c75afb3c2a299deb53 4096 t/page
file aee414729b6fecb9a3d23b613fc0e85f 13 t/text
file 3cffb9f93996603ab87d58e8268ab75f 2 t/two zeros
mac be1e185210ead684520793a80e94aea8
";

/// The same manifest with the algorithm of the first version.
const OLD: &str = r"carryless-manifest-v1
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

/// The option that selects that algorithm.
const ALGORITHM: &[&str] = &["--algorithm", "polyhash1305-hchacha20"];

/// The option that selects the version of these manifests.
const V1: &[&str] = &["--manifest-version", "1"];

#[test]
fn the_manifest_is_byte_for_byte_the_expected_one() {
    let sandbox = tree();
    for (algorithm, expected) in [(&[][..], MANIFEST), (ALGORITHM, OLD)] {
        sandbox.tag(&[algorithm, V1, &["--exclude", "*.o", "-f", "-o", "m", "t"]].concat()).good();
        assert_eq!(String::from_utf8(sandbox.read("m")).expect("UTF-8"), expected);
        sandbox.verify(&["--quiet", "m"]).good().prints("");
    }
}

/// A label adds one line to the header and changes nothing but the MAC. The MACs are from another program.
#[test]
fn a_labelled_manifest_is_byte_for_byte_the_expected_one() {
    let label = "web server, Brno\\\u{202e}";
    let sandbox = tree();
    for (algorithm, plain, mac) in [
        (&[][..], MANIFEST, "3b7547b43546ed8a06684ef04cd22a33"),
        (ALGORITHM, OLD, "61a3c6cb73fc8461c1310e1857a06f26"),
    ] {
        let (text, _) = plain.rsplit_once("mac ").expect("a last line");
        let key_id = "key-id d27bd12377ec6434\n";
        let line = r"label web server, Brno\\\xe2\x80\xae";
        let expected = format!("{}mac {mac}\n", text.replace(key_id, &format!("{key_id}{line}\n")));
        let args = [algorithm, V1, &["--exclude", "*.o", "-f", "-o", "m", "--label", label, "t"]].concat();
        sandbox.tag(&args).good();
        assert_eq!(String::from_utf8(sandbox.read("m")).expect("UTF-8"), expected);
        sandbox.verify(&["--quiet", "--label", label, "m"]).good().prints("");
    }
}

#[test]
fn threads_backends_and_spellings_of_the_root_make_no_difference() {
    let sandbox = tree();
    let variants: [&[&str]; 7] = [
        &["--threads", "1", "t"],
        &["--threads", "2", "./t/"],
        &["--threads", "7", "t/.", "t"],
        &["--backend", "portable", "t"],
        &["-C", ".", ".//t"],
        &["-C", "t/..", "t"],
        &["--progress", "json", "t"],
    ];
    for args in variants {
        for (algorithm, expected) in [(&[][..], MANIFEST), (ALGORITHM, OLD)] {
            let run = sandbox.tag(&[algorithm, V1, &["--exclude", "*.o", "-o", "-"], args].concat());
            run.good().prints(expected);
        }
    }
}

#[test]
fn a_manifest_from_elsewhere_is_accepted() {
    for manifest in [MANIFEST, OLD] {
        let sandbox = tree();
        sandbox.write("m", manifest);
        sandbox.verify(&["--quiet", "m"]).good().prints("");
        fs::remove_file(sandbox.path("t/link")).expect("rm");
        symlink("../elsewhere", sandbox.path("t/link")).expect("symlink");
        sandbox.write("t/page", bytes(4095));
        sandbox.verify(&["--quiet", "m"]).mismatch().prints("t/link: changed\nt/page: changed\n");
    }
}

/// Flips one bit in the first, a middle or the last part of a file, whose length stays the same.
#[test]
fn a_bit_anywhere_in_a_large_file_is_noticed() {
    for manifest in [MANIFEST, OLD] {
        let sandbox = tree();
        sandbox.write("m", manifest);
        for at in [0, 5 << 20, 9_000_016] {
            let mut contents = bytes(9_000_017);
            contents[at] ^= 1;
            sandbox.write("t/large", contents);
            sandbox.verify(&["--quiet", "m"]).mismatch().prints("t/large: changed\n");
        }
    }
}

/// Tags of files with lengths around multiples of 2^20, where the command cuts them, against the definition.
#[test]
fn files_around_the_borders_of_segments() {
    let sandbox = Sandbox::new();
    let lengths = [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 * (1 << 20) + 5];
    lengths.iter().for_each(|&length| sandbox.write(format!("t/{length}"), bytes(length)));
    let key = std::array::from_fn(|i| 7 * i as u8 + 1);
    for (algorithm, mac) in [
        ("4-decbrwhash1305-hchacha20", carryless_reference::decbrw_file_mac as fn(&_, &_, &_) -> _),
        ("polyhash1305-hchacha20", carryless_reference::polyhash_file_mac),
    ] {
        let run = sandbox.tag(&["--manifest-version", "1", "--algorithm", algorithm, "-o", "-", "t"]);
        for length in lengths {
            let tag: [u8; 16] = mac(&key, "file", &bytes(length));
            let digits: String = tag.iter().map(|byte| format!("{byte:02x}")).collect();
            let line = format!("file {digits} {length} t/{length}\n");
            assert!(run.good().text().contains(&line), "{line} not in {}", run.text());
        }
    }
}
