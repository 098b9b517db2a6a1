//! Notes compiler and flags for reports, and links libsodium, the one peer that comes from the system, if its
//! feature is on.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let rustc = std::process::Command::new(variable("RUSTC")).arg("--version").output();
    let rustc = rustc.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().into());
    println!("cargo:rustc-env=CARRYLESS_RUSTC={rustc}");
    println!("cargo:rustc-env=CARRYLESS_TARGET={}", variable("TARGET"));
    // Cargo separates flags by the unit separator, because a flag may contain spaces.
    let flags = variable("CARGO_ENCODED_RUSTFLAGS").replace('\x1f', " ");
    println!("cargo:rustc-env=CARRYLESS_FLAGS=-C opt-level={} {flags}", variable("OPT_LEVEL"));
    #[cfg(feature = "libsodium")]
    pkg_config::Config::new().atleast_version("1.0.12").probe("libsodium").expect("libsodium of the system");
}
