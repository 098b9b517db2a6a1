//! `carryless-lab explain` and `carryless-lab tune`.
#[path = "../../crates/cli/tests/common/mod.rs"]
mod common;

use common::Sandbox;

#[test]
fn plans_are_explained() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["explain", "poly", "--backend", "soft", "1536"]);
    let text = run.good().text();
    assert!(
        text.starts_with("soft: 1536 x 1536 bits, Karat2(Karat2(384)) of 1536 bits, 162 carry-less"),
        "{text}"
    );
    for line in [
        "products  162 of words\n",
        "1 x 1536 bits: Karat2\n  3 x 768 bits: Karat2\n    9 x 384 bits: leaf\n",
    ] {
        assert!(text.contains(line), "{line:?} not in {text}");
    }
    assert!(
        text.lines().any(|line| line.starts_with("time ") && line.contains("in the median of")),
        "{text}"
    );

    let run = sandbox.run(&["explain", "poly", "--json", "64", "1"]);
    let value: serde_json::Value = serde_json::from_str(&run.good().text()).expect("JSON");
    assert_eq!((&value["products"], &value["words"]), (&1.into(), &serde_json::json!([1, 1])));
    assert_eq!(value["levels"], serde_json::json!([{"count": 1, "bits": 64, "method": "leaf"}]));
    assert!(value["min_ns"].as_f64() <= value["median_ns"].as_f64());
    sandbox.run(&["explain", "poly", "1000", "70000"]).good();

    sandbox.run(&["explain", "poly", "--backend", "abacus", "64"]).trouble("here; this CPU has soft");
    for args in [&["explain"][..], &["explain", "poly"], &["explain", "poly", "0"]] {
        assert_eq!(sandbox.run(args).status, 2, "{args:?}");
    }
}

/// A measured table of this CPU can be read back, and plans follow it.
#[test]
fn tables_are_measured_and_obeyed() {
    let sandbox = Sandbox::new();
    let table = sandbox.run(&["tune", "--seconds", "1"]).good().text();
    assert_eq!(table.lines().filter(|line| line.starts_with("transform(")).count(), 4, "{table}");
    assert!(table.lines().any(|line| line.starts_with("chain(8, 0, 0, 1, ")), "{table}");
    sandbox.write("table", &table);
    let run = sandbox.run(&["explain", "poly", "--costs", "table", "--json", "17669"]);
    let value: serde_json::Value = serde_json::from_str(&run.good().text()).expect("JSON");
    assert!(value["predicted_ns"].as_f64() > Some(0.0));

    // The table has one chain, which serves all shorter operands. Backends of several lanes have kernels for some of them,
    // which need no table.
    let transforms = "transform(1000000, 1)\n".repeat(4);
    sandbox.write("own", format!("{transforms}chain(30, 0, 0, 5, 0, 6, 1234567)\n"));
    let own = ["explain", "poly", "--backend", "soft", "--costs", "own", "1500"];
    let text = sandbox.run(&own).good().text();
    assert!(text.contains("Karat5(384) of 1920 bits") && text.contains("predicted 1.26 us"), "{text}");

    // The shortest table allowed serves the longest operands, by levels of Toom3 above its chain. Shorter
    // tables are refused.
    sandbox.write("short", format!("{transforms}chain(24, 0, 0, 3, 0, 8, 5)\n"));
    sandbox.run(&["explain", "poly", "--costs", "short", "1000000"]).good();
    sandbox.write("shorter", format!("{transforms}chain(16, 0, 0, 1, 1, 8, 5)\n"));
    sandbox
        .run(&["explain", "poly", "--costs", "shorter", "64"])
        .trouble("chains from short to long, the longest of 24 words or more");

    sandbox.write("broken", table.replace("chain(8,", "chain(7,"));
    sandbox
        .run(&["explain", "poly", "--costs", "broken", "64"])
        .trouble("broken is not a table of `carryless-lab tune`");
    sandbox.run(&["explain", "poly", "--costs", "nowhere", "64"]).trouble("cannot read nowhere");
    sandbox.run(&["tune", "--backend", "abacus"]).trouble("here; this CPU has soft");
    sandbox.run(&["tune", "hash", "--backend", "abacus"]).trouble("here; this CPU has portable");
    let table = sandbox.run(&["tune", "hash", "--backend", "portable", "--seconds", "1"]).good().text();
    let rows: Vec<_> = table.lines().filter(|line| line.ends_with("64-bit words, block by block")).collect();
    assert_eq!(rows.len(), 97, "{table}");
    // The portable backend has words alone: one kernel a length, which is the chosen one.
    assert!(table.contains("# the chosen kernel takes at most 1.000 of the fastest"), "{table}");
    let all =
        sandbox.run(&["tune", "hash", "--all", "--backend", "portable", "--seconds", "1"]).good().text();
    let every: Vec<_> =
        all.lines().filter(|line| line.ends_with("1.000  64-bit words, block by block, portable")).collect();
    assert_eq!(every.len(), 97, "{all}");
    sandbox.run(&["tune", "--all", "--seconds", "1"]).trouble("--all is for `tune hash`");
    let table = ["explain", "poly", "--costs", "/dev/zero", "64"];
    sandbox.run(&table).trouble("cannot read /dev/zero: longer than 1 MiB");
}

