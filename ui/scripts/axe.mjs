// axe on every view, in both languages and three looks; any finding fails.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { LANGUAGES, openPage, VIEWS, withBrowser } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const THEMES = ["light", "dark", "contrast"];
const [only] = process.argv.slice(2);

async function findings(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (values) => window.axe.run({ runOnly: { type: "tag", values } }),
    RULES,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} ${target.join(" ")}: ${failureSummary.replaceAll("\n", " ")}`,
    ),
  );
}

let checked = 0;
const found = [];
await withBrowser(async (browser, address) => {
  for (const view of VIEWS.filter(({ name }) => !only || name === only)) {
    for (const language of LANGUAGES) {
      for (const theme of THEMES) {
        const page = await openPage(browser, address, { ...view, language, theme });
        await view.open?.(page);
        for (const finding of await findings(page))
          found.push(`${view.name} ${language} ${theme}: ${finding}`);
        checked += 1;
        await page.context().close();
      }
    }
  }
});
console.log(found.join("\n"));
console.log(`${checked} views, ${found.length} findings`);
process.exitCode = found.length > 0 ? 1 : 0;
