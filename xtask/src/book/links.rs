//! Links in the book's HTML. The pages link to files of the repository by relative paths, as GitHub wants them. The HTML
//! gets copies of these files, as plain text.
use std::fs;
use std::path::Path;

use crate::report::{Outcome, fail};
use crate::shell;

/// The folder of the copies.
const COPIES: &str = "repository";

/// Start of a link that leaves the book, whose pages lie two folders below the root of the repository.
const OUTSIDE: &str = "../../";

/// Copies the files outside the book that pages link to, changes the links, and fails if a link leads nowhere.
pub(super) fn mend(html: &Path, root: &Path) -> Outcome {
    let mut dead = Vec::new();
    for entry in fs::read_dir(html).map_err(shell::failed(html))? {
        let page = entry.map_err(shell::failed(html))?.path();
        if page.extension().is_none_or(|extension| extension != "html") {
            continue;
        }
        let mut text = fs::read_to_string(&page).map_err(shell::failed(&page))?;
        let outside: Vec<String> =
            links(&text).filter(|link| link.starts_with(OUTSIDE)).map(Into::into).collect();
        for link in outside {
            // A link to no file stays as it is, and is found dead below.
            if let Some(file) = source(&link, root) {
                let copy = format!("{COPIES}/{}.txt", file.strip_suffix(".txt").unwrap_or(&file));
                let to = html.join(&copy);
                fs::create_dir_all(to.parent().unwrap_or(html)).map_err(shell::failed(&to))?;
                fs::copy(root.join(&file), &to).map_err(shell::failed(&to))?;
                // With the quotes: the link may be the beginning of a longer one.
                text = text.replace(&format!("\"{link}\""), &format!("\"{copy}\""));
            }
        }
        fs::write(&page, &text).map_err(shell::failed(&page))?;
        let name = page.file_name().unwrap_or_default().display();
        dead.extend(
            links(&text).filter(|link| !leads(html, &text, link)).map(|link| format!("{name}: {link}")),
        );
    }
    dead.iter().for_each(|link| println!("dead link in {link}"));
    if dead.is_empty() { Ok(()) } else { fail(format!("{} dead links", dead.len())) }
}

/// The links of a page, without those to other sites.
fn links(html: &str) -> impl Iterator<Item = &str> {
    let values = ["href=\"", "src=\""].into_iter().flat_map(|attribute| html.split(attribute).skip(1));
    values.filter_map(|rest| rest.split('"').next()).filter(|link| !link.contains(':'))
}

/// The file of the repository that a link out of the book means. mdbook has changed `.md` to `.html`.
fn source(link: &str, root: &Path) -> Option<String> {
    let path = link.strip_prefix(OUTSIDE)?.split('#').next()?;
    let markdown = path.strip_suffix(".html").map(|name| format!("{name}.md"));
    [Some(path.to_string()), markdown].into_iter().flatten().find(|path| root.join(path).is_file())
}

/// Whether a link on a page of the folder `html` leads to a file, and to a place in it if it names one.
fn leads(html: &Path, page: &str, link: &str) -> bool {
    let (file, place) = link.split_once('#').unwrap_or((link, ""));
    // mdbook gives every heading an `id`, to which links refer.
    let has = |page: &str| place.is_empty() || page.contains(&format!("id=\"{place}\""));
    let path = html.join(file);
    match file {
        "" => has(page),
        _ if file.ends_with(".html") => fs::read_to_string(path).is_ok_and(|page| has(&page)),
        _ => path.exists(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_out_of_the_book_lead_to_copies_and_dead_ones_are_found() {
        let root = shell::target_dir().join("test-links");
        let html = root.join("html");
        fs::create_dir_all(root.join("crates")).and_then(|()| fs::create_dir_all(&html)).expect("folders");
        let write = |path: &str, text: &str| fs::write(root.join(path), text).expect("a file");
        write("crates/PEERS.md", "peers");
        write("html/b.html", "<h2 id=\"there\">");
        let good = "<h1 id=\"x\"><a href=\"#x\"><a href=\"b.html#there\"><a href=\"https://e.org\">";
        write("html/a.html", &format!("{good}<a href=\"../../crates/PEERS.html#part\">"));
        assert!(mend(&html, &root).is_ok());
        let mended = fs::read_to_string(html.join("a.html")).expect("a page");
        assert_eq!(mended, format!("{good}<a href=\"repository/crates/PEERS.md.txt\">"));
        assert_eq!(fs::read(html.join("repository/crates/PEERS.md.txt")).expect("a copy"), b"peers");
        for bad in ["../../crates/none.html", "../b.html", "c.html", "#y", "b.html#nowhere", "none.svg"] {
            write("html/a.html", &format!("<a href=\"{bad}\">"));
            assert!(mend(&html, &root).is_err(), "{bad}");
        }
        fs::remove_dir_all(root).expect("the folder");
    }
}
