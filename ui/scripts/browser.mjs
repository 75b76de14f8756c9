// The window's pages on a made-up register, in a headless Chromium: what the pictures and axe share.
import { build, preview } from "vite";
import { chromium } from "playwright-core";

/** The made-up day ends at this moment. */
const NOW = "2026-11-30T04:46:05Z";

export const LANGUAGES = ["zh-CN", "en"];
export const SCREENS = ["now", "todo", "day", "printers", "settings"];

/** As strict as the window's own, and stricter for styles: what it blocks shows as an error. */
const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'";

/** Builds and serves the pages, opens a browser, and ends both after `work`. */
export async function withBrowser(work) {
  const root = new URL("..", import.meta.url).pathname;
  await build({ root, mode: "fake", logLevel: "warn" });
  const server = await preview({
    root,
    mode: "fake",
    logLevel: "warn",
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

/** A page of the window: its size, language, colours, and how the made-up register starts. */
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
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.clock.setFixedTime(new Date(NOW));
  await page.addInitScript((look) => localStorage.setItem("look", JSON.stringify(look)), {
    language,
    theme,
    textSize: size,
    sounds: false,
  });
  page.on("pageerror", (error) => console.error(`${screen} ${language} ${theme}: ${error.message}`));
  page.on(
    "console",
    (message) => message.type() === "error" && console.error(`${screen} ${language}: ${message.text()}`),
  );
  await page.goto(`${address}?${query}#${screen}`);
  await page.waitForSelector("h1");
  await page.waitForLoadState("networkidle");
  return page;
}

const press = (key) => (page) => page.keyboard.press(key);

/** Every view worth looking at: its name, its screen, and what is done to get there. */
export const VIEWS = [
  ...SCREENS.map((screen) => ({ name: screen, screen, documented: true })),
  { name: "now-calm", screen: "now", query: "calm" },
  { name: "todo-calm", screen: "todo", query: "calm" },
  {
    name: "todo-chosen",
    screen: "todo",
    open: async (page) => {
      for (const key of [" ", "ArrowDown", " ", "ArrowDown", " "]) await page.keyboard.press(key);
    },
  },
  { name: "todo-skip", screen: "todo", open: press("Delete") },
  { name: "todo-reroute", screen: "todo", open: press("r") },
  {
    name: "todo-rejected",
    screen: "todo",
    open: async (page) => {
      await press("End")(page);
      await press("ArrowUp")(page);
    },
  },
  { name: "day-count", screen: "day", open: press("F6") },
  { name: "day-close", screen: "day", open: press("F9") },
  { name: "help", screen: "now", documented: true, open: press("F1") },
  { name: "quit", screen: "now", open: press("Control+q") },
  {
    name: "printers-add",
    screen: "printers",
    open: async (page) => {
      await page.locator("main .top button").click();
      await page.locator("dialog .find button").click();
      await page.waitForSelector("dialog li button");
    },
  },
  {
    name: "printers-probe",
    screen: "printers",
    open: async (page) => {
      await page.locator("main ul li:nth-child(3) .buttons button:nth-child(3)").click();
      await page.waitForSelector("dialog fieldset");
    },
  },
  {
    name: "settings-pin",
    screen: "settings",
    open: (page) => page.locator("form button[type=submit]").click(),
  },
  { name: "setup", screen: "now", documented: true, query: "phase=setup" },
  {
    name: "setup-printer",
    screen: "now",
    query: "phase=setup",
    open: async (page) => {
      for (const field of await page.locator("input[type=password]").all()) await field.fill("1234");
      await page.locator("button[type=submit]").click();
      await page.waitForSelector(".virtual");
    },
  },
  { name: "locked", screen: "now", query: "phase=locked" },
];
