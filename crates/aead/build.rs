//! Tells the crate how it is optimised: code that is optimised for size, or hardly at all, spills more secrets to the stack.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(carryless_for_speed)");
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level == "2" || level == "3") {
        println!("cargo::rustc-cfg=carryless_for_speed");
    }
}
