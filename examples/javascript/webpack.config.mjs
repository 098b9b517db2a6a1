export default { mode: "production", entry: "./page.js", output: { filename: "page.js" } };
