import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { followLanguage, LANGUAGES, look } from "$lib/look.svelte";
import { CURE, differenceText, openingPill } from "$lib/text/day";
import { CONFIRMATION, DONE, jobPill, KIND, orderOf, SAFE, STATE, VERB } from "$lib/text/jobs";
import { LEVEL } from "$lib/text/printers";
import { PROBLEM, problemText } from "$lib/text/problems";
import { REASON } from "$lib/text/reasons";
import { noticeText } from "$lib/text/todo";
import type { Difference } from "$lib/views";

import { incompleteTexts } from "../scripts/texts.mjs";
import { job } from "./made";

const CONVENTIONS = { locale: "en", currency: "CNY", zone: "UTC" };

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(
      (entry) =>
        entry.isFile() && /\.(ts|svelte)$/.test(entry.name) && !entry.parentPath.includes("paraglide"),
    )
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}

function pair(first: object, second: object): string {
  const folder = mkdtempSync(join(tmpdir(), "texts-"));
  writeFileSync(join(folder, "a.json"), JSON.stringify(first));
  writeFileSync(join(folder, "b.json"), JSON.stringify(second));
  return folder;
}

describe("the texts", () => {
  it("are complete in every language", () => {
    expect(incompleteTexts("messages")).toEqual([]);
  });

  it("are found incomplete when one is missing, empty, or names another input", () => {
    expect(incompleteTexts(pair({ a: "x" }, {}))).toEqual(["b.json: a is missing"]);
    expect(incompleteTexts(pair({ a: "x" }, { a: "" }))).toHaveLength(1);
    expect(incompleteTexts(pair({ a: "{count}" }, { a: "{amount}" }))).toHaveLength(1);
  });

  it("are all used", () => {
    const used = new Set(
      sources("src").flatMap((text) => [...text.matchAll(/\bm\.(\w+)/g)].map((found) => found[1])),
    );
    const { $schema: _, ...texts } = JSON.parse(readFileSync("messages/en.json", "utf8")) as Record<
      string,
      unknown
    >;
    expect(Object.keys(texts).filter((key) => !used.has(key))).toEqual([]);
  });

  it("say something different for every code, in both languages", () => {
    followLanguage();
    const tables = {
      STATE,
      CONFIRMATION,
      KIND,
      VERB,
      DONE,
      PROBLEM,
      CURE,
      SAFE: { ...SAFE, sent: STATE.sent },
      ADVICE: Object.fromEntries(Object.entries(REASON).map(([code, said]) => [code, said.advice])),
    };
    for (const language of LANGUAGES) {
      look.change({ language });
      for (const [name, table] of Object.entries(tables)) {
        const texts = Object.values(table).map((text) => text());
        expect(
          texts.every((text) => text.length > 0),
          `${name} ${language}`,
        ).toBe(true);
        expect(new Set(texts).size, `${name} ${language}`).toBe(texts.length);
      }
      for (const { short, advice } of Object.values(REASON)) expect(short()).not.toBe(advice());
      for (const { short, meaning } of Object.values(LEVEL)) expect(short()).not.toBe(meaning());
    }
  });

  it("follow the language at once", () => {
    followLanguage();
    look.change({ language: "zh-CN" });
    expect(STATE.printed()).toBe("已出纸");
    look.change({ language: "en" });
    expect(STATE.printed()).toBe("On paper");
  });

  it("tell of every problem the local API can answer with", () => {
    const api = JSON.parse(readFileSync("../docs/openapi.json", "utf8")) as {
      components: { schemas: { Code: { enum: string[] } } };
    };
    const codes = api.components.schemas.Code.enum;
    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code) => !(code in PROBLEM))).toEqual([]);
  });

  it("of a code that is not known is that of a fault of the program", () => {
    expect(problemText("from_the_future")).toBe(PROBLEM.internal());
  });
});

describe("a notice", () => {
  it("has a title and a cure of its own for every code, and keeps a code that is not known", () => {
    const codes = [
      "rescued",
      "restored",
      "unreadable_job",
      "fonts_missing",
      "cloud_differences",
      "clock_drift",
    ];
    const texts = codes.map((code) => noticeText({ id: 1, code, detail: "detail", noticed_at: "" }));
    expect(texts.every(({ title, hint }) => !codes.includes(title) && hint !== "detail")).toBe(true);
    expect(new Set(texts.flatMap(({ title, hint }) => [title, hint])).size).toBe(2 * codes.length);
    const unknown = noticeText({ id: 1, code: "from_the_future", detail: "detail", noticed_at: "" });
    expect(unknown).toEqual({ title: "from_the_future", hint: "detail" });
  });
});

describe("an opening of the drawer", () => {
  it("says how it ended", () => {
    followLanguage();
    look.change({ language: "en" });
    const outcomes = ["due", "opened", "dropped", "unconfirmed"];
    expect(outcomes.map((outcome) => openingPill(outcome).text)).toEqual([
      "Not yet",
      "Opened",
      "Not opened",
      "Opened?",
    ]);
    expect(openingPill("stuck").text).toBe("stuck");
  });
});

describe("a difference", () => {
  it("shows money as money and counts as counts", () => {
    followLanguage();
    look.change({ language: "en" });
    const money: Difference = {
      code: "pos",
      figure: "tenders.cash",
      pos: 5600,
      register: 5400,
      cure: "compare_with_pos",
    };
    const receipts: Difference = {
      code: "pos",
      figure: "receipts",
      pos: 219,
      register: 218,
      cure: "compare_with_pos",
    };
    expect(differenceText(money, CONVENTIONS)).toBe("Cash: POS ¥56.00, register ¥54.00");
    expect(differenceText(receipts, CONVENTIONS)).toBe("Receipts: POS 219, register 218");
  });
});

describe("the order number in an id", () => {
  it("is that of the job, or of the job a record is about", () => {
    expect(orderOf("S1:20261130-000151:receipt:v1")).toBe("20261130-000151");
    expect(orderOf("S1:20261130-000151:kitchen:v1:c2")).toBe("20261130-000151");
    expect(orderOf("S1:20261130-000151:receipt:v1/receipt/e1/r1")).toBe("20261130-000151");
  });

  it("is not in the id of a close, which stays whole", () => {
    expect(orderOf("R1:2026-11-30:z41/close/e1/r2")).toBe("R1:2026-11-30:z41/close/e1/r2");
    expect(orderOf("")).toBe("");
  });
});

describe("the pill of a job", () => {
  it("looks different when it is only trusted", () => {
    expect(jobPill(job("printed"))).toMatchObject({ tone: "ok" });
    expect(jobPill({ ...job("printed"), confirmation: "assumed" })).toMatchObject({ tone: "calm" });
  });

  it("tells of a second paper and of a copy", () => {
    expect(jobPill({ ...job("printed"), reprint: true }).text).toContain("reprint");
    expect(jobPill({ ...job("printed"), copy_of: "S1:1:receipt:v1" }).text).toContain("copy");
  });

  it("tells why it waits", () => {
    expect(jobPill({ ...job("pending"), cause: "cover_open" }).text).toContain("Cover open");
  });
});
