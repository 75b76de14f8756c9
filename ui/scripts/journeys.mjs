// Journeys by the keyboard alone, on the made-up register: what the units cannot see, the focus and the dialogs.
import assert from "node:assert/strict";

import { openPage, withBrowser } from "./browser.mjs";

const active = (page) =>
  page.evaluate(() => document.activeElement?.getAttribute("role") ?? document.activeElement?.tagName);
const waiting = async (page) => Number(await page.locator("h1 .figures").innerText());
const said = (page, text) => page.locator("[popover] li", { hasText: text }).waitFor();
const asideSays = (page, text) => page.locator("aside h2", { hasText: text }).waitFor();
const dialogs = (page, count) =>
  page.waitForFunction((wanted) => document.querySelectorAll("dialog[open]").length === wanted, count);

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

const JOURNEYS = {
  async "the latest receipts are walked, copied and searched"(page) {
    assert.equal(await active(page), "listbox");
    await press(page, "ArrowDown");
    await asideSays(page, "000217");
    await press(page, "End");
    assert.ok((await page.locator("[role=option]").count()) < 40, "only rows in view are drawn");
    await press(page, "Home", "F8");
    await said(page, "COPY");
    await press(page, "Control+k");
    await page.keyboard.type("000100");
    await page.waitForFunction(() => document.querySelectorAll("[role=option]").length === 1);
  },

  async "an unconfirmed receipt is answered with one letter"(page) {
    await press(page, "F3");
    assert.equal(await active(page), "grid");
    const before = await waiting(page);
    await press(page, "y");
    await said(page, "on paper");
    await page.locator("h1 .figures", { hasText: String(before - 1) }).waitFor();
  },

  async "a skip needs its reason, and the list has the focus again"(page) {
    await press(page, "F3", "Delete");
    await dialogs(page, 1);
    await press(page, "Escape");
    await dialogs(page, 0);
    assert.equal(await active(page), "grid");
    await press(page, "Delete");
    await dialogs(page, 1);
    await page.keyboard.type("dropped on the floor");
    await press(page, "Enter");
    await said(page, "Skipped");
    assert.equal(await active(page), "grid");
  },

  async "many are answered at once"(page) {
    await press(page, "F3", "Control+a", "r");
    await dialogs(page, 1);
    await press(page, "Enter");
    await said(page, "done");
    assert.equal(await waiting(page), 2, "what is no job stays");
  },

  async "letters in a field are no answers"(page) {
    await press(page, "F3");
    const before = await waiting(page);
    await press(page, "Control+k");
    await page.keyboard.type("ynr");
    await press(page, "F3");
    assert.equal(await waiting(page), before);
  },

  async "a manager's act asks for the PIN, and goes on with the right one"(page) {
    await press(page, "F5");
    await page.getByRole("button", { name: "Remove" }).first().focus();
    await press(page, "Enter");
    await dialogs(page, 1);
    await press(page, "Tab", "Enter");
    await page.getByLabel("Manager PIN").waitFor();
    await page.keyboard.type("1111");
    await press(page, "Enter");
    await page.getByText("The PIN is wrong").waitFor();
    await page.keyboard.type("1234");
    await press(page, "Enter");
    await page.waitForFunction(() => document.querySelectorAll("main > ul > li").length === 2);
  },

  async "the day is counted and closed"(page) {
    await press(page, "F4");
    await page.locator("table").first().waitFor();
    await press(page, "F6");
    await dialogs(page, 1);
    await page.keyboard.type("30");
    await press(page, "Enter");
    await said(page, "count is recorded");
    await press(page, "F9");
    await dialogs(page, 1);
    await page.getByLabel("Why it differs").fill("a note was torn");
    await page.getByLabel("Manager PIN").fill("1234");
    await press(page, "Enter");
    await said(page, "Session 41 is closed");
  },

  async "the language changes at once"(page) {
    await press(page, "F10");
    await page.getByLabel("简体中文").focus();
    await press(page, "Space");
    await page.locator("h1", { hasText: "设置" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-CN");
  },
};

let failed = 0;
await withBrowser(async (browser, address) => {
  for (const [name, journey] of Object.entries(JOURNEYS)) {
    const page = await openPage(browser, address, { language: "en" });
    page.setDefaultTimeout(5_000);
    try {
      await journey(page);
      console.log(`ok    ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${name}: ${error.message}`);
    }
    await page.context().close();
  }
});
process.exitCode = failed > 0 ? 1 : 0;
