//! The facts that a reader needs to repeat a measurement: computer, system and program.
use std::fs::read_to_string;

/// Properties and their values, in the order of a report. A value is `unknown` if the system does not tell.
pub fn provenance() -> Vec<(&'static str, String)> {
    // An empty value says no more than a missing one.
    let known = |value: Option<String>| value.filter(|text| !text.is_empty()).unwrap_or("unknown".into());
    let file = |path: &str| read_to_string(path).ok().map(|text| text.trim().to_owned());
    let cores = std::thread::available_parallelism().map_or("unknown".into(), |count| count.to_string());
    vec![
        ("microcode", known(field("/proc/cpuinfo", "microcode"))),
        ("processors available", cores),
        ("memory", known(field("/proc/meminfo", "MemTotal"))),
        ("frequency governor", known(file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"))),
        // A hypervisor may hide its flag, so the answer cannot be no.
        ("hypervisor", if has_hypervisor() { "yes" } else { "none seen" }.into()),
        ("operating system", std::env::consts::OS.into()),
        ("kernel", known(file("/proc/sys/kernel/osrelease"))),
        ("compiler", env!("CARRYLESS_RUSTC").into()),
        ("target", env!("CARRYLESS_TARGET").into()),
        ("compiler flags", env!("CARRYLESS_FLAGS").into()),
        // The commit of the sources, because a version alone does not name the code that was measured.
        ("commit", crate::environment::commit()),
    ]
}

/// The value of the first line `name: value` of a file; `None` if there is no such line.
fn field(path: &str, name: &str) -> Option<String> {
    let text = read_to_string(path).ok()?;
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    lines
        .map(|(key, value)| (key.trim(), value.trim()))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value.into())
}

/// Whether the CPU reports a hypervisor, so that it is a virtual one.
fn has_hypervisor() -> bool {
    field("/proc/cpuinfo", "flags").is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_a_value() {
        let all = provenance();
        assert!(all.iter().all(|(_, value)| !value.is_empty()), "{all:?}");
        let of = |name: &str| all.iter().find(|(what, _)| *what == name).map(|(_, value)| value.as_str());
        assert!(of("compiler").is_some_and(|text| text.starts_with("rustc 1.")), "{all:?}");
        assert!(of("compiler flags").is_some_and(|text| text.contains("opt-level")), "{all:?}");
        #[cfg(target_os = "linux")]
        assert_ne!(of("kernel"), Some("unknown"));
    }
}
