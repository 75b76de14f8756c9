import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { startHints } from "$lib/hints";
import { type Transport, use } from "$lib/transport";
import type { Hint } from "$lib/views";
import { Watched } from "$lib/watched.svelte";

let tell: (hints: Hint[]) => void = () => {};
const transport: Transport = {
  call: async () => null,
  onChanged: async (hear) => {
    tell = hear;
    return () => {};
  },
  onQuitAsked: async () => () => {},
};

// One clock for all: the turns of the fetches remember it.
beforeAll(async () => {
  vi.useFakeTimers();
  use(transport);
  await startHints();
});
beforeEach(() => void vi.advanceTimersByTime(1_000));
afterAll(() => void vi.useRealTimers());

describe("something watched", () => {
  it("is fetched again a few times a second, however many hints come", async () => {
    const fetch = vi.fn(async () => 1);
    const stop = new Watched(fetch, () => true).start();
    for (let ms = 0; ms < 1_000; ms += 5) {
      tell([{ changed: "day" }]);
      await vi.advanceTimersByTimeAsync(5);
    }
    stop();
    expect(fetch.mock.calls.length).toBeGreaterThan(1);
    expect(fetch.mock.calls.length).toBeLessThanOrEqual(4);
  });

  it("is not fetched for what does not touch it, but always for everything", async () => {
    const fetch = vi.fn(async () => 1);
    const stop = new Watched(fetch, ({ changed }) => changed === "job").start();
    await vi.advanceTimersByTimeAsync(500);
    tell([{ changed: "printer", name: "front" }]);
    await vi.advanceTimersByTimeAsync(500);
    expect(fetch).toHaveBeenCalledTimes(1);
    tell([{ changed: "everything" }]);
    await vi.advanceTimersByTimeAsync(500);
    expect(fetch).toHaveBeenCalledTimes(2);
    stop();
  });

  it("is fetched again after a lost hint, by the slow tick and by the focus", async () => {
    const fetch = vi.fn(async () => 1);
    const stop = new Watched(fetch, () => false).start();
    await vi.advanceTimersByTimeAsync(500);
    const before = fetch.mock.calls.length;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(fetch.mock.calls.length).toBeGreaterThan(before);
    const ticked = fetch.mock.calls.length;
    window.dispatchEvent(new Event("focus"));
    await vi.advanceTimersByTimeAsync(500);
    expect(fetch.mock.calls.length).toBeGreaterThan(ticked);
    stop();
  });

  it("that could not be fetched is asked again by itself, until nobody follows it", async () => {
    const fetch = vi.fn(async () => {
      throw { code: "unavailable", detail: "busy" };
    });
    const watched = new Watched<number>(fetch, () => false);
    const stop = watched.start();
    await vi.advanceTimersByTimeAsync(500);
    expect(watched.problem?.code).toBe("unavailable");
    await vi.advanceTimersByTimeAsync(6_500);
    expect(fetch.mock.calls.length).toBeGreaterThan(2);
    stop();
    const before = fetch.mock.calls.length;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(fetch).toHaveBeenCalledTimes(before);
  });

  it("drops the answer to what is no longer asked", async () => {
    let late: (day: string) => void = () => {};
    const watched = new Watched(
      () => new Promise<string>((resolve) => (late = resolve)),
      () => false,
    );
    const stop = watched.start();
    await watched.ask(async () => "today");
    late("yesterday");
    await vi.advanceTimersByTimeAsync(500);
    expect(watched.value).toBe("today");
    stop();
  });

  it("keeps its last value beside a problem", async () => {
    const watched = new Watched(
      async () => "shown",
      () => false,
    );
    await watched.ask(async () => "shown");
    await watched.ask(async () => {
      throw { code: "unavailable", detail: "busy" };
    });
    expect(watched.value).toBe("shown");
    expect(watched.problem?.code).toBe("unavailable");
  });
});
