// The window's pages on a made-up register, in a headless Chromium: what pictures, checks and journeys share.
import { fileURLToPath } from "node:url";

import { build, preview } from "vite";
import { chromium } from "playwright-core";

/** The made-up day ends at this moment. */
const NOW = "2026-11-30T04:46:05Z";

export const LANGUAGES = ["zh-CN", "en"];

/** Where each language's made-up shop stands. */
const ZONES = { "zh-CN": "Asia/Shanghai", en: "Europe/London" };

/** As strict as the window's own: what it blocks shows as an error. */
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: blob:; connect-src 'self'";

/** Builds and serves the pages, opens a browser, and ends both after `work`. */
export async function withBrowser(work) {
  const root = new URL("..", import.meta.url).pathname;
  await build({ root, mode: "fake", logLevel: "error" });
  const server = await preview({
    root,
    mode: "fake",
    logLevel: "error",
    build: { outDir: "dist-fake" },
    preview: { port: 0, host: "127.0.0.1", headers: { "Content-Security-Policy": CSP } },
  });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
  try {
    await work(browser, server.resolvedUrls.local[0]);
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Whether a script was called by itself, not by another. */
export const isCalled = (url) => process.argv[1] === fileURLToPath(url);

/**
 * A page of the window, with what goes wrong in it as `troubles`, blocked styles and scripts too: its size,
 * language, colours, and how the made-up register starts.
 */
export async function openPage(
  browser,
  address,
  {
    width = 1366,
    height = 768,
    language = "zh-CN",
    theme = "light",
    size = "normal",
    query = "",
    screen = "now",
  },
) {
  const context = await browser.newContext({
    viewport: { width, height },
    timezoneId: ZONES[language],
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(new Date(NOW));
  await page.addInitScript((look) => localStorage.setItem("look", JSON.stringify(look)), {
    language,
    theme,
    textSize: size,
    sounds: false,
  });
  page.troubles = [];
  page.on("pageerror", (error) => page.troubles.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.troubles.push(message.text()));
  await page.goto(`${address}?${query}#${screen}`);
  await page.waitForSelector("h1");
  await page.waitForLoadState("networkidle");
  return page;
}
