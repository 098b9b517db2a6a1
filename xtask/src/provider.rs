//! `cargo xtask provider`: the provider for OpenSSL, used as applications use it.
//!
//! `--openssl PREFIX` takes another OpenSSL than the system's, `--oqs FOLDER` also shakes hands with the
//! `oqsprovider.so` in that folder, `--rounds N` sets the handshakes during which memory must not grow, and `--measure`
//! prints times.
mod peers;

use crate::report::{Outcome, Report, Stop, fail};
use crate::shell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Manifest of the provider, which is a workspace of its own.
const MANIFEST: &str = "crates/provider/Cargo.toml";

/// Rounds of keys and exchanges during which memory must not grow.
const ROUNDS: &str = "10000";

/// Handshakes during which memory must not grow, unless `--rounds` says otherwise.
const HANDSHAKES: &str = "2000";

/// Folders, and the OpenSSL that is used.
struct Places {
    target: PathBuf,
    /// Where OpenSSL is installed, unless it is the system's.
    openssl: Option<PathBuf>,
}

impl Places {
    /// The folder with `carryless.so`.
    fn modules(&self) -> PathBuf {
        self.target.join("modules")
    }

    /// A program that finds the libraries of this OpenSSL.
    fn program(&self, program: impl AsRef<Path>) -> Command {
        let mut command = shell::command(program.as_ref(), &[]);
        // A configuration of the system could load other providers.
        command.env("OPENSSL_CONF", "/dev/null");
        if let Some(prefix) = &self.openssl {
            command.env("LD_LIBRARY_PATH", prefix.join("lib"));
        }
        command
    }

    /// `openssl COMMAND`.
    fn bare_openssl(&self, name: &str) -> Command {
        let program = self.openssl.as_ref().map_or("openssl".into(), |prefix| prefix.join("bin/openssl"));
        let mut command = self.program(program);
        command.arg(name);
        command
    }

    /// `openssl COMMAND` with the provider loaded.
    fn openssl(&self, name: &str) -> Command {
        let mut command = self.bare_openssl(name);
        command.arg("-provider-path").arg(self.modules());
        command.args(["-provider", "default", "-provider", "carryless"]);
        command
    }

    /// Compiles a program of `crates/provider/tests`.
    fn compile(&self, name: &str) -> Result<PathBuf, Stop> {
        shell::need("gcc", "gcc")?;
        let program = self.target.join(name);
        let source = format!("crates/provider/tests/{name}.c");
        let mut command = shell::command("gcc", &["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O1", "-g"]);
        command.args(["-Wall", "-Wextra", "-Werror", &source, "-o"]).arg(&program);
        match &self.openssl {
            Some(prefix) => {
                command.arg("-I").arg(prefix.join("include")).arg("-L").arg(prefix.join("lib"));
            }
            None if !shell::succeeds(
                "gcc",
                &["-x", "c", "-E", "-include", "openssl/provider.h", "/dev/null"],
            ) =>
            {
                let why = "OpenSSL's headers are not installed; Debian: apt-get install libssl-dev";
                return Err(Stop::NotExercised(why.into()));
            }
            None => {}
        }
        shell::run(command.args(["-lssl", "-lcrypto"]))?;
        Ok(program)
    }
}

pub(crate) fn run(report: &mut Report, args: &[String]) {
    if !cfg!(target_os = "linux") {
        let why = "the provider is built and tried out on Linux";
        return report.step("provider", || Err(Stop::NotExercised(why.into())));
    }
    let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
    let places = Places {
        target: shell::target_dir().join("provider"),
        openssl: value("--openssl").map(PathBuf::from),
    };
    let mut built = false;
    report.step("build", || {
        build(&places)?;
        built = true;
        Ok(())
    });
    if !built {
        return;
    }
    if args.iter().any(|arg| arg == "--measure") {
        return report.step("times in nanoseconds", || measure(&places));
    }
    report.step("unit tests", || {
        let mut test = shell::cargo(&["test", "--release", "--locked", "--lib", "--manifest-path", MANIFEST]);
        shell::run_tests(test.arg("--target-dir").arg(&places.target))
    });
    report.step("keys and KEMs through EVP", || evp(&places));
    report.step("the same and handshakes under valgrind", || valgrind(&places));
    report.step("memory does not grow", || {
        shell::run(places.program(places.compile("evp")?).arg(places.modules()).arg(ROUNDS))
    });
    report.step("handshakes in memory", || handshakes(&places, [("carryless", &places.modules()); 2]));
    report.step("memory does not grow by handshakes", || {
        let modules = places.modules();
        let mut command = places.program(places.compile("tls")?);
        for _ in 0..2 {
            command.arg(&modules).arg("carryless");
        }
        shell::run(command.arg("rounds").arg(value("--rounds").map_or(HANDSHAKES, String::as_str)))
    });
    report.step("openssl s_server and s_client", || peers::commands(&places));
    report.step("rustls and openssl s_server", || peers::rustls_client(&places));
    report.step("openssl s_client and rustls", || peers::rustls_server(&places));
    report.step("curl and openssl s_server", || peers::curl(&places));
    report.step("numbers in the configuration", || configuration(&places));
    if let Some(folder) = value("--oqs").map(PathBuf::from) {
        let (ours, theirs) = (("carryless", &places.modules()), ("oqsprovider", &folder));
        report.step("handshakes with oqs-provider as client", || handshakes(&places, [ours, theirs]));
        report.step("handshakes with oqs-provider as server", || handshakes(&places, [theirs, ours]));
    }
}

