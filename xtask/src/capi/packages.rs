//! Users that find the installed library by the files of a package manager or a build system.
use super::install::copy;
use super::{Places, failed};
use crate::report::{Outcome, Stop};
use crate::{archive, shell};
use std::path::{Path, PathBuf};

/// Groups that package managers build in the tests: few, because each builds anew in release.
const FEW: &str = "file-mac";

/// Builds and runs the examples by their CMake project, with the shared and with the static library. The folder of the build has
/// known the library in another prefix, which is gone.
pub(crate) fn cmake(places: &Places) -> Outcome {
    shell::need("cmake", "cmake")?;
    let earlier = places.target.join("cmake-earlier");
    for (name, target) in [("shared", "carryless::carryless"), ("static", "carryless::static")] {
        let build = places.target.join(format!("cmake-{name}"));
        for folder in [&build, &earlier] {
            let _ = std::fs::remove_dir_all(folder);
        }
        std::fs::create_dir_all(&build).map_err(failed(&build))?;
        let configure = |prefix: &Path| {
            let mut configure = shell::command("cmake", &["-S", "examples/c", "-B"]);
            configure.arg(&build).arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
            shell::run(configure.arg(format!("-DCARRYLESS_TARGET={target}")))
        };
        copy(&places.prefix, &earlier)?;
        configure(&earlier)?;
        std::fs::remove_dir_all(&earlier).map_err(failed(&earlier))?;
        configure(&places.prefix)?;
        shell::run(shell::command("cmake", &["--build"]).arg(&build))?;
        // Programs of a build tree know the folder of the library.
        shell::run(shell::command("ctest", &["--output-on-failure", "--test-dir"]).arg(&build))?;
    }
    Ok(())
}

/// Packs the checked-out commit, from which package managers build.
fn source_archive(places: &Places) -> Result<PathBuf, Stop> {
    let name = format!("carryless-{}", env!("CARGO_PKG_VERSION"));
    let file = places.target.join(format!("{name}.tar.gz"));
    std::fs::create_dir_all(&places.target).map_err(failed(&places.target))?;
    archive::commit(&name, &file)?;
    Ok(file)
}

/// Builds the Conan package from the source archive, with both kinds of library, and runs its test.
pub(super) fn conan(places: &Places) -> Outcome {
    if !shell::succeeds("conan", &["--version"]) {
        return Err(Stop::NotExercised("conan is not installed; pip install conan".into()));
    }
    let archive = source_archive(places)?;
    // Packages of the user stay as they are.
    let home = places.target.join("conan");
    let conan = |arguments: &[&str]| {
        let mut command = shell::command("conan", arguments);
        command.env("CONAN_HOME", &home);
        command
    };
    shell::run(&mut conan(&["profile", "detect", "--force"]))?;
    for shared in ["True", "False"] {
        let mut create = conan(&["create", "packaging/conan", "--version", env!("CARGO_PKG_VERSION")]);
        create.args(["-o", &format!("&:shared={shared}"), "-o", &format!("&:groups={FEW}")]);
        shell::run(create.arg("-c").arg(format!("user.carryless:archive={}", archive.display())))?;
    }
    Ok(())
}

/// Builds the port of vcpkg from the source archive.
pub(super) fn vcpkg(places: &Places) -> Outcome {
    if !shell::succeeds("vcpkg", &["version"]) {
        return Err(Stop::NotExercised("vcpkg is not installed".into()));
    }
    let archive = source_archive(places)?;
    let mut install =
        shell::command("vcpkg", &["install", "carryless", "--overlay-ports=packaging/vcpkg", "--classic"]);
    install.arg(format!("--x-install-root={}", places.target.join("vcpkg").display()));
    shell::run(install.env("CARRYLESS_ARCHIVE", archive))
}
