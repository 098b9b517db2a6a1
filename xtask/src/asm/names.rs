//! The names of backends and instructions that rules may use, read from `backends.toml`.
use serde::Deserialize;
use std::collections::BTreeMap;

/// The folder of the files, from the root of the checkout.
pub(super) const FOLDER: &str = "xtask/asm";
/// The file with the compiler and the names of backends and instructions. Its comments explain the other files.
pub(super) const NAMES: &str = "backends.toml";

/// The contents of `backends.toml`; an unknown key is an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Names {
    /// The beginning of what `rustc --version` prints for the compiler of the counts.
    pub compiler: String,
    /// Targets in the order in which `cargo xtask asm` checks them.
    #[serde(rename = "target")]
    pub targets: Vec<Target>,
}

/// A target, its backends and its instructions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Target {
    /// The name in rows that hold for all backends of the target.
    pub name: String,
    /// The target triple of rustc.
    pub triple: String,
    /// From the name of a backend to a substring of the symbols of its kernels.
    pub backends: BTreeMap<String, String>,
    /// From a name in `whole` and `loops` to the mnemonics that are counted together, separated by `|`.
    pub instructions: BTreeMap<String, String>,
}

impl Names {
    /// Returns the target of a backend, and the substring of the symbols of its kernels. The name of a target
    /// stands for all its backends: the substring is empty. An unknown name is an error.
    pub(super) fn backend(&self, name: &str) -> Result<(&Target, &str), String> {
        for target in &self.targets {
            if target.name == name {
                return Ok((target, ""));
            }
            if let Some(word) = target.backends.get(name) {
                return Ok((target, word));
            }
        }
        Err(format!("{FOLDER}/{NAMES} has no backend {name}"))
    }
}
