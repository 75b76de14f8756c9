import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, it } from "vitest";

import { followLanguage, look } from "$lib/look.svelte";
import type { CashView, SessionFigures } from "$lib/views";

import CloseDialog from "../src/day/CloseDialog.svelte";

const cash: CashView = {
  float_minor: 0,
  sales_minor: 1250,
  paid_in_minor: 0,
  paid_out_minor: 0,
  expected_minor: 1250,
  counted_minor: null,
  difference_minor: null,
};
const counted: CashView = {
  ...cash,
  counted_minor: 1000,
  difference_minor: -250,
  reason: "a coin rolled away",
};
const totals = { receipts: 1, refunds: 0, gross_minor: 1250, refunded_minor: 0, tenders: { cash: 1250 } };
const sessionWith = (cash: CashView): SessionFigures => ({
  z_no: 1,
  opened_at: "2026-12-01T02:05:00Z",
  closed_at: null,
  totals,
  cash,
  corrections: [],
});

let dialog: Record<string, unknown> | null = null;
let session = $state.raw(sessionWith(cash));

beforeEach(() => {
  followLanguage();
  look.change({ language: "en" });
  session = sessionWith(cash);
  dialog = mount(CloseDialog, {
    target: document.body,
    props: {
      date: "2026-12-01",
      get session() {
        return session;
      },
      differences: 1,
      oncount: () => {},
      onclose: () => {},
    },
  });
  flushSync();
});

afterEach(() => {
  if (dialog) void unmount(dialog);
  document.body.replaceChildren();
});

const why = () => document.querySelector<HTMLInputElement>("input:not([type='password'])");

it("shows what was said at a count that comes to the screen after it was opened", () => {
  expect(why()).toBeNull();
  session = sessionWith(counted);
  flushSync();
  expect(why()?.value).toBe("a coin rolled away");
});

it("keeps what was typed when the day is fetched again", () => {
  session = sessionWith(counted);
  flushSync();
  why()!.value = "two coins";
  why()!.dispatchEvent(new Event("input", { bubbles: true }));
  session = sessionWith({ ...counted });
  flushSync();
  expect(why()?.value).toBe("two coins");
});
