//! The package as its users have it: packed, installed, compiled against, bundled and opened in a browser.
use super::{LICENCES, MODULES, SHARED, copy, npm, tool, tools_folder};
use crate::report::{Outcome, Stop, fail};
use crate::shell;
use std::path::{Path, PathBuf};

/// The bundlers, and the command of each that builds the example.
const BUNDLERS: [(&str, &str, &[&str]); 4] = [
    ("vite", "node_modules/vite/bin/vite.js", &["build"]),
    ("webpack", "node_modules/webpack-cli/bin/cli.js", &[]),
    ("esbuild", "esbuild.mjs", &[]),
    ("rollup", "node_modules/rollup/dist/bin/rollup", &["-c"]),
];

/// The versions of TypeScript by their folders: the oldest that the types are for, and the newest.
const TYPESCRIPTS: [&str; 2] = ["typescript-5.7", "typescript"];

/// Values of TypeScript's options `module` and `moduleResolution`.
const RESOLUTIONS: [[&str; 2]; 3] = [["nodenext", "nodenext"], ["node16", "node16"], ["esnext", "bundler"]];

/// Packs the package and installs it beside the tools. Checks that it has every file and no test, and what `exports` says.
pub(super) fn package() -> Outcome {
    let (archive, listed) = pack(&tools_folder())?;
    complete(&listed)?;
    install(&archive)?;
    shell::run(&mut tool("node_modules/publint/src/cli.js", &["--strict", "node_modules/carryless"]))?;
    // The entries with `init` are ES modules, also in Node. The .wasm files have no types.
    let options = ["--profile=node16", "--ignore-rules=cjs-resolves-to-esm", "--exclude-entrypoints"];
    let mut types = tool("node_modules/@arethetypeswrong/cli/dist/index.js", &[]);
    types.arg(&archive).args(options).args(MODULES.map(|(module, _)| format!("{module}.wasm")));
    shell::run(&mut types)
}

/// Unpacks the package beside the tools.
pub(super) fn install(archive: &Path) -> Outcome {
    let installed = tools_folder().join("node_modules/carryless");
    // Files of an older package must not stay.
    remove(&installed)?;
    std::fs::create_dir_all(&installed).map_err(shell::failed(&installed))?;
    let mut unpack = shell::command("tar", &["--extract", "--strip-components=1", "--file"]);
    shell::run(unpack.arg(archive).arg("--directory").arg(&installed))
}

/// Packs the package into a folder. Returns the archive and what npm says of it, with the list of its files.
pub(super) fn pack(folder: &Path) -> Result<(PathBuf, String), Stop> {
    let mut pack = shell::command("npm", &["pack", "--json", "--pack-destination"]);
    let listed = shell::output(pack.arg(folder).current_dir(npm()))?;
    let name = listed.split_once("\"filename\": \"").and_then(|(_, rest)| rest.split('"').next());
    let Some(name) = name else { return fail("npm pack does not name its archive") };
    Ok((folder.join(name), listed))
}

fn complete(listed: &str) -> Outcome {
    let of_module = |module: &str| {
        [
            format!("{module}.js"),
            format!("{module}.d.ts"),
            format!("web/{module}.js"),
            format!("inline/{module}.js"),
            format!("init/{module}.js"),
            format!("init/{module}.d.ts"),
            format!("modules/{module}.js"),
            format!("pkg/{module}.cjs"),
            format!("pkg/{module}.d.cts"),
            format!("pkg/{module}/base64.js"),
            format!("pkg/{module}/carryless_wasm_{module}_bg.wasm"),
        ]
    };
    let modules = MODULES.iter().flat_map(|(module, _)| of_module(module));
    let wanted: Vec<String> = modules.chain(SHARED.into_iter().chain(LICENCES).map(String::from)).collect();
    let missing: Vec<&String> =
        wanted.iter().filter(|name| !listed.contains(&format!("\"path\": \"{name}\""))).collect();
    if !missing.is_empty() {
        return fail(format!("not in the package: {missing:?}"));
    }
    if listed.contains("\"path\": \"test/") { fail("tests are in the package") } else { Ok(()) }
}

/// Checks TypeScript programs that use the whole interface, in strict mode, as ES modules and as CommonJS.
pub(super) fn types() -> Outcome {
    let (from, to) = (npm().join("test"), tools_folder().join("types"));
    std::fs::create_dir_all(&to).map_err(shell::failed(&to))?;
    for (name, copied) in [
        ("tsconfig.json", "tsconfig.json"),
        ("init.mts", "init.mts"),
        ("types.mts", "types.mts"),
        ("types.mts", "types.cts"),
    ] {
        copy(&from.join(name), &to.join(copied))?;
    }
    for typescript in TYPESCRIPTS {
        for [module, resolution] in RESOLUTIONS {
            let options = ["--project", "types", "--module", module, "--moduleResolution", resolution];
            shell::run(&mut tool(&format!("node_modules/{typescript}/bin/tsc"), &options))?;
        }
    }
    Ok(())
}

/// Builds the example by each bundler, by its file in examples/javascript, for [`in_browser`].
pub(super) fn bundlers() -> Outcome {
    let (tools, example) = (tools_folder(), shell::root().join("examples/javascript"));
    for file in std::fs::read_dir(&example).map_err(shell::failed(&example))? {
        let file = file.map_err(shell::failed(&example))?;
        copy(&file.path(), &tools.join(file.file_name()))?;
    }
    let built = tools.join("dist");
    for (name, program, args) in BUNDLERS {
        let site = tools.join("sites").join(name);
        remove(&built)?;
        remove(&site)?;
        shell::run(&mut tool(program, args))?;
        // Of the four vite alone writes the page itself.
        if !built.join("index.html").exists() {
            copy(&tools.join("index.html"), &built.join("index.html"))?;
        }
        std::fs::create_dir_all(tools.join("sites")).map_err(shell::failed(&site))?;
        std::fs::rename(&built, &site).map_err(shell::failed(&built))?;
    }
    Ok(())
}

fn remove(folder: &Path) -> Outcome {
    if folder.exists() { std::fs::remove_dir_all(folder).map_err(shell::failed(folder)) } else { Ok(()) }
}

/// Opens the pages of the tests and those that the bundlers built.
pub(super) fn in_browser() -> Outcome {
    shell::need("chromium", "chromium")?;
    let mut tests = shell::command("node", &["test/browser.mjs", "chromium"]);
    shell::run(tests.arg(tools_folder()).current_dir(npm()))
}
