//! `cargo xtask book`: the book in `book/` can be built, stays short, and its examples in Rust run. The commands and
//! the Python on its pages are run by `commands` and `python`; `lint form` checks links on them.
mod links;

use crate::backends::{WITHOUT_PROOFS, fewer};
use crate::report::{Outcome, Report, Stop, fail};
use crate::shell;
use crate::test::cargo_test;

/// Words that all pages may have together. The book before it, with its notebooks, had 79,600.
const WORDS: usize = 18_000;

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("book: its pages", pages);
    report.step("book: examples in Rust", || {
        let flags = format!("{WITHOUT_PROOFS} {}", fewer());
        let mut test = cargo_test("book", &flags, &["-p", "carryless-book", "--doc"]);
        // The examples take milliseconds; the optimiser would take minutes.
        shell::run_tests(
            test.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_TEST_OPT_LEVEL", "0"),
        )
    });
    report.step("book: HTML", || {
        if !shell::succeeds("mdbook", &["--version"]) {
            return Err(Stop::NotExercised("mdbook is not installed".into()));
        }
        let out = shell::target_dir().join("book-html");
        shell::run(shell::command("mdbook", &["build", "book", "--dest-dir"]).arg(&out))?;
        links::mend(&out, shell::root())
    });
}

/// Every page is in the list of pages, every page with Rust in `book/lib.rs`, and the book has at most [`WORDS`].
fn pages() -> Outcome {
    let folder = shell::root().join("book/src");
    let read = |path: &std::path::Path| std::fs::read_to_string(path).map_err(shell::failed(path));
    let (summary, tests) = (read(&folder.join("SUMMARY.md"))?, read(&shell::root().join("book/lib.rs"))?);
    let mut words = 0;
    for entry in std::fs::read_dir(&folder).map_err(shell::failed(&folder))? {
        let path = entry.map_err(shell::failed(&folder))?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if path.extension().is_none_or(|extension| extension != "md") || name == "SUMMARY" {
            continue;
        }
        let mut text = read(&path)?;
        // A page may be a file of another folder, as mdbook includes it.
        if let Some(file) =
            text.trim_end().strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}"))
        {
            text = read(&folder.join(file))?;
        }
        // Marks of tables and headings are no words.
        words += text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
        if !summary.contains(&format!("]({name}.md)")) {
            return fail(format!("SUMMARY.md does not list {name}.md"));
        }
        if text.contains("```rust") && !tests.contains(&format!("\"{name}\";")) {
            return fail(format!("book/lib.rs does not run the examples of {name}.md"));
        }
    }
    println!("{words} words of at most {WORDS}");
    if words > WORDS { fail(format!("the book has {words} words, more than {WORDS}")) } else { Ok(()) }
}
