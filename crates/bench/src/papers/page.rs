//! The page. It begins with the claims of each paper and which hold here; all tables and plots follow.
use super::sources::Part;
use super::{Chapter, Measured, Report, repeat};
use crate::claim::{self, Claim, Verdict};
use crate::environment::Environment;
use crate::output::Forms;
use crate::report::escape;
use crate::table::Table;
use carryless_gf2::ClmulCpu;
use carryless_hash::Cpu;
use carryless_hash::research::OPERATION_COUNTS;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::fmt::Write;

/// The style sheet, which is part of the page.
const STYLE: &str = include_str!("style.css");
/// Contradictions in the papers, as Markdown. The book includes this file as a page.
const ERRATA: &str = include_str!("../../data/errata.md");

/// The whole page as one HTML document.
pub(super) fn html(report: &Report) -> String {
    let environment = &report.environment;
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Papers, on {cpu}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">To the results</a>\n<header>\n<h1>Five papers, measured here</h1>\n\
         <p>{cpu}, {}, carryless {}{}. Every result was verified against big integers or bit by bit before it was timed.</p>\n</header>\n",
        escape(&environment.date),
        escape(&environment.commit),
        if report.quick { ", a quick run: few lengths, a moment for each" } else { "" },
        cpu = escape(&environment.cpu),
    );
    text += &contents(report);
    text += "<main id=\"main\">\n";
    text += &summary(report);
    text += &section("circumstances", "Where it was measured", &circumstances(report));
    text.extend(report.chapters.iter().map(chapter));
    if let Some(repeated) = &report.repeated {
        text += &section("repeated", "An earlier run", &repeat::markdown(repeated));
    }
    text += &backends();
    text += &appendix("counts", "Operation counts", OPERATION_COUNTS);
    text += &appendix("errata", "Errata of the papers", ERRATA);
    text + "</main>\n</body>\n</html>\n"
}

fn section(id: &str, title: &str, markdown: &str) -> String {
    format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{}</section>\n", body(title, markdown))
}

/// A section with a page of the documentation. The page's own title, in its first line, is left out.
fn appendix(id: &str, title: &str, page: &str) -> String {
    let below = page.split_once('\n').map_or(page, |(_, below)| below);
    section(id, title, below)
}

fn contents(report: &Report) -> String {
    let mut text =
        String::from("<nav aria-label=\"Contents\">\n<ul>\n<li><a href=\"#summary\">Summary</a></li>\n");
    for Chapter { source, .. } in &report.chapters {
        writeln!(text, "<li><a href=\"#paper{0}\">Paper {0}</a></li>", source.number).expect("to a string");
    }
    if report.repeated.is_some() {
        text += "<li><a href=\"#repeated\">An earlier run</a></li>\n";
    }
    text + "<li><a href=\"#circumstances\">Where it was measured</a></li>\n<li><a href=\"#backends\">Backends</a></li>\n<li><a href=\"#counts\">Operation counts</a></li>\n<li><a href=\"#errata\">Errata</a></li>\n</ul>\n</nav>\n"
}

/// The summary: the claim of each paper, how many of its claims hold here, which do not, and which are undecided.
fn summary(report: &Report) -> String {
    let mut text = String::new();
    for chapter in &report.chapters {
        let source = chapter.source;
        let claims: Vec<&Claim> = chapter.forms().flat_map(|forms| &forms.claims).collect();
        let those = |verdict| claims.iter().filter(move |claim| claim.verdict == verdict);
        // Figures without a test are neither, and stand in the tables alone.
        let (yes, no) = (those(Verdict::Holds).count(), those(Verdict::Fails).count());
        let undecided: Vec<_> =
            claims.iter().filter(|claim| matches!(claim.verdict, Verdict::Undecided(_))).collect();
        let verdict = match (yes, no) {
            (0, 0) => "No claim of it was decided.".into(),
            (_, 0) => format!("All {yes} claims that were decided hold on this CPU."),
            _ => format!("{yes} of {} claims that were decided hold on this CPU. These do not:", yes + no),
        };
        write!(text, "### [Paper {0}](#paper{0})\n\n{1}\n\n**{verdict}**\n\n", source.number, source.claim)
            .expect("to a string");
        for claim in those(Verdict::Fails) {
            let here = claim.here.as_deref().unwrap_or_default();
            writeln!(text, "- {}: {} in the paper, {here} here", claim.what, claim.paper)
                .expect("to a string");
        }
        if !undecided.is_empty() {
            text += &format!("\n**{} undecided:**\n\n", undecided.len());
            for claim in undecided {
                writeln!(text, "- {}: {}", claim.what, claim.verdict.text()).expect("to a string");
            }
        }
    }
    section("summary", "Summary", &text)
}

/// The table of the facts that a reader needs to repeat the measurements.
pub(super) fn circumstances(report: &Report) -> String {
    let mut table = Table::new("", "l", ["what", "value"]);
    let Environment { cpu, date, .. } = &report.environment;
    table.row(["CPU"], [cpu.clone()]);
    table.row(["date"], [date.clone()]);
    report.provenance.iter().for_each(|(what, value)| table.row([what], [value.clone()]));
    table.markdown()
}