/// Builds the provider and the example that its results are compared with.
fn build(places: &Places) -> Outcome {
    let mut build = shell::cargo(&["build", "--release", "--locked", "--lib", "--example", "direct"]);
    shell::run(build.args(["--manifest-path", MANIFEST, "--target-dir"]).arg(&places.target))?;
    let library = places.target.join("release/libcarryless_provider.so");
    let copied = std::fs::create_dir_all(places.modules())
        .and_then(|()| std::fs::copy(&library, places.modules().join("carryless.so")));
    copied.map(drop).map_err(|error| Stop::Failed(format!("{}: {error}", library.display())))
}

/// Runs what the crate `carryless-hqc` computes without OpenSSL.
fn direct(places: &Places, what: &str) -> Result<String, Stop> {
    shell::output(places.program(places.target.join("release/examples/direct")).arg(what))
}

/// Runs the test of EVP, which prints digests of its bytes; those must be the crate's.
fn evp(places: &Places) -> Outcome {
    let program = places.compile("evp")?;
    let through_evp = shell::output(places.program(program).arg(places.modules()))?;
    let expected = direct(places, "known")?;
    if through_evp == expected { Ok(()) } else { fail(format!("bytes differ:\n{through_evp}{expected}")) }
}

fn valgrind(places: &Places) -> Outcome {
    shell::need("valgrind", "valgrind")?;
    let modules = places.modules();
    let sides = [modules.as_os_str(), "carryless".as_ref(), modules.as_os_str(), "carryless".as_ref()];
    for (name, arguments) in [("evp", &sides[..1]), ("tls", &sides)] {
        let program = places.compile(name)?;
        let mut command = places.program("valgrind");
        let kinds = "--errors-for-leak-kinds=definite,indirect,possible";
        command.args(["--quiet", "--error-exitcode=9", "--leak-check=full", kinds]);
        shell::run(command.arg(program).args(arguments))?;
    }
    Ok(())
}

/// Shakes hands in all groups, between a server and a client with these providers.
fn handshakes(places: &Places, sides: [(&str, &PathBuf); 2]) -> Outcome {
    let mut command = places.program(places.compile("tls")?);
    for (provider, folder) in sides {
        command.arg(folder).arg(provider);
    }
    shell::run(&mut command)
}

/// Loads the provider by a configuration, which gives HQC-1 another object identifier.
fn configuration(places: &Places) -> Outcome {
    let (file, key) = (places.target.join("openssl.cnf"), places.target.join("configured.der"));
    let module = places.modules().join("carryless.so");
    let sections = format!(
        "openssl_conf = init\n[init]\nproviders = all\n[all]\ndefault = standard\ncarryless = ours\n\
         [standard]\nactivate = 1\n[ours]\nactivate = 1\nmodule = {}\n",
        module.display()
    );
    // Without `-provider`, so that the command has only what the file loads.
    let generate = || {
        let mut command = places.bare_openssl("genpkey");
        command.env("OPENSSL_CONF", &file).args(["-algorithm", "HQC-1", "-outform", "DER", "-out"]);
        command.arg(&key);
        command
    };
    shell::write(&file, format!("{sections}oid-hqc1 = 1.3.6.1.4.1.99999.1\n"))?;
    shell::run(&mut generate())?;
    let der = std::fs::read(&key).map_err(|error| Stop::Failed(format!("{}: {error}", key.display())))?;
    // The identifier in DER: its tag, its length, and 99999 in base 128.
    let oid = [6, 9, 0x2b, 6, 1, 4, 1, 0x86, 0x8d, 0x1f, 1];
    if !der.windows(oid.len()).any(|window| window == oid) {
        return fail("the key file does not have the identifier of the configuration");
    }
    shell::write(&file, format!("{sections}oid-hqc1 = one\n"))?;
    match shell::run(&mut generate()) {
        Err(_) => Ok(()),
        Ok(()) => fail("an identifier that is none was accepted"),
    }
}

/// Prints the times of the crate, and of the same through EVP.
fn measure(places: &Places) -> Outcome {
    println!("{:<12} {:>10} {:>10} {:>10}", "", "generate", "encapsulate", "decapsulate");
    println!("carryless-hqc\n{}through EVP", direct(places, "speed")?);
    let program = places.compile("speed")?;
    shell::run(places.program(program).arg(places.modules()).args(["carryless", "HQC-1", "HQC-3", "HQC-5"]))
}
