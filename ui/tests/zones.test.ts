import { describe, expect, it } from "vitest";

import { currencies, likelyCurrency } from "../src/setup/zones";

describe("currency that is proposed", () => {
  it("is that of the computer's region, whatever the language", () => {
    expect(likelyCurrency("en", "fr-FR")).toBe("EUR");
    expect(likelyCurrency("en", "en-GB")).toBe("GBP");
    expect(likelyCurrency("zh-CN", "zh-HK")).toBe("HKD");
  });

  it("is that of the language where the computer names no region", () => {
    expect(likelyCurrency("zh-CN", "zh")).toBe("CNY");
    expect(likelyCurrency("en", "en")).toBe("USD");
  });

  it("stands first among all", () => {
    expect(currencies("en")[0]?.value).toBe(likelyCurrency("en"));
  });
});
