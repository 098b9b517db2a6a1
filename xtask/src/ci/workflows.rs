//! The workflows of `.github` call chores that exist, and the script that CI runs elsewhere.
use super::table::chore_exists;
use crate::shell;
use yaml_rust2::{Yaml, YamlLoader};

/// The steps of all jobs of a workflow.
fn steps(workflow: &Yaml) -> impl Iterator<Item = &Yaml> {
    let jobs = workflow["jobs"].as_hash().into_iter().flat_map(|jobs| jobs.values());
    jobs.flat_map(|job| job["steps"].as_vec().into_iter().flatten())
}

/// The commands of a workflow: the texts below `run` in its steps.
fn commands(workflow: &Yaml) -> Vec<&str> {
    steps(workflow).filter_map(|step| step["run"].as_str()).collect()
}

/// The chores that commands call: the words after `cargo xtask`.
fn chores<'a>(commands: &[&'a str]) -> Vec<&'a str> {
    let calls = commands.iter().flat_map(|command| command.split("cargo xtask ").skip(1));
    calls.filter_map(|rest| rest.split_whitespace().next()).collect()
}

fn read(name: &str) -> Yaml {
    let text =
        std::fs::read_to_string(shell::root().join(".github/workflows").join(name)).expect("a workflow");
    YamlLoader::load_from_str(&text).expect("YAML").remove(0)
}

#[test]
fn workflows_call_chores_that_exist() {
    for (name, expected) in [("ci.yml", "test"), ("release.yml", "release")] {
        let workflow = read(name);
        let commands = commands(&workflow);
        let chores = chores(&commands);
        assert!(chores.contains(&expected), "{name}: {chores:?}");
        assert!(chores.iter().all(|chore| chore_exists(chore)), "{name}: {chores:?}");
    }
    let tools = format!("cargo install --locked wasm-bindgen-cli --version {}", crate::npm::BINDGEN);
    assert!(commands(&read("release.yml")).contains(&tools.as_str()), "{tools}");
    let ci = read("ci.yml");
    assert!(commands(&ci).contains(&"bash .ci/run"));
    assert!(shell::root().join(".ci/run").exists());
    assert_eq!(chores(&["a && cargo xtask b --c", "cargo  xtask"]), ["b"]);
}

/// A token with more rights than a job needs would be worth stealing.
#[test]
fn only_the_job_that_publishes_may_write() {
    for name in ["ci.yml", "release.yml"] {
        let workflow = read(name);
        assert_eq!(workflow["permissions"]["contents"].as_str(), Some("read"), "{name}");
        for (job, content) in workflow["jobs"].as_hash().expect("jobs") {
            let writes = !content["permissions"].is_badvalue();
            assert_eq!(writes, job.as_str() == Some("publish"), "{name}: {job:?}");
        }
    }
    assert_eq!(read("release.yml")["jobs"]["publish"]["environment"].as_str(), Some("release"));
}

/// A tag of an action can be moved to other code; a commit cannot.
#[test]
fn actions_are_named_by_their_commits() {
    for name in ["ci.yml", "release.yml"] {
        let actions: Vec<String> =
            steps(&read(name)).filter_map(|step| step["uses"].as_str().map(String::from)).collect();
        assert!(!actions.is_empty(), "{name}");
        for action in actions {
            let commit = action.split_once('@').map_or("", |(_, commit)| commit);
            assert!(commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{action}");
        }
    }
}

/// The oldest Rust is installed, and checked by the chore that checks it elsewhere.
#[test]
fn the_oldest_rust_is_checked() {
    let ci = read("ci.yml");
    let install = concat!("rustup toolchain install ", env!("CARGO_PKG_RUST_VERSION"), " --profile minimal");
    for command in [install, "cargo xtask release --only policy-oldest-rust"] {
        assert!(commands(&ci).contains(&command), "{command}");
    }
}
