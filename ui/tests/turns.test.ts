import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { startHints } from "$lib/hints";
import { use } from "$lib/transport";
import { Turns, turns } from "$lib/turns";
import type { Hint } from "$lib/views";
import { DEAR_GAP_MS, Watched } from "$lib/watched.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The most of the instants that lie within one second. */
function mostInASecond(instants: readonly number[]): number {
  return Math.max(...instants.map((from) => instants.filter((at) => at >= from && at < from + 1_000).length));
}

describe("turns", () => {
  it("come at once until a second is full, then as the second goes by", async () => {
    const turns = new Turns();
    const taken: number[] = [];
    for (let asked = 0; asked < 35; asked += 1) void turns.take().then(() => taken.push(performance.now()));
    await vi.advanceTimersByTimeAsync(0);
    expect(taken).toHaveLength(8);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(taken).toHaveLength(35);
    expect(mostInASecond(taken)).toBe(8);
  });
});

describe("all that a screen watches together", () => {
  it("asks the register at most ten times in any second, with two hundred receipts a second and another shown twice", async () => {
    let tell: (hints: Hint[]) => void = () => {};
    use({
      call: async () => null,
      onChanged: async (hear) => {
        tell = hear;
        return () => {};
      },
      onQuitAsked: async () => () => {},
    });
    await startHints();
    const asked: number[] = [];
    const fetch = async () => asked.push(performance.now());
    const gaps = [undefined, undefined, undefined, DEAR_GAP_MS, DEAR_GAP_MS];
    const shown = setInterval(() => {
      for (let call = 0; call < 2; call += 1) {
        turns.note();
        asked.push(performance.now());
      }
    }, 500);
    const stops = gaps.map((gap) => new Watched(fetch, ({ changed }) => changed === "job", gap).start());
    for (let ms = 0; ms < 5_000; ms += 5) {
      tell([{ changed: "job", id: `S1:${ms}:receipt:v1` }]);
      await vi.advanceTimersByTimeAsync(5);
    }
    for (const stop of stops) stop();
    clearInterval(shown);
    expect(asked.length).toBeGreaterThan(30);
    expect(mostInASecond(asked)).toBeLessThanOrEqual(10);
  });

  it("is fetched at once the first time, however much was asked before", async () => {
    for (let asked = 0; asked < 20; asked += 1) turns.note();
    const fetch = vi.fn(async () => 1);
    const stop = new Watched(fetch, () => true).start();
    await vi.advanceTimersByTimeAsync(0);
    stop();
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});
