import { flushSync, mount, unmount } from "svelte";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { storyOf } from "$lib/fake/jobs";
import { startHints } from "$lib/hints";
import { followLanguage, look } from "$lib/look.svelte";
import { type Transport, use } from "$lib/transport";
import type { Hint, JobView } from "$lib/views";

import Now from "../src/now/Now.svelte";
import { job } from "./made";

followLanguage();
look.change({ language: "en" });

let tell: (hints: Hint[]) => void = () => {};
let asked: string[] = [];
/** Every receipt, newest first. */
let recorded: JobView[] = [];
let screen: Record<string, unknown> = {};

const made = (number: number): JobView => ({ ...job("printed", `${number}`), order: `${number}` });

const transport: Transport = {
  call: async (command, { id, most, search }) => {
    if (command === "jobs") {
      const found = recorded.filter(({ order }) => order.startsWith(String(search ?? "")));
      return found.slice(0, Number(most)).map((one) => ({ ...one }));
    }
    if (command !== "job") throw { code: "not_found", detail: command };
    asked.push(String(id));
    const known = recorded.find((one) => one.id === id);
    if (known) return storyOf(known);
    throw { code: "not_found", detail: String(id) };
  },
  onChanged: async (hear) => {
    tell = hear;
    return () => {};
  },
  onQuitAsked: async () => () => {},
};

const title = () => document.querySelector("aside h2")?.textContent;
const pick = (row: number) => document.querySelectorAll<HTMLElement>("[role=option]")[row]?.click();

async function arrive(jobs: JobView[]) {
  recorded = [...jobs, ...recorded];
  tell(jobs.map(({ id }) => ({ changed: "job", id })));
  await vi.advanceTimersByTimeAsync(3_000);
  flushSync();
}

// One clock for all: the turns of the fetches remember it.
beforeAll(async () => {
  vi.useFakeTimers();
  use(transport);
  await startHints();
});
afterAll(() => void vi.useRealTimers());

beforeEach(async () => {
  [asked, recorded] = [[], []];
  screen = mount(Now, { target: document.body });
  await arrive([3, 2, 1].map(made));
});
afterEach(() => unmount(screen));

/** As many as the list holds, and one more. */
const RUSH = Array.from({ length: 201 }, (_, ago) => made(1_000 - ago));

describe("the receipt beside the list", () => {
  it("is the newest while none is picked", async () => {
    expect(title()).toBe("Receipt 3");
    await arrive([made(4)]);
    expect(title()).toBe("Receipt 4");
  });

  it("stays the picked one when newer ones push it off the list", async () => {
    pick(1);
    await arrive(RUSH);
    expect(title()).toBe("Receipt 2");
  });

  it("goes on when it is no longer on the list, asked for by its id", async () => {
    pick(1);
    await arrive(RUSH);
    const two = recorded.find(({ order }) => order === "2");
    if (!two) throw new Error("it is gone");
    two.state = "unconfirmed";
    await arrive([]);
    tell([{ changed: "job", id: two.id }]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(asked).toContain(two.id);
    expect(document.querySelector("aside .pill")?.textContent).toContain("On paper?");
  });

  it("is another as soon as another is picked", async () => {
    pick(1);
    await arrive(RUSH);
    pick(0);
    await arrive([made(1_001)]);
    expect(title()).toBe("Receipt 1000");
  });

  it("is what a search finds, not what was picked before", async () => {
    pick(1);
    await arrive([made(4)]);
    expect(title()).toBe("Receipt 2");
    const field = document.querySelector<HTMLInputElement>("input[type=search]");
    if (!field) throw new Error("there is no field");
    field.value = "1";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(title()).toBe("Receipt 1");
  });
});
