import { describe, expect, it } from "vitest";

import { allowedForAll, mainVerb, mayBeOnPaper, newcomers, rowsOf } from "$lib/todo";

import { job, todo } from "./made";

describe("the to-do list", () => {
  it("puts what only a person can answer first", () => {
    const rows = rowsOf(
      todo({
        jobs: [job("pending"), job("held"), job("failed"), job("sent"), job("unconfirmed")],
        rejected: [
          { id: 1, order_no: null, kind: null, code: "invalid_receipt", detail: "", rejected_at: "" },
        ],
        notices: [{ id: 1, code: "restored", detail: "", noticed_at: "" }],
      }),
    );
    expect(rows.map((row) => row.group)).toEqual([
      "unconfirmed",
      "unconfirmed",
      "failed",
      "held",
      "waiting",
      "rejected",
      "notice",
    ]);
  });

  it("lists what the head office refused once for each receipt, and what it alone has", () => {
    const record = (id: number, code: string, job_id: string | null) => ({
      id,
      request_id: `${job_id ?? "R1:z1"}/receipt/1/1`,
      kind: "receipt",
      job_id,
      code,
      detail: null,
      recorded_at: "",
      parked_at: "",
    });
    const rows = rowsOf(
      todo({
        refused_records: [
          record(1, "invalid_receipt", "S1:1:receipt:v1"),
          record(2, "parked_behind", "S1:1:receipt:v1"),
          record(3, "parked_behind", "S1:2:receipt:v1"),
          record(4, "internal", null),
        ],
        cloud_only: [
          { id: 1, request_id: "S1:9:receipt:v1/receipt/1/1", epoch: 1, otherwise: false, seen_at: "" },
        ],
      }),
    );
    expect(rows.map((row) => row.key)).toEqual(["record 1", "record 3", "record 4", "cloud 1"]);
  });

  it("has one main answer, but none where it must be yes or no", () => {
    expect(mainVerb(job("failed"))).toBe("retry");
    expect(mainVerb(job("held"))).toBe("print");
    expect(mainVerb(job("pending"))).toBe("retry");
    expect(mainVerb(job("unconfirmed"))).toBeNull();
    expect(mainVerb(job("sent"))).toBeNull();
  });

  it("has no main answer that is not allowed", () => {
    expect(mainVerb({ ...job("failed"), allowed: ["skip"] })).toBeNull();
  });

  it("offers many only what each of them allows", () => {
    expect(allowedForAll([job("failed"), job("unconfirmed")])).toEqual(["skip", "reroute"]);
    expect(allowedForAll([])).toEqual([]);
  });

  it("warns of a second paper only where there may be a first", () => {
    expect(mayBeOnPaper(job("unconfirmed"))).toBe(true);
    expect(mayBeOnPaper(job("sent"))).toBe(true);
    expect(mayBeOnPaper(job("failed"))).toBe(false);
    expect(mayBeOnPaper({ ...job("pending"), reprint: true })).toBe(true);
  });
});

describe("news on the list", () => {
  it("is not what was there at the start", () => {
    expect(newcomers(todo({ jobs: [job("failed")] }), null).news).toBe(false);
  });

  it("is a new row, and a known one that asks something else", () => {
    const before = newcomers(todo({ jobs: [job("pending")] }), null).keys;
    expect(newcomers(todo({ jobs: [job("pending")] }), before).news).toBe(false);
    expect(newcomers(todo({ jobs: [job("unconfirmed")] }), before).news).toBe(true);
    expect(newcomers(todo({ jobs: [job("pending"), job("failed", "other")] }), before).news).toBe(true);
  });

  it("is not what went away", () => {
    const before = newcomers(todo({ jobs: [job("failed"), job("held", "other")] }), null).keys;
    expect(newcomers(todo({ jobs: [job("failed")] }), before).news).toBe(false);
  });
});
