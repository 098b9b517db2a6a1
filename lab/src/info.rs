//! `carryless-lab info`: describes this CPU, and what the library uses of it.
use std::fs;
use std::io::{self, Write as _};

use anyhow::Result;
use carryless_cli::base::{Exit, json, stdout_error};
use carryless_gf2::ClmulCpu;
use carryless_hash::research::{KERNEL_CHANGES, kernel_for};
use carryless_hash::{Cpu, CpuClass, CpuId};
use clap::Args;
use serde::Serialize;

/// Describes this CPU: its backends (vector units), and which kernel serves which length on each.
#[derive(Args)]
pub(crate) struct InfoArgs {
    /// Print the description as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Info {
    version: &'static str,
    architecture: &'static str,
    cpu: String,
    processors: usize,
    backends: Vec<BackendInfo>,
    best: &'static str,
    /// Name of the class of CPUs for which kernels are chosen.
    class: &'static str,
    /// Vendor, family and model by CPUID, from which the class follows; absent on architectures without it.
    cpuid: Option<String>,
    /// Kernels of one-shot Poly1305, on each available backend.
    kernels: Vec<KernelInfo>,
    /// Backends for carry-less products, available or not.
    clmul_backends: Vec<BackendInfo>,
    clmul_best: &'static str,
}

#[derive(Serialize)]
struct BackendInfo {
    name: &'static str,
    available: bool,
}

/// A kernel of a backend, and the lengths in bytes for which it is used. `to` is absent if there is no limit.
#[derive(Serialize)]
struct KernelInfo {
    backend: &'static str,
    from: usize,
    to: Option<usize>,
    kernel: String,
}

/// Prints the description as text or JSON.
pub(crate) fn run(args: &InfoArgs) -> Result<Exit> {
    let info = Info {
        version: env!("CARGO_PKG_VERSION"),
        architecture: std::env::consts::ARCH,
        cpu: cpu_name(),
        // A system that does not tell has one processor at least.
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        backends: backends(Cpu::NAMES, |name| Cpu::named(name).is_ok()),
        best: Cpu::detect().name(),
        class: CpuClass::detect().name(),
        cpuid: CpuId::detect().map(|id| id.to_string()),
        kernels: Cpu::available().flat_map(kernels).collect(),
        clmul_backends: backends(ClmulCpu::NAMES, |name| ClmulCpu::named(name).is_ok()),
        clmul_best: ClmulCpu::detect().name(),
    };
    let text = if args.json { json(&info)? + "\n" } else { describe(&info) };
    io::stdout().write_all(text.as_bytes()).map_err(stdout_error)?;
    Ok(Exit::Good)
}

fn backends(names: &[&'static str], is_here: fn(&str) -> bool) -> Vec<BackendInfo> {
    names.iter().map(|&name| BackendInfo { name, available: is_here(name) }).collect()
}

fn describe(info: &Info) -> String {
    let source = info.cpuid.as_ref().map_or(String::new(), |id| format!(", by CPUID: {id}"));
    let mut text = format!(
        "carryless {}\ncpu: {} ({}), {} processors\nkernels for class {}{source}\n\nbackend      here\n",
        info.version, info.cpu, info.architecture, info.processors, info.class
    );
    describe_backends(&mut text, &info.backends, info.best);
    text.push_str("\nbackend for carry-less products\n");
    describe_backends(&mut text, &info.clmul_backends, info.clmul_best);
    for backend in info.backends.iter().filter(|backend| backend.available) {
        text.push_str(&format!("\nkernels on {}, by bytes of a message under a fresh key:\n", backend.name));
        for kernel in info.kernels.iter().filter(|kernel| kernel.backend == backend.name) {
            let to = kernel.to.map_or(String::new(), |to| to.to_string());
            text.push_str(&format!("{:>8} .. {to:<8} {}\n", kernel.from, kernel.kernel));
        }
    }
    text
}

fn describe_backends(text: &mut String, backends: &[BackendInfo], best: &str) {
    // At least 12: the column of `here` in the heading.
    let width = backends.iter().map(|backend| backend.name.len()).max().unwrap_or(0).max(12);
    for &BackendInfo { name, available } in backends {
        let here = match (available, name == best) {
            (true, true) => "yes, used by default",
            (true, false) => "yes",
            (false, _) => "no",
        };
        text.push_str(&format!("{name:<width$} {here}\n"));
    }
}

/// Returns the kernels of this backend, with the lengths for which each is used.
fn kernels(cpu: Cpu) -> Vec<KernelInfo> {
    let mut list: Vec<KernelInfo> = Vec::new();
    // Kernels change at these lengths only, so one length of each range is enough.
    for from in std::iter::once(0).chain(KERNEL_CHANGES.iter().copied()) {
        let kernel = kernel_for(cpu, from).to_string();
        match list.last_mut() {
            Some(last) if last.kernel == kernel => {}
            last => {
                if let Some(last) = last {
                    // `from` is not 0 here: at length 0 the list is empty.
                    last.to = Some(from - 1);
                }
                // The last range stays open, until a later length has another kernel.
                list.push(KernelInfo { backend: cpu.name(), from, to: None, kernel });
            }
        }
    }
    list
}

/// Returns the name of the CPU as Linux reports it, or `unknown`.
fn cpu_name() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(": "));
    name.map_or_else(|| "unknown".into(), |(_, name)| name.trim().into())
}
