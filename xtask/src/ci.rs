//! `cargo xtask ci`: every check, and a summary.
use crate::report::{Report, fail};
use crate::{CHORES, test};

/// All chores but the tests, this one, and those that `dist` includes, in the order of the list.
fn checks() -> impl Iterator<Item = &'static crate::Chore> {
    CHORES.iter().filter(|chore| !["test", "ci", "man", "completions"].contains(&chore.0))
}

/// `--after-test` leaves out the tests, which the caller has just run, but not the list of machines.
pub(crate) fn run(report: &mut Report, args: &[String]) {
    if let Some(why) = mistake(args) {
        return report.step("ci", || fail(why));
    }
    report.begin("test");
    match args.iter().any(|arg| arg == "--after-test") {
        true => test::machines(report),
        false => test::run(report, &[]),
    }
    for &(name, _, _, check) in checks() {
        report.begin(name);
        check(report, &[]);
    }
}

/// The chores without which the run must not pass: after `--require` those named, all of them if none is.
pub(crate) fn required(args: &[String]) -> Vec<&str> {
    let mut after = args.iter().skip_while(|arg| *arg != "--require").map(String::as_str);
    match (after.next(), after.next()) {
        (None, _) => Vec::new(),
        (Some(_), Some(names)) if !names.starts_with('-') => names.split(',').collect(),
        (Some(_), _) => std::iter::once("test").chain(checks().map(|chore| chore.0)).collect(),
    }
}

/// What is wrong with the arguments.
fn mistake(args: &[String]) -> Option<String> {
    let names = required(args);
    let unknown_name = names.iter().find(|name| CHORES.iter().all(|chore| chore.0 != **name));
    let joined = names.join(",");
    let unknown_arg = args.iter().find(|arg| !["--after-test", "--require", &joined].contains(&arg.as_str()));
    match (unknown_name, unknown_arg) {
        (Some(name), _) => Some(format!("there is no chore {name}")),
        (None, Some(arg)) => Some(format!("unknown argument {arg}")),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn chores_can_be_required() {
        let required = |line: &str| required(&words(line)).join(" ");
        assert_eq!(required("--after-test"), "");
        assert_eq!(required("--require ctime,asm --after-test"), "ctime asm");
        assert_eq!(required("--require --after-test"), required("--require"));
        assert!(required("--require").starts_with("test lint") && required("--require").contains("ctime"));
    }

    #[test]
    fn mistakes_are_told() {
        let mistake = |line: &str| mistake(&words(line));
        assert_eq!(mistake("--after-test --require ctime,asm"), None);
        assert_eq!(mistake("--require"), None);
        assert_eq!(mistake("--require ctimes"), Some("there is no chore ctimes".into()));
        assert_eq!(mistake("--after"), Some("unknown argument --after".into()));
    }
}