impl Chapter {
    /// The results of those parts that this build has.
    fn forms(&self) -> impl Iterator<Item = &Forms> {
        self.parts.iter().filter_map(|measured| measured.forms.as_ref())
    }
}

/// The section of a paper: citation, claim and all parts.
fn chapter(chapter: &Chapter) -> String {
    let source = chapter.source;
    let mut text = format!(
        "<section id=\"paper{0}\">\n<h2>Paper {0}</h2>\n<p><cite>{1}</cite></p>\n<p>{2}</p>\n",
        source.number,
        escape(source.citation),
        escape(source.claim)
    );
    text.extend(chapter.parts.iter().map(part));
    text + "</section>\n"
}

/// A part: its claims, its plots, its tables folded away, and links to its files.
fn part(measured: &Measured) -> String {
    let Part { name, title, feature, .. } = measured.part;
    let Some(forms) = &measured.forms else {
        return format!(
            "<h3>{title}</h3>\n<p>Not in this build: the feature <code>{feature}</code> of carryless-bench adds it.</p>\n"
        );
    };
    // The heading of the part stands above this table, so a caption would repeat it.
    let claims = claim::table(&forms.claims).without_caption().markdown();
    format!(
        "<h3>{title}</h3>\n{}<p><img src=\"data:image/svg+xml,{}\" alt=\"Plot of {name}: the figures are in the tables\"></p>\n\
         <details>\n<summary>Tables of <code>carryless-lab bench {name}</code></summary>\n{}</details>\n\
         <p>Files: <a href=\"{name}.csv\">{name}.csv</a>, <a href=\"{name}.jsonl\">{name}.jsonl</a>, <a href=\"{name}.svg\">{name}.svg</a>, <a href=\"{name}.tex\">{name}.tex</a>{}</p>\n",
        body(&format!("{name}, claims"), &claims),
        // The plots are part of the page, so that it can be passed on as a single file.
        percent_encoded(&forms.svg()),
        body(name, &forms.markdown()),
        single_plots(name, forms.plots.len()),
    )
}

/// Links to each plot of a sheet as a file; none if there is only one plot.
fn single_plots(name: &str, count: usize) -> String {
    let link = |number| format!(", <a href=\"{name}-{number}.svg\">{number}</a>");
    if count > 1 { (1..=count).map(link).collect() } else { String::new() }
}

/// The section on backends: those that this CPU has, and those that it lacks, of which only the
/// operation counts are known here.
fn backends() -> String {
    let hashes = Cpu::available().map(|cpu| cpu.name());
    let available: Vec<&str> = hashes.chain(ClmulCpu::available().map(ClmulCpu::name)).collect();
    let all = || Cpu::NAMES.iter().chain(ClmulCpu::NAMES).copied();
    let list = |here: bool| {
        let names = all().filter(|name| available.contains(name) == here).map(|name| format!("`{name}`"));
        names.collect::<Vec<_>>().join(", ")
    };
    let text = format!(
        "This CPU has {}. It lacks {}: nothing was timed on those, and the operation counts below are what is known of them here.\n",
        list(true),
        list(false)
    );
    section("backends", "Backends", &text)
}

/// Markdown as HTML, with all headings at the level below the section's. Anything that looks like a tag is
/// text. Tables scroll by themselves on a narrow screen, also by keyboard.
fn body(name: &str, markdown: &str) -> String {
    let (mut tables, mut outside) = (0, false);
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).flat_map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => vec![Event::Text(text)],
        Event::Start(Tag::Heading { id, classes, attrs, .. }) => {
            vec![Event::Start(Tag::Heading { level: HeadingLevel::H3, id, classes, attrs })]
        }
        // Other pages of the documentation are not beside this one.
        Event::Start(Tag::Link { ref dest_url, .. }) if !dest_url.starts_with('#') => {
            outside = true;
            vec![]
        }
        // Links do not nest, so one flag is enough.
        Event::End(TagEnd::Link) if std::mem::take(&mut outside) => vec![],
        Event::End(TagEnd::Heading(_)) => vec![Event::End(TagEnd::Heading(HeadingLevel::H3))],
        Event::Start(Tag::Table(_)) => {
            tables += 1;
            let frame = format!(
                "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{name}, table {tables}\">"
            );
            vec![Event::Html(CowStr::from(frame)), event]
        }
        Event::End(TagEnd::Table) => vec![event, Event::Html("</div>\n".into())],
        other => vec![other],
    });
    let mut text = String::new();
    pulldown_cmark::html::push_html(&mut text, events);
    text
}

/// An SVG document as part of a `data:` address between double quotes.
fn percent_encoded(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len());
    for letter in svg.chars() {
        match letter {
            '%' | '#' | '<' | '>' | '"' | '&' => {
                write!(text, "%{:02X}", u32::from(letter)).expect("to a string")
            }
            // Browsers remove newlines from addresses, which would join the words around them.
            '\n' => text.push(' '),
            other => text.push(other),
        }
    }
    text
}
