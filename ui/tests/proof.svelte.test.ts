import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { addedOf, makePrinters, probeOf } from "$lib/fake/printers";
import { followLanguage, look } from "$lib/look.svelte";
import { use } from "$lib/transport";
import type { AddedPrinter } from "$lib/views";

import Proof from "../src/printers/Proof.svelte";

const [front] = makePrinters(new Date("2026-11-30T04:46:05Z"));
let called: string[] = [];
let proof: Record<string, unknown> | null = null;

beforeEach(() => {
  followLanguage();
  look.change({ language: "en" });
  called = [];
  const call = async (command: string) => {
    called.push(command);
    return probeOf(front!);
  };
  use({ call, onChanged: async () => () => {}, onQuitAsked: async () => () => {} });
});

afterEach(() => {
  if (proof) void unmount(proof);
  document.body.replaceChildren();
});

function show(first: AddedPrinter) {
  proof = mount(Proof, { target: document.body, props: { name: first.name, first } });
  flushSync();
}

describe("the proof of a printer that was just added", () => {
  it("is what was found then, and it is not probed again", () => {
    show(addedOf(front!));
    expect(document.body.textContent).toContain("Proves each receipt");
    expect(called).toEqual([]);
  });

  it("is that it was not reached, until it is tried again and answers", async () => {
    show(addedOf({ ...front!, uri: "tcp://10.0.0.9:9100" }));
    expect(document.body.textContent).toContain("it was not reached");
    expect(document.body.textContent).toContain("No route to host");
    document.querySelector<HTMLButtonElement>("button")!.click();
    await new Promise((resolve) => setTimeout(resolve));
    flushSync();
    expect(called).toEqual(["probe_printer"]);
    expect(document.body.textContent).toContain("Proves each receipt");
  });
});
