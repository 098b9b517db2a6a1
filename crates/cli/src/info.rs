//! `carryless info`: what this CPU has and what the library makes of it.
use std::fs;
use std::io::{self, Write as _};

use anyhow::Result;
use carryless_hash::Cpu;
use serde::Serialize;

use crate::args::InfoArgs;
use crate::exit::{Exit, stdout_error};

#[derive(Serialize)]
struct Info {
    version: &'static str,
    architecture: &'static str,
    cpu: String,
    processors: usize,
    machines: Vec<MachineInfo>,
    best: &'static str,
}

#[derive(Serialize)]
struct MachineInfo {
    name: &'static str,
    available: bool,
}

/// Prints the description.
pub(crate) fn run(args: &InfoArgs) -> Result<Exit> {
    let info = Info {
        version: env!("CARGO_PKG_VERSION"),
        architecture: std::env::consts::ARCH,
        cpu: cpu_name(),
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        machines: Cpu::NAMES
            .iter()
            .map(|&name| MachineInfo { name, available: Cpu::named(name).is_ok() })
            .collect(),
        best: Cpu::detect().name(),
    };
    let text = if args.json { serde_json::to_string(&info)? + "\n" } else { describe(&info) };
    io::stdout().write_all(text.as_bytes()).map_err(stdout_error)?;
    Ok(Exit::Good)
}

fn describe(info: &Info) -> String {
    let mut text = format!(
        "carryless {}\ncpu: {} ({}), {} processors\n\nmachine      here\n",
        info.version, info.cpu, info.architecture, info.processors
    );
    for machine in &info.machines {
        let here = match (machine.available, machine.name == info.best) {
            (true, true) => "yes, used by default",
            (true, false) => "yes",
            (false, _) => "no",
        };
        text.push_str(&format!("{:<12} {here}\n", machine.name));
    }
    text
}

/// What Linux calls the CPU; elsewhere its architecture must do.
fn cpu_name() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(": "));
    name.map_or_else(|| "unknown".into(), |(_, name)| name.trim().into())
}
