//! Measures `carryless tag`, with both algorithms, on files in the page cache, against hashing memory and other tools.
//!
//! `cargo run --release -p carryless-cli --example measure_files [FOLDER [ROUNDS]]` makes 8 files of 512 MiB and
//! 20,000 files of 4 KiB in the folder (default: a temporary one), tags and verifies them, then runs all subjects
//! in turn, and prints the least and the median time of each. It needs 6 GiB of free memory: 4 for the files in the
//! page cache, 1 to hash. `openssl` and `b3sum` are left out where they are not installed. A folder that was given
//! keeps its files for the next time.
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use carryless_aead::file_mac::{Algorithm, FileMac, PART, Subject};
use carryless_lanes::Cpu;

const LARGE: (usize, usize) = (8, 512 << 20);
const SMALL: (usize, usize) = (20_000, 4096);
const MEMORY: usize = 1 << 30;
const NEW: Algorithm = Algorithm::DecBrwHash1305;
const OLD: Algorithm = Algorithm::PolyHash1305;
/// With this as first argument the program is the command itself, in a process of its own.
const AS_COMMAND: &str = "--as-carryless";

fn main() -> ExitCode {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    if args.get(1).is_some_and(|arg| arg == AS_COMMAND) {
        args.remove(1);
        return carryless_cli::main(args);
    }
    match measure(&args[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// The files, a key, and the command to run on them.
struct Bench {
    folder: PathBuf,
    key: PathBuf,
    rounds: usize,
}

fn measure(args: &[OsString]) -> io::Result<()> {
    if let Some(option) = args.first().filter(|arg| arg.as_encoded_bytes().starts_with(b"-")) {
        let message = format!("no option is known, and {} looks like one", option.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let scratch = tempfile::tempdir()?;
    let bench = Bench {
        folder: args.first().map_or(scratch.path().to_path_buf(), PathBuf::from),
        key: scratch.path().join("key"),
        rounds: args.get(1).and_then(|n| n.to_str()?.parse().ok()).unwrap_or(11).max(1),
    };
    make("large", &bench.folder, LARGE)?;
    make("small", &bench.folder, SMALL)?;
    println!("hashes run on {}", Cpu::detect().name());
    succeed(&mut bench.carryless(&["keygen", "KEY"]))?;
    for what in ["large", "small"] {
        let manifest = scratch.path().join(what);
        let tag = ["tag", "-q", "--key-file", "KEY", what, "-o"];
        let peak = peak_memory(bench.carryless(&tag).arg(&manifest))?;
        succeed(bench.carryless(&["verify", "--status", "--strict", "--key-file", "KEY"]).arg(&manifest))?;
        println!("\n{what}: tagged in {:.1} MiB of memory at most, and verified", peak as f64 / 1024.0);
        if what == "large" { bench.large()? } else { bench.small()? }
    }
    Ok(())
}

impl Bench {
    fn large(&self) -> io::Result<()> {
        let memory = vec![0x5a; MEMORY];
        let bytes = (LARGE.0 * LARGE.1) as u64;
        println!("{} files of {} MiB, page cache, {} rounds", LARGE.0, LARGE.1 >> 20, self.rounds);
        self.compare(
            Some(bytes),
            &[
                ("2 threads read the files, no hash", &|| read_files(&self.folder.join("large"))),
                ("BRW: 2 threads hash memory", &|| hash_memory(NEW, &memory, bytes, false)),
                ("BRW: 2 threads copy memory, hash that", &|| hash_memory(NEW, &memory, bytes, true)),
                ("BRW: carryless tag, 2 threads", &|| self.tag(NEW, "large", "2")),
                ("polyHash: 2 threads hash memory", &|| hash_memory(OLD, &memory, bytes, false)),
                ("polyHash: 2 threads copy, hash that", &|| hash_memory(OLD, &memory, bytes, true)),
                ("polyHash: carryless tag, 2 threads", &|| self.tag(OLD, "large", "2")),
            ],
        )
    }

    fn small(&self) -> io::Result<()> {
        let names: Vec<String> = (0..SMALL.0).map(|i| file_name("small", i)).collect();
        let tool = |words: &[&str]| {
            let mut command = Command::new(words[0]);
            succeed(command.args(&words[1..]).args(&names).current_dir(&self.folder).stdout(Stdio::null()))
        };
        println!("{} files of {} bytes, page cache, {} rounds", SMALL.0, SMALL.1, self.rounds);
        self.compare(
            None,
            &[
                ("openssl dgst -sha256, one process", &|| tool(&["openssl", "dgst", "-sha256"])),
                ("b3sum, one process", &|| tool(&["b3sum"])),
                ("b3sum --num-threads 1, one process", &|| tool(&["b3sum", "--num-threads", "1"])),
                ("BRW: carryless tag, 1 thread", &|| self.tag(NEW, "small", "1")),
                ("BRW: carryless tag, 2 threads", &|| self.tag(NEW, "small", "2")),
                ("polyHash: carryless tag, 1 thread", &|| self.tag(OLD, "small", "1")),
                ("polyHash: carryless tag, 2 threads", &|| self.tag(OLD, "small", "2")),
            ],
        )
    }

    fn tag(&self, algorithm: Algorithm, what: &str, threads: &str) -> io::Result<()> {
        let words = ["tag", "-q", "--key-file", "KEY", "-o", "-", "--threads", threads, "--algorithm"];
        succeed(self.carryless(&words).args([algorithm.name(), what]))
    }

    /// The command with these arguments, of which `KEY` stands for the key file.
    fn carryless(&self, args: &[&str]) -> Command {
        // This program itself, so that the measured command is the code of this build.
        let mut command = Command::new("/proc/self/exe");
        let args = args.iter().map(|arg| if *arg == "KEY" { self.key.as_os_str() } else { OsStr::new(arg) });
        command.arg(AS_COMMAND).args(args).current_dir(&self.folder).stdout(Stdio::null());
        command
    }

    /// Runs all subjects in turn, round after round, and prints least and median of each.
    fn compare(&self, bytes: Option<u64>, subjects: &[Timed<'_>]) -> io::Result<()> {
        let mut times = vec![Vec::new(); subjects.len()];
        for _ in 0..self.rounds {
            // In turn: a disturbance then hits all subjects, not one of them.
            for ((_, run), times) in subjects.iter().zip(&mut times) {
                let start = Instant::now();
                match run() {
                    Ok(()) => times.push(start.elapsed().as_secs_f64()),
                    // The program is not installed: its row says so.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
            }
        }
        for ((name, _), times) in subjects.iter().zip(&mut times) {
            times.sort_by(f64::total_cmp);
            let Some((least, median)) = times.first().zip(times.get(times.len() / 2)) else {
                println!("{name:<38} NOT MEASURED: not installed");
                continue;
            };
            let rate =
                |time: f64| bytes.map_or(String::new(), |b| format!(" ({:.2} GB/s)", b as f64 / time / 1e9));
            println!("{name:<38} least {least:.3} s{}, median {median:.3} s{}", rate(*least), rate(*median));
        }
        Ok(())
    }
}

/// A name, and what takes time.
type Timed<'a> = (&'a str, &'a dyn Fn() -> io::Result<()>);

fn file_name(kind: &str, i: usize) -> String {
    format!("{kind}/{:03}/{i:05}", i / 1000)
}

fn make(kind: &str, folder: &Path, (number, size): (usize, usize)) -> io::Result<()> {
    let mut state = 1u64;
    let mut contents = vec![0; size.min(1 << 20)];
    for i in 0..number {
        let path = folder.join(file_name(kind, i));
        // Files of an earlier run are kept: their sizes matter, not their contents.
        if fs::metadata(&path).is_ok_and(|about| about.len() == size as u64) {
            continue;
        }
        for word in contents.chunks_exact_mut(8) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            word.copy_from_slice(&state.rotate_right(29).to_le_bytes());
        }
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        let mut file = File::create(path)?;
        for _ in 0..size / contents.len() {
            file.write_all(&contents)?;
        }
    }
    Ok(())
}

fn succeed(command: &mut Command) -> io::Result<()> {
    match command.stderr(Stdio::null()).status()? {
        status if status.success() => Ok(()),
        status => Err(io::Error::other(format!("{command:?}: {status}"))),
    }
}

/// Runs the command and returns the most memory that it held at a time, in KiB, as Linux counts it.
fn peak_memory(command: &mut Command) -> io::Result<u64> {
    let mut child = command.spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        if let Some(ended) = child.try_wait()? {
            return if ended.success() { Ok(peak) } else { Err(io::Error::other(ended.to_string())) };
        }
        // The line is absent while the process is torn down.
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = peak.max(line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0));
        // VmHWM is a maximum, so a coarse poll misses only what came in the last millisecond.
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Two threads hash `bytes` bytes in all, each its half of the memory again and again, part by part, where the parts lie
/// or, if `copy`, after they were copied to a buffer, as reading a file does.
fn hash_memory(algorithm: Algorithm, memory: &[u8], bytes: u64, copy: bool) -> io::Result<()> {
    let mac = FileMac::new(algorithm, Subject::File, &[7; 32]);
    let times = bytes / memory.len() as u64;
    std::thread::scope(|scope| {
        for half in memory.chunks(memory.len() / 2) {
            let mac = &mac;
            scope.spawn(move || {
                let mut space = vec![0; PART];
                for part in (0..times).flat_map(|_| half.chunks_exact(PART)) {
                    if copy {
                        space.copy_from_slice(part);
                        std::hint::black_box(mac.part(0, &space));
                    } else {
                        std::hint::black_box(mac.part(0, part));
                    }
                }
            });
        }
    });
    Ok(())
}

/// Two threads read all files below the folder, each its half of them.
fn read_files(folder: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    for sub in fs::read_dir(folder)? {
        for file in fs::read_dir(sub?.path())? {
            files.push(file?.path());
        }
    }
    let read = |files: &[PathBuf]| -> io::Result<()> {
        let mut space = vec![0; PART];
        for file in files {
            let mut file = File::open(file)?;
            // In pieces of one part, as the command reads.
            while file.read(&mut space)? > 0 {}
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let halves = files.chunks(files.len().div_ceil(2));
        let readers: Vec<_> = halves.map(|half| scope.spawn(move || read(half))).collect();
        let panicked = |_| Err(io::Error::other("a reading thread panicked"));
        readers.into_iter().try_for_each(|reader| reader.join().unwrap_or_else(panicked))
    })
}
