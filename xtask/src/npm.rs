//! `cargo xtask npm`: the modules of the npm package, their sizes, and tests in Node and in a browser.
use crate::report::{Outcome, Report, Stop, fail};
use crate::shell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The modules, and the most bytes of each after gzip.
const MODULES: [(&str, usize); 3] = [("mac", 80_000), ("gf2x", 220_000), ("hqc", 300_000)];

/// Version of wasm-bindgen. The crate and the program must have the same, or the program refuses the module.
const BINDGEN: &str = "0.2.130";

const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// Files of the package that all modules import, and the README.
const SHARED: [&str; 5] = ["arguments.js", "arguments.d.ts", "handle.js", "load.js", "README.md"];

const TARGET: &str = "wasm32-unknown-unknown";

pub(crate) fn run(report: &mut Report, _: &[String]) {
    let mut built = false;
    report.step("npm: modules", || {
        modules()?;
        built = true;
        Ok(())
    });
    if !built {
        return;
    }
    report.step("npm: sizes", sizes);
    report.step("npm: tests in Node", in_node);
    report.step("npm: types by tsc", types);
    report.step("npm: tests in Chromium", in_browser);
    report.step("npm: package", package);
}

fn folder() -> PathBuf {
    shell::root().join("wasm")
}

/// Compiles the modules and writes what JavaScript needs beside them.
fn modules() -> Outcome {
    let version = format!("wasm-bindgen {BINDGEN}");
    let found = Command::new("wasm-bindgen").arg("--version").output();
    // A program that cannot be started has no version.
    if found.map_or(true, |found| String::from_utf8_lossy(&found.stdout).trim() != version) {
        let install = format!("cargo install wasm-bindgen-cli --version {BINDGEN}");
        return Err(Stop::NotExercised(format!("{version} is not installed; {install}")));
    }
    shell::need_target(TARGET)?;
    // It runs in that folder, whose `.cargo/config.toml` names the target and its features.
    let target = shell::target_dir().join("npm");
    let mut build = shell::cargo(&["build", "--release", "--locked", "--target-dir"]);
    shell::run(build.arg(&target).current_dir(folder()))?;
    for (module, _) in MODULES {
        let wasm = target.join(TARGET).join(format!("release/carryless_wasm_{module}.wasm"));
        // Users see the hand-written types beside the modules that check arguments, not generated ones.
        let mut bindgen =
            shell::command("wasm-bindgen", &["--target", "web", "--no-typescript", "--out-dir"]);
        shell::run(bindgen.arg(folder().join("npm/pkg").join(module)).arg(wasm))?;
    }
    // The licences are copied, because npm does not follow links.
    for licence in LICENCES {
        let copied = std::fs::copy(shell::root().join(licence), folder().join("npm").join(licence));
        copied.map_err(|error| Stop::Failed(format!("{licence}: {error}")))?;
    }
    Ok(())
}

/// Checks the size of each module after gzip, as it is sent to a browser: the wasm, the generated JavaScript, and ours.
fn sizes() -> Outcome {
    let mut over = vec![];
    for (module, most) in MODULES {
        let generated = format!("pkg/{module}/carryless_wasm_{module}");
        // In full for every module, since a page may load only one.
        let own = ["arguments.js", "handle.js", "load.js"].map(String::from);
        let files =
            [format!("{generated}_bg.wasm"), format!("{generated}.js"), format!("{module}.js")].into_iter();
        let sizes: Result<Vec<usize>, Stop> =
            files.chain(own).map(|file| gzipped(&folder().join("npm").join(file))).collect();
        let size: usize = sizes?.iter().sum();
        println!("{module:<6} {size:>8} bytes of at most {most}");
        if size > most {
            over.push(module);
        }
    }
    if over.is_empty() { Ok(()) } else { fail(format!("larger than they may be: {}", over.join(", "))) }
}

fn gzipped(file: &Path) -> Result<usize, Stop> {
    let out = Command::new("gzip").args(["-9", "-c"]).arg(file).output();
    match out {
        Ok(out) if out.status.success() => Ok(out.stdout.len()),
        _ => fail(format!("gzip of {}", file.display())),
    }
}

fn in_node() -> Outcome {
    shell::need("node", "nodejs")?;
    shell::run(shell::command("node", &["--test", "test/node.test.js"]).current_dir(folder().join("npm")))
}

/// Checks a TypeScript program that uses the whole interface, in strict mode.
fn types() -> Outcome {
    if !shell::succeeds("tsc", &["--version"]) {
        return Err(Stop::NotExercised("tsc is not installed; npm install --global typescript".into()));
    }
    shell::run(shell::command("tsc", &["--project", "test/tsconfig.json"]).current_dir(folder().join("npm")))
}

fn in_browser() -> Outcome {
    shell::need("chromium", "chromium")?;
    shell::need("node", "nodejs")?;
    shell::run(shell::command("node", &["test/browser.mjs", "chromium"]).current_dir(folder().join("npm")))
}

/// Checks that `npm pack` lists every file of the package and no test.
fn package() -> Outcome {
    shell::need("npm", "npm")?;
    let mut pack = shell::command("npm", &["pack", "--dry-run", "--json"]);
    let listed = shell::output(pack.current_dir(folder().join("npm")))?;
    let modules = MODULES.iter().flat_map(|(module, _)| {
        ["js", "d.ts"]
            .map(|suffix| format!("{module}.{suffix}"))
            .into_iter()
            .chain([format!("pkg/{module}/carryless_wasm_{module}_bg.wasm")])
    });
    let wanted: Vec<String> = modules.chain(SHARED.into_iter().chain(LICENCES).map(String::from)).collect();
    let missing: Vec<&String> =
        wanted.iter().filter(|name| !listed.contains(&format!("\"path\": \"{name}\""))).collect();
    if !missing.is_empty() {
        return fail(format!("not in the package: {missing:?}"));
    }
    if listed.contains("\"path\": \"test/") { fail("tests are in the package") } else { Ok(()) }
}
