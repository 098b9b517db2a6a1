use super::*;
use crate::claim::{Claim, Verdict};
use crate::report::{Curve, Point, plot_of};
use crate::table::Table;

/// A report with made-up results: some parts measured, others missing from the build.
fn report() -> Report {
    let claim = |verdict, here: &str| Claim {
        what: "fewer <products>".into(),
        paper: "23 %".into(),
        here: Some(here.into()),
        test: "more than 0 %",
        verdict,
    };
    let curves = [Curve::new("a", [Point::printed(1, 2.0)])];
    let mut table = Table::new("Table 5", "lr", ["blocks", "1"]);
    table.row(["here"], [String::from("2.5")]);
    let forms = Forms {
        introduction: "Paper 001\n".into(),
        tables: vec![table],
        disturbed: false,
        claims: vec![
            claim(Verdict::Holds, "20 %"),
            claim(Verdict::Fails, "-3 %"),
            claim(Verdict::Undecided("1 of 2 figures disturbed".into()), "5 %"),
        ],
        jsonl: "{}\n".into(),
        csv: "blocks\n1\n".into(),
        plots: ["one", "two"].map(|title| plot_of(title, ["x", "y"], &curves)).into(),
    };
    let part = |part: &'static Part, forms| Measured { part, forms };
    let chapters = SOURCES.iter().map(|source| {
        let forms =
            // Parts that need a feature stand for those that a build lacks.
            source.parts.iter().map(|each| part(each, each.feature.is_empty().then(|| forms.clone())));
        Chapter { source, parts: forms.collect() }
    });
    let environment = Environment { cpu: "A & B".into(), commit: "c0".into(), date: "today".into() };
    let provenance = vec![("kernel", "6.1".into())];
    Report { chapters: chapters.collect(), environment, provenance, quick: true, repeated: None }
}

#[test]
fn the_page_has_everything_in_it() {
    let page = page::html(&report());
    for part in [
        "<html lang=\"en\">",
        "<title>Papers, on A &amp; B</title>",
        "a quick run",
        "1 of 2 claims that were decided hold on this CPU.",
        "<strong>1 undecided:</strong>",
        "<li>fewer &lt;products&gt;: undecided: 1 of 2 figures disturbed</li>",
        "<td>kernel</td>",
        "href=\"paper000-2.svg\"",
        "<li>fewer &lt;products&gt;: 23 % in the paper, -3 % here</li>",
        "<h2>Paper 001</h2>",
        ">2.5</td>",
        "the feature <code>fields</code> of carryless-bench adds it",
        "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 900 980%22",
        "<h2>Operation counts</h2>",
        "<h2>Errata of the papers</h2>",
        "\nhorner::group, g = 1 ",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert_eq!(page.matches("<h1").count(), 1);
    // Nothing is fetched, and nothing runs.
    for part in ["<script", "<link", "src=\"http", "@import", "url(", ".md\""] {
        assert!(!page.contains(part), "{part}");
    }
    // Screen readers list regions by their labels, so two must not be equal.
    let labels: Vec<&str> =
        page.split("aria-label=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(
        labels.iter().all(|label| labels.iter().filter(|other| other == &label).count() == 1),
        "{labels:?}"
    );
    assert_eq!(page.matches("<div class=\"scroll\"").count(), page.matches("<table>").count());
}

#[test]
fn the_folder_has_a_file_for_each_form() {
    let folder = std::env::temp_dir().join(format!("carryless-papers-{}", std::process::id()));
    fs::create_dir(&folder).expect("a new folder");
    write(&report(), &folder).expect("it can be written");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("it is there")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"))
        .collect();
    names.sort();
    fs::remove_dir_all(&folder).expect("it is ours");
    let parts = SOURCES.iter().flat_map(|source| source.parts).filter(|part| part.feature.is_empty());
    let mut want: Vec<String> = ["index.html", "report.md"].map(String::from).into();
    want.extend(parts.flat_map(|part| {
        [".csv", ".jsonl", ".svg", "-1.svg", "-2.svg", ".tex"].map(|form| format!("{}{form}", part.name))
    }));
    want.sort();
    assert_eq!(names, want);
}

#[test]
fn papers_are_chosen_by_number() {
    let numbers = |papers: &[&str]| {
        let papers: Vec<String> = papers.iter().map(|&paper| paper.into()).collect();
        chosen(&papers).map(|sources| sources.iter().map(|source| source.number).collect::<Vec<_>>())
    };
    assert_eq!(numbers(&["002", "001"]).expect("they are there"), ["001", "002"]);
    assert_eq!(numbers(&[]).expect("all").len(), SOURCES.len());
    assert!(numbers(&["9"]).expect_err("there is none").to_string().starts_with("no paper 9: there are "));
}

/// A long run does not begin for a folder that cannot be written, and a folder that exists stays as it is.
#[test]
fn a_folder_that_exists_is_refused() {
    let mut names: Vec<String> = vec![];
    // The root has no name to which `.partial` could be added.
    for out in [std::env::temp_dir(), PathBuf::from("/")] {
        let arguments = Arguments {
            out,
            quick: true,
            against: None,
            papers: vec!["001".into()],
            gf2x: Default::default(),
            kem: Default::default(),
        };
        names.push(run(&arguments).expect_err("it exists").to_string());
    }
    assert!(names.iter().all(|name| name.ends_with(" exists: --out names another folder")), "{names:?}");
}
