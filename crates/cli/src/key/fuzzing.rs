//! Properties that hold for every key file.
use super::{MasterKey, parse, to_line};

pub(crate) fn check(data: &[u8]) {
    if let Ok(master) = parse(data) {
        let line = to_line(&master);
        let without_end = |text: &[u8]| text.trim_ascii_end().to_vec();
        assert_eq!(without_end(data), without_end(line.as_bytes()), "another line for the same key");
    }
    // Every key is read back from its line, and from no line with a changed byte.
    let mut master = MasterKey::zeroed();
    master.iter_mut().zip(data).for_each(|(byte, from)| *byte = *from);
    let mut line = to_line(&master).as_bytes().to_vec();
    assert_eq!(parse(&line).expect("a line of ours")[..], master[..]);
    let at = data.len() % (line.len() - 1);
    line[at] ^= data.last().map_or(1, |byte| 1 << (byte % 8));
    assert!(parse(&line).is_err(), "byte {at} changed");
}
