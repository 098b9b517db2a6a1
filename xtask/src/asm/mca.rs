//! What LLVM's model of a CPU says of a kernel: `cargo xtask asm --mca znver4 PATTERN`.
//!
//! For kernels without loops, as those of carry-less products: the model takes the whole body, calls left out, for the body of a
//! loop, with all data at hand.
use super::disassemble::{Function, Instruction};
use crate::report::Stop;
use crate::shell;
use std::io::Write as _;
use std::process::Stdio;

/// The newest that Debian 12 has; models of recent CPUs came late.
const TOOLS: [&str; 2] = ["llvm-mca-19", "llvm-mca"];

/// One line: instructions, uops and cycles of a run when the next follows at once, and what binds.
pub(super) fn predict(function: &Function, cpu: &str) -> Result<String, Stop> {
    let tool = TOOLS.iter().find(|tool| shell::succeeds(tool, &["--version"]));
    let tool =
        tool.ok_or_else(|| Stop::NotExercised("no llvm-mca; Debian: apt-get install llvm-19".into()))?;
    let mut command =
        shell::command(tool, &["-mtriple=x86_64", "-instruction-info=0", "-resource-pressure=0"]);
    // In a hundred iterations the start of the first one hardly counts.
    command.arg(format!("-mcpu={cpu}")).args(["-iterations=100", "-bottleneck-analysis=0", "-"]);
    let io = |error: std::io::Error| Stop::Failed(format!("{tool}: {error}"));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(io)?;
    let mut input = child.stdin.take().ok_or_else(|| Stop::Failed("no pipe".into()))?;
    // llvm-mca reads its whole input before it prints, so writing all of it first cannot block.
    input.write_all(assembly(&function.body).as_bytes()).map_err(io)?;
    // The end of the input starts the analysis.
    drop(input);
    let output = child.wait_with_output().map_err(io)?;
    let complaints = String::from_utf8_lossy(&output.stderr);
    // It goes on with a model of no CPU when it does not know the name.
    if !output.status.success() || complaints.contains("not a recognized processor") {
        return Err(Stop::Failed(complaints.lines().next().unwrap_or("llvm-mca failed").into()));
    }
    Ok(summary(&String::from_utf8_lossy(&output.stdout)))
}

/// In Intel's syntax, without what depends on where the code lies.
fn assembly(body: &[Instruction]) -> String {
    let mut text = String::from(".intel_syntax noprefix\n");
    let here = |i: &&Instruction| !i.is_call() && !i.is_jump() && !i.mnemonic.starts_with("nop");
    for Instruction { mnemonic, operands, .. } in body.iter().filter(here) {
        text += &format!("{mnemonic} {operands}\n");
    }
    text
}

/// The lines at the top of the report, for one of the hundred runs.
fn summary(report: &str) -> String {
    let value = |name: &str| {
        let line = report.lines().find(|line| line.starts_with(name))?;
        line.split_once(':')?.1.trim().parse::<f64>().ok()
    };
    let for_one = |name| value(name).map_or("?".into(), |all| format!("{:.1}", all / 100.0));
    let [instructions, uops, cycles] = ["Instructions", "Total uOps", "Total Cycles"].map(for_one);
    let bound = value("Block RThroughput").map_or("?".into(), |cycles| format!("{cycles:.1}"));
    format!("{instructions} instructions, {uops} uops, {cycles} cycles, of which ports ask for {bound}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_jumps_and_padding_are_left_out() {
        let instruction = |mnemonic: &str, operands: &str| Instruction {
            mnemonic: mnemonic.into(),
            operands: operands.into(),
            ..Instruction::default()
        };
        let body = [
            ("vpxor", "xmm0,xmm1,xmm2"),
            ("nop", "WORD PTR cs:[rax]"),
            ("call", "12"),
            ("jne", "12"),
            ("ret", ""),
        ];
        let text = assembly(&body.map(|(mnemonic, operands)| instruction(mnemonic, operands)));
        assert_eq!(text, ".intel_syntax noprefix\nvpxor xmm0,xmm1,xmm2\nret \n");
    }

    #[test]
    fn figures_are_for_one_run() {
        let report = "Iterations:        100\nInstructions:      4300\nTotal Cycles:      2050\nTotal uOps:        4400\n\
                      \nDispatch Width:    6\nBlock RThroughput: 19.5\n";
        assert_eq!(summary(report), "43.0 instructions, 44.0 uops, 20.5 cycles, of which ports ask for 19.5");
    }
}
