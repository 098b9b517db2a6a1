//! What every `--help` and man page says below the options: examples, exit statuses, files, other pages; and the groups
//! of commands. One table serves all.
use clap::Command;

/// The sections of a command's page. Its operations, such as `poly gcd`, have the same.
struct Page {
    name: &'static str,
    group: Group,
    /// Commands that can be run as they are printed, one after the other.
    examples: &'static [&'static str],
    /// Each exit status with its meaning, beside 2, an error.
    status: &'static [(u8, &'static str)],
    /// What is read and written.
    files: &'static str,
    see_also: &'static [&'static str],
}

/// Groups of commands, in the order of the help.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Files,
    Manifests,
    Arithmetic,
    Keys,
    Other,
}

const GROUPS: [(Group, &str); 5] = [
    (Group::Files, "Keep files unchanged"),
    (Group::Manifests, "Read manifests"),
    (Group::Arithmetic, "Compute over F2"),
    (Group::Keys, "Public keys, for research"),
    (Group::Other, "This program"),
];

/// The file that makes everything else possible.
const KEY_FILE: &str =
    "The key file is one line of text of mode 0600, in a folder to which nobody else may write.";
const MANIFEST: &str =
    "KEY, see carryless-keygen(1); MANIFEST, a text file that is authenticated under this key.";
#[cfg(feature = "algebra")]
const OPERANDS: &str = "Operands @FILE and - (standard input), at most 64 MiB.";
const DONE: &[(u8, &str)] = &[(0, "done")];

const PAGES: &[Page] = &[
    Page {
        name: "keygen",
        group: Group::Files,
        examples: &["carryless keygen key"],
        status: DONE,
        files: KEY_FILE,
        see_also: &["key-id", "tag"],
    },
    Page {
        name: "tag",
        group: Group::Files,
        examples: &[
            "carryless tag --key-file key -o manifest photos",
            "carryless tag --key-file key -o manifest --force --exclude '*.tmp' photos",
            "carryless tag --key-file key -o manifest --force --keep-going --label server photos",
        ],
        status: &[(0, "everything was recorded")],
        files: MANIFEST,
        see_also: &["verify", "update"],
    },
    Page {
        name: "verify",
        group: Group::Files,
        examples: &[
            "carryless verify --key-file key manifest",
            "carryless verify --key-file key --quiet manifest photos/2026",
            "carryless verify --key-file key --json --ignore-new --not-older-than 1 manifest",
        ],
        status: &[(0, "every verdict is ok, or ignored"), (1, "another verdict")],
        files: MANIFEST,
        see_also: &["tag", "update", "diff"],
    },
    Page {
        name: "update",
        group: Group::Files,
        examples: &[
            "carryless update --key-file key --dry-run manifest",
            "carryless update --key-file key manifest photos/2026",
            "carryless update --key-file key --all manifest",
        ],
        status: &[(0, "all changes were accepted"), (1, "others were found")],
        files: MANIFEST,
        see_also: &["tag", "verify"],
    },
    Page {
        name: "copy",
        group: Group::Files,
        examples: &[
            "carryless copy --key-file key photos backup",
            "carryless verify --key-file key -C backup backup.carryless",
        ],
        status: &[(0, "the copy is complete and verified"), (1, "it has other files, or wrong bytes")],
        files: "KEY, see carryless-keygen(1); DST.carryless, a manifest of the copy.",
        see_also: &["tag", "verify"],
    },
    Page {
        name: "diff",
        group: Group::Manifests,
        examples: &["carryless diff --key-file key old manifest"],
        status: &[(0, "no difference"), (1, "differences")],
        files: MANIFEST,
        see_also: &["verify", "show"],
    },
    Page {
        name: "show",
        group: Group::Manifests,
        examples: &["carryless show --key-file key manifest"],
        status: DONE,
        files: MANIFEST,
        see_also: &["list", "diff"],
    },
    Page {
        name: "list",
        group: Group::Manifests,
        examples: &[
            "carryless list --key-file key manifest",
            "carryless list --key-file key --json manifest",
        ],
        status: DONE,
        files: MANIFEST,
        see_also: &["show", "diff"],
    },
    Page {
        name: "key-id",
        group: Group::Manifests,
        examples: &["carryless key-id --key-file key"],
        status: DONE,
        files: KEY_FILE,
        see_also: &["keygen", "show"],
    },
    #[cfg(feature = "algebra")]
    Page {
        name: "poly",
        group: Group::Arithmetic,
        examples: &["carryless poly mul X^5+X+1 0x23", "carryless poly factor X^9+1"],
        status: &[(0, "done"), (1, "reducible, or not primitive")],
        files: OPERANDS,
        see_also: &["field"],
    },
    #[cfg(feature = "algebra")]
    Page {
        name: "field",
        group: Group::Arithmetic,
        examples: &["carryless field 233 inverse X^5+X+1", "carryless field 128-polyval mul 0x23 X^127"],
        status: DONE,
        files: OPERANDS,
        see_also: &["poly", "curve"],
    },
    #[cfg(feature = "algebra")]
    Page {
        name: "curve",
        group: Group::Keys,
        examples: &[
            "carryless curve B-233 keygen key.pem",
            "carryless curve B-233 public --key-file key.pem -o public.pem",
        ],
        status: &[(0, "done"), (1, "the signature does not match")],
        files: "Keys in PEM or DER. Existing files are never overwritten.",
        see_also: if cfg!(feature = "kem") { &["kem", "field"] } else { &["field"] },
    },
    #[cfg(feature = "kem")]
    Page {
        name: "kem",
        group: Group::Keys,
        examples: &[
            "carryless kem keygen --set hqc-1 secret.pem",
            "carryless kem public --set hqc-1 --key-file secret.pem -o public.pem",
        ],
        status: &[(0, "done, also for a changed ciphertext, which gives another secret")],
        files: "Keys, ciphertexts and secrets in PEM-like text. Existing files are never overwritten.",
        see_also: if cfg!(feature = "algebra") { &["curve"] } else { &["keygen"] },
    },
    Page {
        name: "completions",
        group: Group::Other,
        examples: &["carryless completions bash > carryless.bash"],
        status: DONE,
        files: "None.",
        see_also: &[],
    },
];

