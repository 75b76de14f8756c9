import { describe, expect, it } from "vitest";

import { denominationsOf, sumOf } from "../src/day/cash";
import { isName, suggestedName } from "../src/printers/names";

describe("counting the drawer", () => {
  it("adds up pieces, and counts an empty field as none", () => {
    expect(
      sumOf(
        new Map([
          [10_000, "3"],
          [500, ""],
          [10, "7"],
        ]),
      ),
    ).toBe(30_070);
  });

  it("is no sum with anything but digits", () => {
    for (const typed of ["-1", "1.5", "x", "1234567"])
      expect(sumOf(new Map([[100, typed]])), typed).toBeNull();
  });

  it("goes from the largest piece to the smallest", () => {
    const pieces = denominationsOf("CNY");
    expect([...pieces].sort((a, b) => b - a)).toEqual(pieces);
    expect(denominationsOf("XXX")).toEqual([]);
  });
});

describe("the name of a new printer", () => {
  it("is front for the first, then what the device calls itself", () => {
    expect(suggestedName("EPSON TM-T20III", [])).toBe("front");
    expect(suggestedName("EPSON TM-T20III", ["front"])).toBe("epson-tm-t20iii");
    expect(suggestedName(null, ["front", "printer"])).toBe("printer-2");
    expect(suggestedName("打印机", ["front"])).toBe("printer");
  });

  it("is always one that may be used", () => {
    for (const device of ["", "厨房", "a b/c", "--x--"])
      expect(isName(suggestedName(device, ["front"])), device).toBe(true);
    expect(isName("前台")).toBe(false);
  });
});
