// Journeys by the keyboard alone, on the made-up register: what the units cannot see, the focus and the dialogs.
import assert from "node:assert/strict";

import { isCalled, openPage, withBrowser } from "./browser.mjs";

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

  async "of the other printers one that prints has the focus"(page) {
    await press(page, "F3", "r");
    await dialogs(page, 1);
    assert.match(await page.locator("dialog button:focus").innerText(), /^bar\b/);
  },

  async "many are answered at once"(page) {
    await press(page, "F3", "Control+a", "r");
    await dialogs(page, 1);
    await press(page, "Enter");
    await said(page, "done");
    // What is no job stays.
    await page.locator("h1 .figures", { hasText: /^2$/ }).waitFor();
  },

  async "the register is paired with a head office by its code"(page) {
    await press(page, "F10", "Control+h");
    await dialogs(page, 1);
    await page.getByLabel("Address of the head office").fill("https://dispatch.example.com");
    await page.getByLabel("Code", { exact: true }).fill("7QK4-M2XD");
    await press(page, "Enter");
    await page.getByLabel("Manager PIN").waitFor();
    await page.keyboard.type("1234");
    await press(page, "Enter");
    await said(page, "Paired with the head office");
    await dialogs(page, 0);
    await press(page, "F2");
    await page.locator("li h2", { hasText: "Head office" }).waitFor();
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

  async "a split that waits for the manager is paid by evidence"(page) {
    await page.goto(page.url().replace("?", "?splits"));
    await page.waitForSelector("h1");
    await press(page, "F4");
    await page.locator("#splits-manual + ul li").first().waitFor();
    await press(page, "Control+s");
    assert.equal(await active(page), "LI");
    await press(page, "y");
    await dialogs(page, 1);
    await page.keyboard.type("slip 4711");
    await press(page, "Enter");
    await page.getByLabel("Manager PIN").fill("1234");
    await press(page, "Enter");
    await said(page, "It counts as paid");
    await page.waitForFunction(() => document.querySelectorAll("#splits-manual + ul li").length === 1);
  },

  async "a day is turned back, and written to a file"(page) {
    await press(page, "F4");
    await page.locator("table").first().waitFor();
    await press(page, "Control+ArrowLeft");
    await page.locator("b", { hasText: "November 29" }).waitFor();
    await press(page, "Control+p");
    await said(page, "2026-11-29.pdf");
    await press(page, "Control+h");
    await page.locator("section > div:not(.hidden) > table.figures").waitFor();
  },

  async "a key that is held down, or pressed twice, is one answer"(page) {
    await press(page, "F3");
    const before = await waiting(page);
    await page.keyboard.down("y");
    for (let repeat = 0; repeat < 5; repeat += 1) await page.keyboard.down("y");
    await page.keyboard.up("y");
    await press(page, "y");
    await page.locator("h1 .figures", { hasText: String(before - 1) }).waitFor();
    assert.equal(await waiting(page), before - 1);
  },

  async "the paper is shown large, and the list has the focus again"(page) {
    await press(page, "F7");
    await dialogs(page, 1);
    await page.locator("dialog img").waitFor();
    await press(page, "Escape");
    await dialogs(page, 0);
    assert.equal(await active(page), "listbox");
  },

  async "a refused receipt and a notice are dealt with by the main key"(page) {
    await press(page, "F3", "End", "Enter");
    await page.locator("h1 .figures", { hasText: "11" }).waitFor();
    await press(page, "Enter");
    await dialogs(page, 1);
    await page.keyboard.type("corrected in the POS");
    await press(page, "Enter");
    await page.locator("h1 .figures", { hasText: "10" }).waitFor();
  },

  async "the manager changes the PIN, and locks"(page) {
    await press(page, "F10", "Control+p");
    await dialogs(page, 1);
    await page.getByLabel("Current PIN").fill("1111");
    await page.getByLabel("New PIN").fill("2468");
    await page.getByLabel("Once more").fill("2468");
    await press(page, "Enter");
    await page.getByText("The PIN is wrong").waitFor();
    await page.getByLabel("Current PIN").fill("1234");
    await press(page, "Enter");
    await said(page, "PIN is changed");
    await page.getByText("Unlocked until").waitFor();
    await press(page, "Control+l");
    await page.locator(".pill", { hasText: "Locked" }).waitFor();
  },

  async "a printer is paused and added by the keyboard"(page) {
    await press(page, "F5");
    await page.locator("main li").first().focus();
    await press(page, "p");
    await page.locator(".pill", { hasText: "Paused" }).waitFor();
    await press(page, "Insert");
    await dialogs(page, 1);
  },

  async "what each component may be used under is shown"(page) {
    await press(page, "F10");
    await page.getByRole("button", { name: "Open components" }).click();
    await page.locator("dialog [role=option]").first().waitFor();
    assert.ok((await page.locator("dialog [role=option]").count()) < 40, "only rows in view are drawn");
    await press(page, "ArrowDown", "ArrowDown");
    await page
      .locator("dialog pre", { hasText: /licen[cs]e|permission/i })
      .first()
      .waitFor();
  },

  async "the language changes at once"(page) {
    await press(page, "F10");
    await page.getByLabel("简体中文").focus();
    await press(page, "Space");
    await page.locator("h1", { hasText: "设置" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-CN");
  },
};

async function travel(browser, address, [name, journey]) {
  const page = await openPage(browser, address, { language: "en" });
  page.setDefaultTimeout(10_000);
  try {
    await journey(page);
    assert.deepEqual(page.troubles, [], "the page is without errors");
    console.log(`ok    ${name}`);
    return true;
  } catch (error) {
    console.log(`FAIL  ${name}: ${error.message}`);
    return false;
  } finally {
    await page.context().close();
  }
}

/** Goes all journeys; whether each arrived. */
export async function goJourneys(browser, address) {
  const arrived = [];
  for (const journey of Object.entries(JOURNEYS)) arrived.push(await travel(browser, address, journey));
  return arrived.every(Boolean);
}

if (isCalled(import.meta.url)) {
  await withBrowser(async (browser, address) => {
    if (!(await goJourneys(browser, address))) process.exitCode = 1;
  });
}
