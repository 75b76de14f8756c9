import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { type Transport, use } from "$lib/transport";
import type { JobView } from "$lib/views";
import JobAside from "$parts/JobAside.svelte";

import { job } from "./made";

let called: string[] = [];
const transport: Transport = {
  call: async (command) => {
    called.push(command);
    if (command === "job_paper") return { svg: "<svg xmlns='http://www.w3.org/2000/svg'/>", text: "paper" };
    throw { code: "not_found", detail: "no story" };
  },
  onChanged: async () => () => {},
  onQuitAsked: async () => () => {},
};

let row = $state.raw<JobView>(job("printing"));
let aside: Record<string, unknown> = {};

/** The row as the next fetch of the list brings it. */
async function fetched(next: JobView) {
  row = next;
  flushSync();
  await new Promise((resolve) => setTimeout(resolve));
}

beforeEach(async () => {
  use(transport);
  called = [];
  row = job("printing");
  const props = {
    title: "",
    keys: [],
    get job() {
      return row;
    },
  };
  aside = mount(JobAside, { target: document.body, props });
  await fetched(row);
});
afterEach(() => unmount(aside));

describe("what is shown beside a list", () => {
  it("is asked for once, however often the list is fetched", async () => {
    for (let times = 0; times < 5; times += 1) await fetched({ ...row });
    expect(called.sort()).toEqual(["job", "job_paper"]);
  });

  it("goes on with the job's story, and with its paper when that is another", async () => {
    await fetched({ ...row, state: "printed", changed_at: "2026-11-30T04:47:00Z" });
    expect(called.filter((command) => command === "job")).toHaveLength(2);
    expect(called.filter((command) => command === "job_paper")).toHaveLength(1);
    await fetched({ ...row, reprint: true });
    expect(called.filter((command) => command === "job_paper")).toHaveLength(2);
  });

  it("frees the drawing that is no longer shown", async () => {
    const freed = vi.spyOn(URL, "revokeObjectURL");
    const shown = document.querySelector("img")?.src;
    expect(shown).toMatch(/^blob:/);
    await fetched({ ...row, reprint: true });
    expect(freed).toHaveBeenCalledWith(shown);
  });
});
