// All that needs a browser, with one build and one Chromium: the journeys and axe.
import { checkViews } from "./axe.mjs";
import { withBrowser } from "./browser.mjs";
import { goJourneys } from "./journeys.mjs";

await withBrowser(async (browser, address) => {
  const arrived = await goJourneys(browser, address);
  const clean = await checkViews(browser, address);
  if (!arrived || !clean) process.exitCode = 1;
});
