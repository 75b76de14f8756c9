import { describe, expect, it } from "vitest";

import { dayAt, longDay, minorOf, money, shiftDay, span, time } from "$lib/format";

const SHANGHAI = { locale: "zh-CN", currency: "CNY", zone: "Asia/Shanghai" };
const TOKYO = { locale: "en", currency: "JPY", zone: "Asia/Tokyo" };

describe("amounts", () => {
  it("are written with the digits of their currency", () => {
    expect(money(6600, SHANGHAI)).toBe("¥66.00");
    expect(money(6600, TOKYO)).toBe("¥6,600");
    expect(money(-12000, SHANGHAI)).toBe("-¥120.00");
  });

  it("are read as minor units, with or without signs and separators", () => {
    expect(minorOf("1,234.5", SHANGHAI)).toBe(123_450);
    expect(minorOf(" ¥66 ", SHANGHAI)).toBe(6600);
    expect(minorOf("500", TOKYO)).toBe(500);
  });

  it("are refused when they are no amount of the currency", () => {
    for (const typed of ["", "-1", "1.005", "1e3", "twelve", "1.2.3"]) {
      expect(minorOf(typed, SHANGHAI), typed).toBeNull();
    }
    expect(minorOf("1.5", TOKYO)).toBeNull();
  });

  it("come back as they were written", () => {
    for (const minor of [0, 1, 99, 100, 123_456_789]) {
      expect(minorOf(money(minor, SHANGHAI), SHANGHAI)).toBe(minor);
    }
  });
});

describe("times", () => {
  it("are those of the store's zone", () => {
    expect(time("2026-11-30T16:00:05Z", SHANGHAI)).toBe("00:00:05");
    expect(dayAt(new Date("2026-11-30T16:00:05Z"), "Asia/Shanghai")).toBe("2026-12-01");
  });

  it("keep a business day as it is, whatever the zone", () => {
    expect(longDay("2026-11-30", SHANGHAI)).toContain("30");
    expect(shiftDay("2026-12-01", -1)).toBe("2026-11-30");
    expect(shiftDay("2028-02-28", 1)).toBe("2028-02-29");
  });

  it("show a span in its two largest units", () => {
    expect(span(65_000, "en")).toBe("1 min 5 sec");
    expect(span(3_600_000, "en")).toBe("1 hr");
    expect(span(-5, "zh-CN")).toBe("0秒");
    expect(span(90_061_000, "zh-CN")).toBe("1天1小时");
  });
});
