//! `cargo xtask npm`: the modules of the npm package, their sizes, and tests in Node, under bundlers and in a browser.
mod users;

use crate::notice::{self, Linked};
use crate::report::{Outcome, Report, Stop, fail};
use crate::shell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The modules, and the most bytes of each after gzip.
const MODULES: [(&str, usize); 4] = [("mac", 69_000), ("aead", 40_000), ("gf2x", 220_000), ("hqc", 300_000)];

/// Version of wasm-bindgen. The crate and the program must have the same, or the program refuses the module.
pub(crate) const BINDGEN: &str = "0.2.130";

const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// What is linked into the modules, and its licences.
const NOTICE: &str = "NOTICE";

/// Files of the package that all modules import, and the README.
const SHARED: [&str; 8] = [
    NOTICE,
    "arguments.js",
    "arguments.d.ts",
    "pkg/arguments.d.cts",
    "handle.js",
    "load.js",
    "load.d.ts",
    "README.md",
];

const TARGET: &str = "wasm32-unknown-unknown";

pub(crate) fn run(report: &mut Report, _: &[String]) {
    for (name, prepare) in
        [("npm: modules", modules as fn() -> Outcome), ("npm: tools", tools), ("npm: entries", entries)]
    {
        let mut done = false;
        report.step(name, || prepare().inspect(|()| done = true));
        // The steps that follow need what it makes.
        if !done {
            return;
        }
    }
    report.step("npm: sizes", sizes);
    report.step("npm: tests in Node", in_node);
    report.step("npm: package", users::package);
    report.step("npm: types by tsc", users::types);
    report.step("npm: bundlers", users::bundlers);
    report.step("npm: tests in Chromium", users::in_browser);
}

/// Makes the package and packs it into a folder.
pub(crate) fn pack(folder: &Path) -> Result<PathBuf, Stop> {
    modules()?;
    tools()?;
    entries()?;
    users::pack(folder).map(|(archive, _)| archive)
}

/// Opens pages of the package in this archive, also by bundlers. Needs the tools that [`pack`] installed.
pub(crate) fn in_browser(archive: &Path) -> Outcome {
    users::install(archive)?;
    users::bundlers()?;
    users::in_browser()
}

fn folder() -> PathBuf {
    shell::root().join("wasm")
}

/// The folder of the package.
fn npm() -> PathBuf {
    folder().join("npm")
}

/// The folder where the tools of wasm/tools are installed, with the package beside them as its users have it.
fn tools_folder() -> PathBuf {
    shell::target_dir().join("npm/tools")
}

/// A command of Node that runs one of the tools, given by the path of its program in their folder.
fn tool(program: &str, args: &[&str]) -> Command {
    let mut command = shell::command("node", &[]);
    command.arg(tools_folder().join(program)).args(args).current_dir(tools_folder());
    command
}

fn copy(from: &Path, to: &Path) -> Outcome {
    std::fs::copy(from, to).map(|_| ()).map_err(shell::failed(from))
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
        // Users see the hand-written types beside the modules that check arguments, not generated ones. Without a
        // default path no bundler copies a module that the page does not use.
        let options = [
            "--target=web",
            "--no-typescript",
            "--omit-default-module-path",
            "--remove-name-section",
            "--remove-producers-section",
            "--out-dir",
        ];
        let mut bindgen = shell::command("wasm-bindgen", &options);
        shell::run(bindgen.arg(npm().join("pkg").join(module)).arg(wasm))?;
    }
    // The licences are copied, because npm does not follow links.
    for licence in LICENCES {
        copy(&shell::root().join(licence), &npm().join(licence))?;
    }
    let notices = MODULES.map(|(module, _)| {
        let package = format!("carryless-wasm-{module}");
        let linked =
            Linked { manifest: "wasm/Cargo.toml", package: &package, target: TARGET, ..Linked::default() };
        Ok(format!("Module {module}\n\n{}", notice::packages(&linked)?))
    });
    let notices: Result<Vec<String>, Stop> = notices.into_iter().collect();
    shell::write(&npm().join(NOTICE), notices?.join("\n") + &notice::standard(&notice::standard_library()?))
}

/// Installs the tools in the versions of the lock file, unless they are.
fn tools() -> Outcome {
    shell::need("node", "nodejs")?;
    shell::need("npm", "npm")?;
    let read = |file: PathBuf| std::fs::read(&file).map_err(shell::failed(&file));
    let lock = read(folder().join("tools/package-lock.json"))?;
    let (here, installed) = (tools_folder(), tools_folder().join("installed.json"));
    if std::fs::read(&installed).is_ok_and(|there| there == lock) {
        return Ok(());
    }
    shell::write(&here.join("package-lock.json"), &lock)?;
    shell::write(&here.join("package.json"), read(folder().join("tools/package.json"))?)?;
    let mut install = shell::command("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    if shell::run(install.current_dir(&here)).is_err() {
        return Err(Stop::NotExercised("npm cannot install wasm/tools/package-lock.json".into()));
    }
    shell::write(&installed, lock)
}

/// Writes the entries that are made of others: the modules in base64, CommonJS, and its types.
fn entries() -> Outcome {
    let pkg = npm().join("pkg");
    let esbuild = |options: &[&str], from: PathBuf, to: PathBuf| {
        let mut command = tool("node_modules/esbuild/bin/esbuild", &["--bundle", "--log-level=warning"]);
        shell::run(command.args(options).arg(from).arg(format!("--outfile={}", to.display())))
    };
    let types = |name: &str, to: String| {
        let file = npm().join(format!("{name}.d.ts"));
        let text = std::fs::read_to_string(&file).map_err(shell::failed(&file))?;
        shell::write(&pkg.join(to), text.replace("\"./arguments.js\"", "\"./arguments.cjs\""))
    };
    for (module, _) in MODULES {
        let own = pkg.join(module);
        let wasm = own.join(format!("carryless_wasm_{module}_bg.wasm"));
        esbuild(&["--format=esm", "--loader:.wasm=base64"], wasm, own.join("base64.js"))?;
        let inline = npm().join("inline").join(format!("{module}.js"));
        let common = ["--format=cjs", "--platform=node", "--target=node20"];
        esbuild(&common, inline, pkg.join(format!("{module}.cjs")))?;
        types(module, format!("{module}.d.cts"))?;
    }
    types("arguments", "arguments.d.cts".into())
}

/// Checks the size of each module after gzip, as it is sent to a browser: the wasm, the generated JavaScript, and ours.
fn sizes() -> Outcome {
    let mut over = vec![];
    for (module, most) in MODULES {
        let generated = format!("pkg/{module}/carryless_wasm_{module}");
        let [wasm, script] = [format!("{generated}_bg.wasm"), format!("{generated}.js")];
        let own = [format!("web/{module}.js"), format!("modules/{module}.js"), format!("{module}.js")];
        // In full for every module, since a page may load only one.
        let shared = ["arguments.js", "handle.js", "load.js"].map(String::from);
        let sizes: Result<Vec<usize>, Stop> = [wasm, script]
            .into_iter()
            .chain(own)
            .chain(shared)
            .map(|file| gzipped(&npm().join(file)))
            .collect();
        let sizes = sizes?;
        let size: usize = sizes.iter().sum();
        println!("{module:<6} {size:>8} bytes of at most {most}, of which wasm {}", sizes[0]);
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
    let files = ["node", "entries", "init"].map(|name| format!("test/{name}.test.js"));
    shell::run(shell::command("node", &["--test"]).args(files).current_dir(npm()))
}
