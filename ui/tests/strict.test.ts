import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { build } from "vite";
import { describe, expect, it } from "vitest";

import { blockedIn } from "../scripts/strict.mjs";

describe("what a strict policy blocks", () => {
  it("is found in a page", () => {
    expect(blockedIn("a.html", '<script type="module" src="/a.js"></script><div id="app"></div>')).toEqual(
      [],
    );
    expect(blockedIn("a.html", "<script>start()</script>")).toHaveLength(1);
    expect(blockedIn("a.html", "<style>b{}</style>")).toHaveLength(1);
    expect(blockedIn("a.html", '<div style="color:red" onclick="go()">')).toHaveLength(2);
    expect(blockedIn("a.html", '<script src="https://example.test/a.js"></script>')).toHaveLength(1);
  });

  it("is found in a script", () => {
    expect(blockedIn("a.js", 'from_html(`<div class="card"></div>`);element.style.cssText=width')).toEqual(
      [],
    );
    expect(blockedIn("a.js", 'from_html(`<div class="a" style="width:3px"></div>`)')).toHaveLength(1);
    expect(blockedIn("a.js", 'element.setAttribute("style", width)')).toHaveLength(1);
    expect(blockedIn("a.js", "new Function('return 1')()")).toHaveLength(1);
    expect(blockedIn("a.css", "div{color:red}")).toEqual([]);
  });

  it("is in nothing that is built", { timeout: 120_000 }, async () => {
    const outDir = mkdtempSync(join(tmpdir(), "pages-"));
    await build({ mode: "fake", logLevel: "error", build: { outDir, emptyOutDir: true } });
    const names = readdirSync(outDir, { recursive: true, encoding: "utf8" });
    const built = names.filter((name) => /\.(html|js)$/.test(name) && !name.includes("licences"));
    expect(built).toContain("index.html");
    expect(built.length).toBeGreaterThan(3);
    expect(built.flatMap((name) => blockedIn(name, readFileSync(join(outDir, name), "utf8")))).toEqual([]);
  });
});
