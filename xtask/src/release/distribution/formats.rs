//! The two formats of packages, by dpkg-deb and rpmbuild.
use super::*;
use crate::text::addresses;

/// A format, with the name that it has for the processor.
#[derive(Clone, Copy)]
pub(super) enum Format {
    Deb(&'static str),
    Rpm(&'static str),
}

/// What a package says of itself.
pub(super) struct Package {
    pub(super) name: &'static str,
    /// Section of Debian.
    pub(super) section: &'static str,
    /// One line, without a full stop.
    pub(super) summary: &'static str,
    /// Packages that it needs, as the format writes them; empty if it needs none, or if the format finds them out.
    pub(super) depends: String,
    /// Files beside the control file of Debian: scripts, and what dpkg and its tools read.
    pub(super) control: &'static [(&'static str, &'static str)],
}

impl Format {
    /// Packs a tree of files, and returns the package.
    pub(super) fn pack(self, place: &Place, package: &Package, tree: &Path) -> Result<PathBuf, Stop> {
        // Whatever mask this process has for new files.
        shell::run(shell::command("chmod", &["-R", "u=rwX,go=rX"]).arg(tree))?;
        match self {
            Format::Deb(architecture) => deb(place, package, architecture, tree),
            Format::Rpm(architecture) => rpm(place, package, architecture, tree),
        }
    }
}

fn deb(place: &Place, package: &Package, architecture: &str, tree: &Path) -> Result<PathBuf, Stop> {
    shell::need("dpkg-deb", "dpkg")?;
    let Package { name, section, summary, depends, control: files } = package;
    // Not by `du`, whose answer depends on the file system.
    let lengths =
        shell::output(shell::command("find", &[".", "-type", "f", "-printf", "%s\\n"]).current_dir(tree))?;
    let kilobytes = lengths.lines().filter_map(|line| line.parse::<u64>().ok()).sum::<u64>().div_ceil(1024);
    let homepage = homepage("Homepage")?;
    let depends = if depends.is_empty() { String::new() } else { format!("Depends: {depends}\n") };
    let control = format!(
        "Package: {name}\nVersion: {VERSION}\nArchitecture: {architecture}\n\
         Maintainer: The carryless founders\nInstalled-Size: {kilobytes}\n{depends}\
         {homepage}Section: {section}\nPriority: optional\nDescription: {summary}\n {DESCRIPTION}.\n"
    );
    shell::write(&tree.join("DEBIAN/control"), control)?;
    for (name, text) in *files {
        let file = tree.join("DEBIAN").join(name);
        shell::write(&file, text)?;
        let mode = if text.starts_with("#!") { "755" } else { "644" };
        shell::run(shell::command("chmod", &[mode]).arg(&file))?;
    }
    let file = place.file(format!("{name}_{VERSION}_{architecture}.deb"));
    let mut build = shell::command("dpkg-deb", &["--root-owner-group", "-Zxz", "--build"]);
    // dpkg-deb gives files that are newer the time of the commit.
    shell::run(build.arg(tree).arg(&file).env("SOURCE_DATE_EPOCH", epoch()))?;
    Ok(file)
}

/// The line on the repository, once it has an address.
fn homepage(field: &str) -> Result<String, Stop> {
    Ok(addresses::repository()?.map_or(String::new(), |address| format!("{field}: {address}\n")))
}

fn rpm(place: &Place, package: &Package, architecture: &str, tree: &Path) -> Result<PathBuf, Stop> {
    shell::need("rpmbuild", "rpm")?;
    let Package { name, summary, depends, .. } = package;
    let files = shell::output(
        shell::command("find", &[".", "(", "-type", "f", "-o", "-type", "l", ")"]).current_dir(tree),
    )?;
    let mut files: Vec<&str> = files.lines().map(|file| file.trim_start_matches('.')).collect();
    files.sort_unstable();
    let requires = if depends.is_empty() { String::new() } else { format!("Requires: {depends}\n") };
    let url = homepage("URL")?;
    let spec = format!(
        "Name: {name}\nVersion: {VERSION}\nRelease: 1\nSummary: {summary}\nLicense: {LICENCE}\n{url}{requires}\
         %description\n{DESCRIPTION}.\n\
         %install\nmkdir -p %{{buildroot}}\ncp -a {}/. %{{buildroot}}/\n%files\n%defattr(-,root,root)\n{}\n",
        tree.display(),
        files.join("\n")
    );
    let top = place.work.join("rpmbuild");
    remove(&top)?;
    let file = top.join("package.spec");
    shell::write(&file, spec)?;
    let mut build =
        shell::command("rpmbuild", &["-bb", "--quiet", "--target", &format!("{architecture}-linux")]);
    // Without the scripts that strip and compress: the files are as they should be.
    for definition in [
        format!("_topdir {}", top.display()),
        "_buildhost localhost".into(),
        "use_source_date_epoch_as_buildtime 1".into(),
        "clamp_mtime_to_source_date_epoch 1".into(),
        "build_mtime_policy clamp_to_source_date_epoch".into(),
        "__os_install_post %{nil}".into(),
        "_build_id_links none".into(),
        "debug_package %{nil}".into(),
        "_binary_payload w9.xzdio".into(),
    ] {
        build.args(["--define", &definition]);
    }
    shell::run(build.arg(&file).env("SOURCE_DATE_EPOCH", epoch()))?;
    let name = format!("{name}-{VERSION}-1.{architecture}.rpm");
    let made = place.file(&name);
    copy(&top.join("RPMS").join(architecture).join(&name), &made)?;
    Ok(made)
}
