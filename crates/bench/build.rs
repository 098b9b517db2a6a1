//! Links libsodium, the one peer that comes from the system; does nothing unless its feature is on.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "libsodium")]
    pkg_config::Config::new().atleast_version("1.0.12").probe("libsodium").expect("libsodium of the system");
}
