//! Runs the command on a pseudoterminal.
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::{Command, Stdio};

use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// Runs a command with a pseudoterminal as its only input and output, where somebody types this. Returns its exit
/// status and every byte that the terminal shows.
pub(crate) fn run(mut command: Command, typed: &str) -> (i32, Vec<u8>) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("ours");
    unlockpt(&master).expect("unlocked");
    let path = ptsname(&master, Vec::new()).expect("a name");
    let no_control = i32::try_from(OFlags::NOCTTY.bits()).expect("a flag");
    let path = OsStr::from_bytes(path.as_bytes());
    let terminal =
        OpenOptions::new().read(true).write(true).custom_flags(no_control).open(path).expect("open");
    let copy = || Stdio::from(terminal.try_clone().expect("dup"));
    let mut child = command.stdin(copy()).stdout(copy()).stderr(copy()).spawn().expect("spawn");
    // The `Command` holds copies of the terminal, too. Reading would not end while one is open.
    drop((command, terminal));
    let mut master = File::from(master);
    master.write_all(typed.as_bytes()).expect("typed");
    let mut sent = Vec::new();
    // On Linux reading ends with EIO when the last copy is closed, so this error is ignored.
    let _ = master.read_to_end(&mut sent);
    (child.wait().expect("wait").code().expect("no signal"), sent)
}