#[test]
fn fields_are_explained() {
    let sandbox = Sandbox::new();
    let text = sandbox.run(&["explain", "field", "--backend", "soft", "571"]).good().text();
    for line in [
        "f         exponents 571, 10, 5, 2, 0\n",
        "backend   soft\nelements  9 words of 64 bits\n",
        "reduction by products with one word\n",
        "products  38 of words, 11 for the reduction; 1 shifts\n",
    ] {
        assert!(text.contains(line), "{line:?} not in {text}");
    }
    let run = sandbox.run(&["explain", "field", "--json", "--poly", "128,127,126,121,0"]);
    let value: serde_json::Value = serde_json::from_str(&run.good().text()).expect("JSON");
    assert_eq!((&value["words"], &value["products"]), (&2.into(), &serde_json::json!([3, 6])));
    assert_eq!(value["times"].as_array().map(Vec::len), Some(4));
    sandbox.run(&["explain", "field", "7"]).trouble("no field is called \"7\"");
}

#[test]
fn a_curve_is_explained_by_any_of_its_names() {
    let sandbox = Sandbox::new();
    for name in ["K-283", "k-283", "sect283k1", "ANSIT283K1"] {
        let run = sandbox.run(&["explain", "curve", name]);
        let text = run.good().text();
        for line in [
            "curve     sect283k1, K-283, ansit283k1",
            "oid       1.3.132.0.16",
            "equation  y^2 + x y = x^3 + 1",
            "field     GF(2^283), f = z^283 + z^12 + z^7 + z^5 + 1",
            "order     n of 281 bits, cofactor 4: the curve has 4 n points",
            "bytes     secret key 36, shared secret 36, point 73, compressed 37",
            "k P       digits to the base tau: 712 products, 1047 squares, 3 powers a^(2^k), 2 inversions",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} not in {text}");
        }
    }
    let run = sandbox.run(&["explain", "curve", "--json", "gls254"]);
    let json: serde_json::Value = serde_json::from_slice(&run.good().out).expect("JSON");
    assert_eq!(json["equation"], "y^2 + x y = x^3 + a x^2 + b");
    assert_eq!(json["field"], "GF(2^254), f = z^127 + z^63 + 1, and u^2 = u + 1");
    assert_eq!(json["oid"], serde_json::Value::Null);
    assert_eq!(json["mul"]["method"], "halves of k by an endomorphism");
    assert_eq!(json["mul"]["products"], 31 * (4 * 4 + 1 + 9) + 32 * 9 + 3 * 5 + 7 * 9 + 8 * 5 + 7);
    let run = sandbox.run(&["explain", "curve", "--json", "relic-b257"]);
    let json: serde_json::Value = serde_json::from_slice(&run.good().out).expect("JSON");
    assert_eq!(json["mul"]["method"], "ladder of Lopez and Dahab");
    assert_eq!(json["mul"]["products"], 6 * json["order_bits"].as_u64().expect("bits") + 11);
    let run = sandbox.run(&["explain", "curve", "P-256"]);
    assert!(run.status == 2 && run.err.contains("no curve is called \"P-256\""), "{}", run.err);
}

#[test]
fn a_scheme_is_explained() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["explain", "kem", "--json", "HQC-1"]);
    let json: serde_json::Value = serde_json::from_slice(&run.good().out).expect("JSON");
    assert_eq!((json["set"].as_str(), json["profile"].as_str()), (Some("HQC-1"), Some("nr")));
    for (pointer, value) in [
        ("/parameters/n", 17_669),
        ("/parameters/delta", 15),
        ("/bytes/seed", 32),
        ("/bytes/encapsulation_key", 2241),
        ("/bytes/decapsulation_key", 2321),
        ("/bytes/ciphertext", 4433),
        // 1 + 1 for the seeds, 17 for h, 3 for y and x.
        ("/operations/0/permutations", 22),
        // 17 for h, 17 for H(ek), 1 for theta, 7 for r2, e and r1.
        ("/operations/1/permutations", 42),
        // 3 for y and 33 for the rejection more.
        ("/operations/2/permutations", 78),
        ("/parts/0/counts/2", 3),
    ] {
        assert_eq!(json.pointer(pointer), Some(&serde_json::json!(value)), "{pointer}: {json}");
    }
    for list in ["parts", "operations"] {
        for entry in json[list].as_array().expect("a list") {
            let time = |name: &str| entry[name].as_f64().expect("a time");
            assert!(0.0 < time("min_ns") && time("min_ns") <= time("median_ns"), "{entry}");
        }
    }
    let run = sandbox.run(&["explain", "kem", "--profile", "v5", "--backend", "soft", "hqc-3"]);
    let text = run.good().text();
    for line in [
        "scheme    HQC-3, profile v5",
        "backend   soft",
        "code      Reed-Solomon [56, 24] over GF(2^8), 16 errors; 5 copies of Reed-Muller [128, 8]; 4480 bytes",
        "bytes     seed 32, encapsulation key 4514, decapsulation key 4602, ciphertext 8978, shared secret 32",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} not in {text}");
    }
    for set in ["hqc-128", "hqc-192", "hqc-256"] {
        sandbox.run(&["explain", "kem", set]).good();
    }
    sandbox.run(&["explain", "kem", "hqc-2"]).trouble("no parameter set is called \"hqc-2\"");
}
