//! What the compiler links into every program: Rust's standard library, and libraries of other languages.
use crate::report::Stop;
use crate::shell::{self, failed};
use std::collections::BTreeSet;
use std::path::Path;

/// A library that is linked statically.
pub(crate) struct Library {
    /// Its name and licence.
    pub name: &'static str,
    /// The text that the licence has users pass on; empty if it asks for none.
    pub text: &'static str,
}

pub(crate) const MUSL: Library =
    Library { name: "musl (MIT)", text: include_str!("../../../packaging/licences/musl.txt") };

/// Its licence asks for no text of what a compiler put into a program.
pub(crate) const UNWIND: Library =
    Library { name: "LLVM's libunwind (Apache-2.0 WITH LLVM-exception)", text: "" };

pub(crate) const MINGW: Library = Library {
    name: "the run-time library of mingw-w64 (ZPL-2.1 and others)",
    text: include_str!("../../../packaging/licences/mingw-w64.txt"),
};

/// Its licence has an exception for programs that GCC compiled.
pub(crate) const LIBGCC: Library =
    Library { name: "libgcc (GPL-3.0 with the GCC Runtime Library Exception)", text: "" };

/// Helpers of the compiler, where Zig links.
pub(crate) const ZIG: Library =
    Library { name: "Zig's compiler-rt (MIT)", text: include_str!("../../../packaging/licences/zig.txt") };

/// Copyrights in the standard library and in its dependencies, from the file that comes with the compiler.
pub(crate) fn standard_library() -> Result<String, Stop> {
    let root = shell::output(&mut shell::command("rustc", &["--print=sysroot"]))?;
    let file = Path::new(root.trim()).join("share/doc/rust/COPYRIGHT-library.html");
    if !file.exists() {
        // Compilers of distributions have it elsewhere, or not at all.
        return Ok("Its copyrights: https://github.com/rust-lang/rust/blob/HEAD/COPYRIGHT\n".into());
    }
    let page = std::fs::read_to_string(&file).map_err(failed(&file))?;
    Ok(plain(&page))
}

/// The text of a page, with each licence once. That of Apache, which every archive has, is left out.
fn plain(page: &str) -> String {
    let body = page.split_once("<body>").map_or(page, |(_, body)| body);
    let (mut seen, mut text) = (BTreeSet::new(), String::new());
    for (n, part) in body.split("<pre>").enumerate() {
        let (licence, rest) = part.split_once("</pre>").filter(|_| n > 0).unwrap_or(("", part));
        let words = licence.split_whitespace().collect::<Vec<_>>().join(" ");
        if !words.starts_with("Apache License") && seen.insert(words) {
            text += licence;
        }
        text += rest;
    }
    let lines = without_tags(&text);
    let mut lines: Vec<&str> = lines.lines().map(str::trim).collect();
    lines.dedup_by(|a, b| a.is_empty() && b.is_empty());
    lines.join("\n").trim().to_string() + "\n"
}

fn without_tags(text: &str) -> String {
    let mut parts = text.split('<');
    let first = parts.next().unwrap_or_default().to_string();
    let plain = parts.fold(first, |plain, part| plain + part.split_once('>').map_or(part, |(_, rest)| rest));
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&#39;", "'"), ("&#34;", "\""), ("&quot;", "\""), ("&amp;", "&")];
    entities.iter().fold(plain, |plain, (entity, character)| plain.replace(entity, character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_stand_once_and_without_tags() {
        let page = "<html><title>t</title><body>\n<p>a &lt;b&gt;</p>\n\n\n<pre>MIT &amp; c</pre>\n\
                    <p>d</p><pre> MIT  &amp; c</pre><pre>\nApache License\n2</pre>e</body>";
        assert_eq!(plain(page), "a <b>\n\nMIT & c\nde\n");
    }

    /// Without its dependencies, the notice of each archive would be incomplete.
    #[test]
    fn the_standard_library_has_dependencies() {
        let Ok(text) = standard_library() else { panic!("rustc cannot be asked") };
        assert!(text.contains("hashbrown") || text.starts_with("Its copyrights"), "{text}");
        assert!(text.len() < 50_000, "{} bytes", text.len());
    }

    #[test]
    fn libraries_have_their_texts() {
        for (library, words) in
            [(MUSL, "Rich Felker"), (MINGW, "mingw-w64 project"), (ZIG, "Zig contributors")]
        {
            assert!(library.text.contains(words), "{words}");
        }
    }
}