/// Adds the sections of the table to the help of all commands, and the groups to that of the program.
pub(crate) fn describe(program: Command) -> Command {
    let list = groups(&program);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\nOptions:\n{{options}}{{after-help}}"
    );
    let first = [page("keygen"), page("tag"), page("verify")].into_iter().flatten();
    let examples: Vec<_> = first.filter_map(|page| page.examples.first().copied()).collect();
    let statuses = [(0, "done, and everything matches"), (1, "something does not match")];
    let all: Vec<_> = PAGES.iter().map(|page| page.name).collect();
    let text = sections(&examples, &statuses, MANIFEST, &all);
    let described = program.mut_subcommands(|command| match page(command.get_name()) {
        Some(page) => with_page(command, page),
        None => command,
    });
    described.help_template(template).after_long_help(text)
}

fn page(name: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.name == name)
}

fn with_page(command: Command, page: &Page) -> Command {
    let see_also = [&[""][..], page.see_also].concat();
    let text = sections(page.examples, page.status, page.files, &see_also);
    command.after_long_help(text).mut_subcommands(|operation| with_page(operation, page))
}

/// Returns the sections as text. The generator of man pages takes lines without indentation for headings.
fn sections(examples: &[&str], statuses: &[(u8, &str)], files: &str, see_also: &[&str]) -> String {
    let examples: String = examples.iter().map(|example| format!("  {example}\n")).collect();
    let statuses: String = statuses.iter().map(|(status, what)| format!("  {status}  {what}\n")).collect();
    let error = "an error, with its reason on standard error; it outweighs all else";
    let pages = see_also.iter().map(|name| match *name {
        "" => "carryless(1)".to_owned(),
        name => format!("carryless-{name}(1)"),
    });
    let pages = pages.collect::<Vec<_>>().join(", ");
    format!(
        "EXAMPLES\n{examples}\nEXIT STATUS\n{statuses}  2  {error}\n\nFILES\n  {files}\n\nSEE ALSO\n  {pages}"
    )
}

/// Returns the commands by groups, each with the first sentence of its description.
fn groups(program: &Command) -> String {
    let about = |name: &str| {
        let about = program.find_subcommand(name).and_then(Command::get_about);
        about.map(ToString::to_string).unwrap_or_default()
    };
    let mut text = String::new();
    for (group, heading) in
        GROUPS.into_iter().filter(|&(group, _)| PAGES.iter().any(|page| page.group == group))
    {
        text.push_str(&format!("{heading}:\n"));
        for page in PAGES.iter().filter(|page| page.group == group) {
            text.push_str(&format!("  {:<11}  {}\n", page.name, about(page.name)));
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len() + 1);
    text
}
