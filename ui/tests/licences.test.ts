import { describe, expect, it } from "vitest";

import { chosenFiles, linked, numbered } from "../scripts/licences.mjs";

interface Numbered {
  packages: { name: string; texts: number[] }[];
  texts: string[];
}

const crate = (name: string, source: string | null = "registry") => ({ id: name, name, source });
const needs = (id: string, ...deps: [string, string | null][]) => ({
  id,
  deps: deps.map(([pkg, kind]) => ({ pkg, dep_kinds: [{ kind }] })),
});

describe("the licences", () => {
  it("are of what is linked into the program, not of what only builds or tests it", () => {
    const metadata = {
      packages: [
        crate("tillroll", null),
        crate("engine", null),
        crate("serde"),
        crate("cc"),
        crate("proptest"),
        crate("other"),
      ],
      resolve: {
        nodes: [
          needs("tillroll", ["engine", null], ["cc", "build"]),
          needs("engine", ["serde", null], ["proptest", "dev"]),
          needs("serde"),
          needs("cc"),
          needs("proptest"),
          needs("other", ["serde", null]),
        ],
      },
    };
    const found: { name: string }[] = linked(metadata);
    expect(found.map(({ name }) => name)).toEqual(["serde"]);
  });

  it("are one text where there is a choice, and all where there is none", () => {
    const files = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "src"];
    expect(chosenFiles("MIT OR Apache-2.0", files)).toEqual(["LICENSE-MIT"]);
    expect(chosenFiles("MIT/Apache-2.0", files)).toEqual(["LICENSE-MIT"]);
    expect(chosenFiles("MIT AND Apache-2.0", files)).toEqual(["LICENSE-APACHE", "LICENSE-MIT"]);
    expect(chosenFiles("(MIT OR Apache-2.0) AND Unicode-3.0", [...files, "LICENSE-UNICODE"])).toHaveLength(3);
  });

  it("name each text once", () => {
    const one = { name: "b", version: "1.0.0", licence: "MIT", texts: ["same"] };
    const { packages, texts }: Numbered = numbered([one, { ...one, name: "a", texts: ["own", "same"] }]);
    expect(packages.map((known) => [known.name, known.texts])).toEqual([
      ["a", [0, 1]],
      ["b", [1]],
    ]);
    expect(texts).toEqual(["own", "same"]);
  });
});
