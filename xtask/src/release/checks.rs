//! What trials of several artefacts measure.
use crate::report::{Outcome, Stop};
use crate::shell;
use std::path::Path;

/// Unpacks a .zip or .tar.gz.
pub(super) fn unpack(file: &Path, to: &Path) -> Outcome {
    if file.extension().is_some_and(|ending| ending == "zip") {
        return shell::run(shell::command("unzip", &["-q"]).arg(file).arg("-d").arg(to));
    }
    shell::run(shell::command("tar", &["-xzf"]).arg(file).arg("-C").arg(to))
}

/// The newest version of the GNU C library that a program or library needs.
pub(super) fn glibc(file: &Path) -> Result<(u32, u32), Stop> {
    shell::need("objdump", "binutils")?;
    let text = shell::output(shell::command("objdump", &["-T"]).arg(file))?;
    Ok(newest(&text))
}

fn newest(symbols: &str) -> (u32, u32) {
    let versions = symbols.split("GLIBC_").skip(1).filter_map(|rest| {
        let mut numbers = rest.split(|c: char| !c.is_ascii_digit()).map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    });
    versions.max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn versions_compare_as_numbers() {
        assert_eq!(super::newest("x (GLIBC_2.4) a\ny (GLIBC_2.34) b\nz (GLIBC_2.2.5) c"), (2, 34));
        assert_eq!(super::newest("x (GLIBC_PRIVATE)"), (0, 0));
    }
}
