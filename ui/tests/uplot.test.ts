import { expect, it } from "vitest";

import { loadUplot } from "../src/day/uplot";

it("the chart library loads on a system without a locale", async () => {
  Object.defineProperty(navigator, "language", { value: "C", configurable: true });
  await expect(loadUplot()).resolves.toBeTypeOf("function");
});
