// Every text in every language, with the same inputs: run by the build, the tests and by itself.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The inputs a message names, `{count}`. */
function inputsOf(message) {
  const text = typeof message === "string" ? message : JSON.stringify(message[0].match);
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]))].sort();
}

/** What is missing, empty or different, one line each. */
export function incompleteTexts(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const languages = files.map((name) => {
    const { $schema: _, ...texts } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    return { name, texts };
  });
  const keys = new Set(languages.flatMap(({ texts }) => Object.keys(texts)));
  const gaps = [];
  for (const key of keys) {
    for (const { name, texts } of languages) {
      if (!texts[key]) gaps.push(`${name}: ${key} is missing`);
    }
    const plain = languages.map(({ texts }) => texts[key]).filter((text) => typeof text === "string");
    if (new Set(plain.map((text) => inputsOf(text).join())).size > 1) {
      gaps.push(`${key}: its languages name different inputs`);
    }
  }
  return gaps;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const gaps = incompleteTexts(fileURLToPath(new URL("../messages", import.meta.url)));
  if (gaps.length > 0) {
    console.error(gaps.join("\n"));
    process.exit(1);
  }
}
