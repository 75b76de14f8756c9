// Pictures of the documented views, in both languages and looks; of others by their names:
// `npm run shots -- FOLDER NAME,NAME`. SIZES, THEMES and LANGS narrow or widen them.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { LANGUAGES, openPage, withBrowser } from "./browser.mjs";
import { VIEWS } from "./views.mjs";

const [folder = "../docs/screens", only] = process.argv.slice(2);
const SIZES = (process.env.SIZES ?? "1366x768").split(" ");
const THEMES = (process.env.THEMES ?? "light dark").split(" ");
mkdirSync(folder, { recursive: true });

const wanted = ({ name, documented }) =>
  only ? only === "all" || only.split(",").includes(name) : documented;

async function shoot(browser, address, view, options) {
  const page = await openPage(browser, address, { ...view, ...options });
  await view.open?.(page);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  const size = SIZES.length > 1 ? `-${options.width}` : "";
  await page.screenshot({
    path: join(folder, `${view.name}-${options.language}-${options.theme}${size}.png`),
  });
  await page.context().close();
}

await withBrowser(async (browser, address) => {
  for (const view of VIEWS.filter(wanted)) {
    for (const language of (process.env.LANGS ?? LANGUAGES.join(" ")).split(" ")) {
      for (const theme of THEMES) {
        for (const size of SIZES) {
          const [width, height] = size.split("x").map(Number);
          await shoot(browser, address, view, { language, theme, width, height });
        }
      }
    }
  }
});
