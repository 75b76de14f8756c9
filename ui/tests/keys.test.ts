import { describe, expect, it } from "vitest";

import { type Key, KEYS, moved, pressed, pressedOf } from "$lib/keys";

const event = (key: string, held: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

describe("the keys", () => {
  it("mean one thing in one place", () => {
    const together = (a: Key, b: Key) =>
      a.where === b.where ||
      a.where === "everywhere" ||
      b.where === "everywhere" ||
      (a.where === "list" && (b.where === "now" || b.where === "todo"));
    const keys: Key[] = Object.values(KEYS);
    for (const [index, key] of keys.entries()) {
      for (const other of keys.slice(index + 1)) {
        const same = key.key === other.key && (key.ctrl ?? false) === (other.ctrl ?? false);
        expect(same && together(key, other), `${key.shown} and ${other.shown}`).toBe(false);
      }
    }
  });

  it("of one letter count only where a list or a card has the focus", () => {
    const letters = Object.values(KEYS).filter((key: Key) => key.key.length === 1 && !key.ctrl);
    expect(letters.every(({ where }) => ["list", "todo", "printers", "splits"].includes(where))).toBe(true);
  });

  it("are known in either case, and only with their modifier", () => {
    expect(pressed(event("Y"), "on_paper")).toBe(true);
    expect(pressed(event("y", { ctrlKey: true }), "on_paper")).toBe(false);
    expect(pressed(event("k", { ctrlKey: true }), "search")).toBe(true);
    expect(pressed(event("k"), "search")).toBe(false);
    expect(pressed(event("F8", { altKey: true }), "copy")).toBe(false);
    expect(pressedOf(event("F3"), ["now", "todo"])).toBe("todo");
  });
});

describe("moving in a list", () => {
  it("stops at both ends", () => {
    expect(moved("ArrowUp", 0, 5, 3)).toBe(0);
    expect(moved("ArrowDown", 4, 5, 3)).toBe(4);
    expect(moved("PageDown", 0, 5, 3)).toBe(3);
    expect(moved("Home", 4, 5, 3)).toBe(0);
    expect(moved("End", 0, 5, 3)).toBe(4);
  });

  it("is nothing for other keys", () => {
    expect(moved("Enter", 0, 5, 3)).toBeNull();
  });
});
