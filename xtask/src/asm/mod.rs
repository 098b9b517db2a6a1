//! `cargo xtask asm`: counts the instructions of the kernels in the release build and holds them to a table.
//!
//! A generic kernel that is not inlined, or a product that the optimiser rewrote, still computes the right value,
//! many times slower, and no compiler warning tells. This does.
mod addresses;
mod count;
mod disassemble;
mod mca;
mod names;
mod operands;
mod row;
mod rules;
mod table;
#[cfg(test)]
mod tests;

use crate::report::{Outcome, Report, Stop, fail};
use crate::shell;
use count::Counts;
use disassemble::Function;
use std::path::PathBuf;
use table::Table;

/// The target of `--list` without `--target`.
const X86_64: &str = "x86_64-unknown-linux-gnu";

/// What the command line asks for.
#[derive(Default)]
struct Options {
    list: bool,
    table: bool,
    loops: bool,
    mca: Option<String>,
    target: Option<String>,
    file: Option<PathBuf>,
    patterns: Vec<String>,
}

pub(crate) fn run(report: &mut Report, args: &[String]) {
    let options = Options::parse(args).map_err(Stop::Failed);
    let (options, table) = match options.and_then(|options| Ok((options, Table::read()?))) {
        Ok(both) => both,
        Err(why) => return report.step("asm", || Err(why)),
    };
    let targets: Vec<&str> = match &options.target {
        Some(target) => vec![target],
        None if options.list => vec![X86_64],
        None => table.names.targets.iter().map(|target| target.triple.as_str()).collect(),
    };
    for target in targets {
        report.step(&format!("asm {target}"), || {
            let mut functions = Vec::new();
            for library in options.libraries(target)? {
                functions.extend(disassemble::file(&library, target)?);
            }
            match (options.table, options.list) {
                (true, _) => print_table(&functions, target, &table),
                (_, true) => options.print(&functions),
                _ => check(&functions, target, &table),
            }
        });
    }
}

impl Options {
    fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--list" => options.list = true,
                "--loops" => (options.list, options.loops) = (true, true),
                "--table" => options.table = true,
                "--mca" => {
                    options.list = true;
                    options.mca = Some(args.next().ok_or("--mca needs a CPU, as LLVM names it")?.clone());
                }
                "--target" => options.target = Some(args.next().ok_or("--target needs a value")?.clone()),
                "--file" => options.file = Some(args.next().ok_or("--file needs a value")?.into()),
                flag if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
                pattern => options.patterns.push(pattern.into()),
            }
        }
        Ok(options)
    }

    fn libraries(&self, target: &str) -> Result<Vec<PathBuf>, Stop> {
        self.file.clone().map_or_else(|| build(target), |file| Ok(vec![file]))
    }

    /// Without a pattern, the kernels; with patterns, every function whose name contains them all.
    fn print(&self, functions: &[Function]) -> Outcome {
        let wanted = |f: &&Function| match self.patterns.is_empty() {
            true => f.is_kernel(),
            false => self.patterns.iter().all(|pattern| f.name.contains(pattern)),
        };
        let mut any = false;
        for function in functions.iter().filter(wanted) {
            any = true;
            println!("{}\n    {}", function.name, Counts::of(&function.body));
            for (name, times) in count::call_targets(&function.body) {
                println!("    calls {name} {times} times");
            }
            for (nr, body) in function.loops().iter().enumerate().filter(|_| self.loops) {
                println!("    innermost loop {}: {}", nr + 1, Counts::of(body));
            }
            if let Some(cpu) = &self.mca {
                println!("    {cpu}: {}", mca::predict(function, cpu)?);
            }
        }
        if any { Ok(()) } else { fail("no function matches") }
    }
}

/// Builds the libraries with the release profile and names that show the types of generic functions.
///
/// Link-time optimisation across crates is off because it leaves no machine code in the library. Within a crate it
/// stays on, as in Cargo's default profile: it inlines functions of the standard library that are not `#[inline]`,
/// such as `Zip::new`, across codegen units.
fn build(target: &str) -> Result<Vec<PathBuf>, Stop> {
    let folder = shell::target_dir().join("asm");
    shell::need_target(target)?;
    let packages =
        ["--package", "carryless-hash", "--package", "carryless-gf2", "--package", "carryless-hqc"];
    let mut build = shell::cargo(&["build", "--release", "--target", target]);
    // The table also holds kernels that no threshold chooses.
    build.args(packages).args(["--features", "research-kernels"]);
    build
        .env("RUSTFLAGS", "-Csymbol-mangling-version=v0 --cfg=carryless_asm")
        .env("CARGO_PROFILE_RELEASE_LTO", "false");
    shell::run(build.env("CARGO_TARGET_DIR", &folder))?;
    let library = |name: &str| folder.join(target).join("release").join(name);
    Ok(["libcarryless_hash.rlib", "libcarryless_gf2.rlib", "libcarryless_hqc.rlib"].map(library).into())
}

/// Prints a row for each kernel that holds for it as it is compiled now.
fn print_table(functions: &[Function], target: &str, table: &Table) -> Outcome {
    let Some(names) = table.names.targets.iter().find(|known| known.triple == target) else {
        return fail(format!("{} has no target {target}", names::NAMES));
    };
    functions.iter().filter(|f| f.is_kernel()).for_each(|kernel| println!("{}", rules::row(kernel, names)));
    Ok(())
}

/// Checks every kernel against the table. With another compiler than that of the counts, the only check is
/// that no kernel makes calls.
fn check(functions: &[Function], target: &str, table: &Table) -> Outcome {
    let kernels: Vec<&Function> = functions.iter().filter(|f| f.is_kernel()).collect();
    // If names of symbols change their form, nothing is found and every check would pass.
    if kernels.is_empty() {
        return fail("no kernel was found");
    }
    let compiler = shell::output(&mut shell::command("rustc", &["--version"]))?;
    // Each release of the compiler chooses and orders instructions in its own way.
    let counted = compiler.starts_with(&table.names.compiler);
    let mut complaints = Vec::new();
    for kernel in &kernels {
        let broken = if counted { broken(kernel, target, table) } else { rules::complaints(kernel, &[]) };
        println!("{} {}", if broken.is_empty() { "ok    " } else { "WRONG " }, kernel.name);
        complaints.extend(broken.into_iter().map(|what| format!("{}: {what}", kernel.name)));
    }
    if counted {
        complaints.extend(rules::unused(&table.rules, &kernels, target));
        complaints.extend(operands::unused(&table.limits, &kernels, target));
    }
    complaints.iter().for_each(|line| println!("{line}"));
    println!("{} kernels, {} complaints", kernels.len(), complaints.len());
    match (complaints.len(), counted) {
        (0, true) => Ok(()),
        // Not a failure: another compiler may be right with other counts.
        (0, false) => Err(Stop::NotExercised(format!(
            "no kernel has a call, but no count was compared: they are of {}*, and this is {}",
            table.names.compiler,
            compiler.trim()
        ))),
        (many, _) => fail(format!("{many} complaints")),
    }
}

/// Returns what is wrong with a kernel by the rules and limits of the table.
fn broken(kernel: &Function, target: &str, table: &Table) -> Vec<String> {
    let rules: Vec<_> = table.rules.iter().filter(|rule| rule.applies(target, &kernel.name)).collect();
    let mut broken = rules::complaints(kernel, &rules);
    if rules.is_empty() {
        broken.push("it is not in the table".into());
    }
    broken.extend(operands::complaints(&table.limits, kernel, target));
    broken
}
