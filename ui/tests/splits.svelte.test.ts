import { flushSync, mount, tick, unmount } from "svelte";
import { afterEach, beforeEach, expect, it } from "vitest";

import { makeSplits, manualAt } from "$lib/fake/splits";
import { NOT_PAIRED, pairedWith } from "$lib/fake/cloud";
import { followLanguage, look } from "$lib/look.svelte";
import { use } from "$lib/transport";
import type { SplitsView } from "$lib/views";

import SplitsCard from "../src/day/SplitsCard.svelte";

const AT = "2026-12-01T02:05:00Z";
const online = pairedWith("https://dispatch.example.com", "Old Wang");

let card: Record<string, unknown> | null = null;
let asked: [string, Record<string, unknown>][] = [];

function show(splits: SplitsView) {
  card = mount(SplitsCard, { target: document.body, props: { splits, onanswered: () => {} } });
  flushSync();
}

beforeEach(() => {
  followLanguage();
  look.change({ language: "en" });
  asked = [];
  const call = async (command: string, args: Record<string, unknown>) => {
    asked.push([command, args]);
    return manualAt("2026-12-01", AT)[0];
  };
  use({ call, onChanged: async () => () => {}, onQuitAsked: async () => () => {} });
});

afterEach(() => {
  if (card) void unmount(card);
  document.body.replaceChildren();
});

const rows = () => [...document.querySelectorAll<HTMLLIElement>("li")];

async function press(row: HTMLElement | undefined, key: string) {
  row!.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  flushSync();
  await tick();
}

it("shows what succeeded, is pending and waits for a manager, with amounts", () => {
  show(makeSplits(online, manualAt("2026-12-01", AT)));
  const cells = [...document.querySelectorAll("tbody tr")].map((row) => row.textContent);
  expect(cells[0]).toMatch(/^\s*Succeeded\s*198.*12,046\.00/);
  expect(cells[1]).toMatch(/^\s*Pending\s*3.*154\.00/);
  expect(cells[2]).toMatch(/^\s*Waiting for a manager\s*2.*214\.00/);
  expect(rows().map((row) => row.textContent)).toEqual([
    expect.stringContaining("An account is frozen."),
    expect.stringContaining("It was tried for a day"),
  ]);
});

it("says from when its numbers are while the head office is not reached", () => {
  show(makeSplits({ ...NOT_PAIRED, state: "offline", contact_at: AT }, []));
  expect(document.querySelector("[role=status]")?.textContent).toContain("not reached. Its numbers are from");
});

it("tries again at once, and asks for the evidence before it counts as paid", async () => {
  show(makeSplits(online, manualAt("2026-12-01", AT)));
  const [frozen] = rows();
  await press(frozen, "r");
  expect(asked).toEqual([["answer_split", { id: "S1:20261130-000143:receipt:v1", verb: "retry", body: {} }]]);
  await press(frozen, "y");
  const note = document.querySelector<HTMLInputElement>("dialog input");
  note!.value = "slip 4711";
  note!.dispatchEvent(new Event("input", { bubbles: true }));
  flushSync();
  document
    .querySelector("dialog form")!
    .dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
  await tick();
  expect(asked.at(-1)?.[1]).toMatchObject({ verb: "settle", body: { note: "slip 4711" } });
});

it("does not offer to cancel what may be paid", async () => {
  show(makeSplits(online, manualAt("2026-12-01", AT)));
  const [, doubtful] = rows();
  expect(doubtful?.querySelectorAll("button").length).toBe(2);
  await press(doubtful, "Delete");
  expect(document.querySelector("dialog")).toBeNull();
});
