//! Runs the examples of the pages in `src` as documentation tests: `cargo xtask book`.
#![forbid(unsafe_code)]

/// A module for each page, so that a failed test names the page.
macro_rules! pages {
    ($($page:ident $file:literal;)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("src/", $file, ".md"))]
            mod $page {}
        )*
    };
}

pages! {
    introduction "introduction";
    files "files";
    mac "mac";
    aead "aead";
    products "products";
    fields_curves "fields-curves";
    hqc "hqc";
    backends "backends";
    constant_time "constant-time";
}
