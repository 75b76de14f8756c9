import { describe, expect, it } from "vitest";

import { drawn, scrolled } from "$lib/drawn";

describe("a long list", () => {
  it("draws a bounded number of rows wherever it stands", () => {
    for (const top of [0, 1, 5_000, 2_599_400, 99_999_999]) {
      const { from, to } = drawn(100_000, 26, top, 600);
      expect(to - from).toBeLessThanOrEqual(Math.ceil(600 / 26) + 14);
    }
  });

  it("keeps its whole height", () => {
    for (const top of [0, 777, 25_400]) {
      const { from, to, above, below } = drawn(1_000, 26, top, 600);
      expect(above + (to - from) * 26 + below).toBe(26_000);
    }
  });

  it("draws every row in view", () => {
    const { from, to } = drawn(1_000, 26, 2_600, 600);
    expect(from).toBeLessThanOrEqual(100);
    expect(to).toBeGreaterThanOrEqual(124);
  });

  it("draws nothing of nothing", () => {
    expect(drawn(0, 26, 0, 600)).toEqual({ from: 0, to: 0, above: 0, below: 0 });
  });

  it("scrolls only as far as a row needs", () => {
    expect(scrolled(3, 26, 0, 600)).toBe(0);
    expect(scrolled(0, 26, 500, 600)).toBe(0);
    expect(scrolled(30, 26, 0, 600)).toBe(31 * 26 - 600);
  });
});
