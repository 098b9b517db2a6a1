//! Questions to z3.
use crate::value::Read;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Milliseconds for one question; most take a few, the hardest some thousands.
const LIMIT: u32 = 60_000;

/// Prefix of an error that gives words for which the claim is false.
pub(crate) const COUNTEREXAMPLE: &str = "a counterexample";

/// The line that z3 is told to echo after each answer, since an answer may have several lines or none.
const END: &str = "end of answer";

/// A running z3, which answers questions one after the other and is killed on drop.
pub(crate) struct Solver {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    tactic: &'static str,
}

fn failed(error: std::io::Error) -> String {
    format!("z3: {error}")
}

impl Solver {
    /// Starts z3 with definitions and facts that all questions share, and with the tactic that answers them.
    pub(crate) fn new(shared: &str, tactic: &'static str) -> Read<Solver> {
        let mut z3 = Command::new("z3");
        z3.args(["-smt2", "-in"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = z3.spawn().map_err(failed)?;
        let input = process.stdin.take().ok_or("z3 has no input")?;
        let output = BufReader::new(process.stdout.take().ok_or("z3 has no output")?);
        let mut solver = Solver { process, input, output, tactic };
        solver.send(shared)?;
        Ok(solver)
    }

    fn send(&mut self, text: &str) -> Read<()> {
        writeln!(self.input, "{text}").map_err(failed)
    }

    /// Asserts a condition for all later questions.
    pub(crate) fn assume(&mut self, given: &str) -> Read<()> {
        self.send(&format!("(assert {given})"))
    }

    /// Fails unless z3 says that some words satisfy the condition.
    pub(crate) fn possible(&mut self, condition: &str) -> Read<()> {
        match self.check(condition)?.as_str() {
            // After any other answer the caller gives up on this z3, so the question may stay.
            "sat" => self.send("(pop)"),
            "unsat" => Err("no words satisfy what the claim requires".into()),
            other => Err(format!("whether any words satisfy what the claim requires, z3 says {other:?}")),
        }
    }

    /// Fails unless z3 says that no words break the goal; tells the values of `inputs` that do.
    pub(crate) fn prove(&mut self, goal: &str, inputs: &str) -> Read<()> {
        match self.check(&format!("(not {goal})"))?.as_str() {
            "unsat" => self.send("(pop)"),
            "sat" => {
                self.send(&format!("(get-value ({inputs}))\n(echo \"{END}\")"))?;
                Err(format!("{COUNTEREXAMPLE}: {}", self.answer()?))
            }
            other => Err(format!("z3 says {other:?}")),
        }
    }

    fn check(&mut self, condition: &str) -> Read<String> {
        let tactic = self.tactic;
        self.send(&format!(
            "(push)\n(assert {condition})\n(check-sat-using (try-for {tactic} {LIMIT}))\n(echo \"{END}\")"
        ))?;
        self.answer()
    }

    fn answer(&mut self) -> Read<String> {
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            match self.output.read_line(&mut line).map_err(failed)? {
                0 => return Err(format!("z3 stopped: {answer}")),
                _ if line.trim() == END => return Ok(answer),
                _ => answer += line.trim(),
            }
        }
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        // An error means that it has ended by itself. `wait` leaves no zombie.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
