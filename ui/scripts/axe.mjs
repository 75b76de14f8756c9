// axe on every view, in both languages and three looks, and whether it fits; any finding fails.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { isCalled, LANGUAGES, openPage, withBrowser } from "./browser.mjs";
import { misfitsOn } from "./fit.mjs";
import { VIEWS } from "./views.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const THEMES = ["light", "dark", "contrast"];
/** Pages that are looked at side by side. */
const AT_ONCE = 3;

async function violations(page, theme) {
  await page.evaluate((wanted) => (document.documentElement.dataset.theme = wanted), theme);
  const { violations } = await page.evaluate(
    (values) => window.axe.run({ runOnly: { type: "tag", values } }),
    RULES,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${theme}: ${id} ${target.join(" ")}: ${failureSummary.replaceAll("\n", " ")}`,
    ),
  );
}

async function findings(browser, address, view, language) {
  const page = await openPage(browser, address, { ...view, language });
  await view.open?.(page);
  await page.evaluate(AXE);
  const found = [];
  for (const theme of THEMES) found.push(...(await violations(page, theme)));
  found.push(...(await misfitsOn(page)), ...page.troubles);
  await page.context().close();
  return found.map((finding) => `${view.name} ${language} ${finding}`);
}

/** Looks at all views, or at those of one name; whether nothing was found. */
export async function checkViews(browser, address, only) {
  const open = VIEWS.filter(({ name }) => !only || name === only).flatMap((view) =>
    LANGUAGES.map((language) => ({ view, language })),
  );
  const count = open.length;
  const found = [];
  const look = async () => {
    for (let next = open.shift(); next; next = open.shift())
      found.push(...(await findings(browser, address, next.view, next.language)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, look));
  for (const finding of found.sort()) console.log(finding);
  console.log(`${count} views in ${THEMES.length} looks, ${found.length} findings`);
  return found.length === 0;
}

if (isCalled(import.meta.url)) {
  await withBrowser(async (browser, address) => {
    if (!(await checkViews(browser, address, process.argv[2]))) process.exitCode = 1;
  });
}
