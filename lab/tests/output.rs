//! Where the command prints what, and that a closed output is an error without a panic.
#[path = "../../crates/cli/tests/common/mod.rs"]
mod common;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use common::{Sandbox, run_in_shell, run_into_closed_pipe};

/// Commands that succeed and print something, for tests of an output that cannot be written.
const PRINTING: &[&[&str]] = &[
    &["hash", "--key-file", "raw", "t/a"],
    &["info"],
    &["info", "--json"],
    &["bench", "--list", "poly1305"],
    &["help", "vectors"],
    &["--version"],
];

/// A folder with the key file `raw` and the message `t/a`.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "hello\n");
    sandbox.write("raw", "02000000000000000000000000000000");
    fs::set_permissions(sandbox.path("raw"), Permissions::from_mode(0o600)).expect("chmod");
    sandbox
}

#[test]
fn an_output_that_is_closed_or_full_is_an_error() {
    let sandbox = sandbox();
    for args in PRINTING {
        run_in_shell(&sandbox, args, ">&-").trouble("standard output was closed");
        run_in_shell(&sandbox, args, "1<>/dev/null").good();
        let run = run_in_shell(&sandbox, args, ">/dev/full");
        assert_eq!((run.status, run.err.lines().count()), (2, 1), "{args:?}: {}", run.err);
        assert!(run.err.contains("cannot write to standard output"), "{args:?}: {}", run.err);
        let run = run_into_closed_pipe(&sandbox, args);
        assert!(!run.err.contains("panicked"), "{args:?}: {}", run.err);
    }
}

#[test]
fn errors_are_objects_under_json() {
    let sandbox = sandbox();
    sandbox.write("bad", "x");
    for (args, text) in [
        (&["hash", "--json", "--key-file", "bad", "t/a"], "others may read"),
        (&["vectors", "--json", "bad", "--backend", "soft"], "bad: "),
    ] {
        let run = sandbox.run(args);
        let error: serde_json::Value = serde_json::from_str(&run.trouble(text).text()).expect("JSON");
        assert!(error["error"].as_str().is_some_and(|error| error.contains(text)), "{error}");
    }
}

#[test]
fn bench_ends_quietly_when_nobody_reads_and_refuses_what_fits_in_no_memory() {
    let sandbox = Sandbox::new();
    let run = run_into_closed_pipe(&sandbox, &["bench", "--list", "poly1305"]);
    assert_eq!((run.status, run.err.as_str()), (2, ""));
    let run = sandbox.run(&["bench", "poly1305", "--lengths", "99999999999999"]);
    assert_eq!((run.status, run.err.lines().count()), (2, 1), "{}", run.err);
    let run = sandbox.run(&["bench", "paper001", "--seconds", "0"]);
    assert_eq!((run.status, run.err.as_str()), (2, "error: seconds must be positive\n"));
}
