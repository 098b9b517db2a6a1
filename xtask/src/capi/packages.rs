//! Users that find the installed library by the files of a package manager or a build system.
use super::{Places, failed};
use crate::report::Outcome;
use crate::shell;

/// Builds and runs the examples by their CMake project, with the shared and with the static library.
pub(super) fn cmake(places: &Places) -> Outcome {
    shell::need("cmake", "cmake")?;
    for (name, target) in [("shared", "carryless::carryless"), ("static", "carryless::static")] {
        let build = places.target.join(format!("cmake-{name}"));
        // CMake would take the paths of an earlier library from its cache.
        let _ = std::fs::remove_dir_all(&build);
        std::fs::create_dir_all(&build).map_err(failed(&build))?;
        let mut configure = shell::command("cmake", &["-S", "examples/c", "-B"]);
        configure.arg(&build).arg(format!("-DCMAKE_PREFIX_PATH={}", places.prefix.display()));
        shell::run(configure.arg(format!("-DCARRYLESS_TARGET={target}")))?;
        shell::run(shell::command("cmake", &["--build"]).arg(&build))?;
        // Programs of a build tree know the folder of the library.
        shell::run(shell::command("ctest", &["--output-on-failure", "--test-dir"]).arg(&build))?;
    }
    Ok(())
}
