import { beforeEach, describe, expect, it, vi } from "vitest";

import { FakeRegister } from "$lib/fake/register";
import { ipc } from "$lib/ipc";
import { Problem } from "$lib/problem";
import { type Transport, use } from "$lib/transport";

type Call = Transport["call"];

function answer(call: Call) {
  use({ call, onChanged: async () => () => {}, onQuitAsked: async () => () => {} });
}

describe("a command", () => {
  it("hands over its name and arguments", async () => {
    const call = vi.fn<Call>(async () => []);
    answer(call);
    await ipc.jobs({ state: "failed", most: 50 });
    await ipc.answerJob("S1:1:receipt:v1", { verb: "skip", reason: "wrong order" });
    expect(call.mock.calls).toEqual([
      ["jobs", { state: "failed", most: 50 }],
      ["answer_job", { id: "S1:1:receipt:v1", verb: "skip", reason: "wrong order" }],
    ]);
  });

  it("fails with the problem's code, faults and reference", async () => {
    answer(async () => {
      throw {
        code: "invalid_value",
        detail: "no",
        faults: [{ field: "zone", message: "no" }],
        reference: "7c1e-42",
      };
    });
    const problem = await ipc.todo().catch((thrown: unknown) => thrown);
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({
      code: "invalid_value",
      message: "no",
      reference: "7c1e-42",
      retryAt: null,
    });
    expect((problem as Problem).faults[0]?.field).toBe("zone");
  });

  it("fails as a fault of the program when what is thrown has no code", async () => {
    answer(async () => {
      throw "channel closed";
    });
    await expect(ipc.printers()).rejects.toMatchObject({ code: "internal", message: "channel closed" });
  });
});

describe("the made-up register", () => {
  let register: FakeRegister;
  beforeEach(() => {
    register = new FakeRegister({ phase: "running", language: "en", jobs: 60, calm: false, long: false });
    answer(async (command, args) => structuredClone(register.call(command, args)));
  });

  it("answers a job that may be on paper with a marked second paper", async () => {
    const unconfirmed = (await ipc.todo()).jobs.find((job) => job.state === "unconfirmed");
    const answered = await ipc.answerJob(unconfirmed?.id ?? "", { verb: "not_on_paper" });
    expect(answered).toMatchObject({ state: "printed", reprint: true });
  });

  it("refuses what a state does not allow", async () => {
    const [printed] = await ipc.jobs({ state: "printed", most: 1 });
    const asked = ipc.answerJob(printed?.id ?? "", { verb: "on_paper" });
    await expect(asked).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("lets only a manager change printers", async () => {
    await expect(ipc.removePrinter("bar")).rejects.toMatchObject({ code: "forbidden" });
    await expect(ipc.unlockManager("0000")).rejects.toMatchObject({ code: "wrong_pin" });
    await ipc.unlockManager("1234");
    await ipc.removePrinter("bar");
    expect((await ipc.printers()).map(({ name }) => name)).toEqual(["front", "kitchen"]);
  });

  it("knows every command", () => {
    const known: string[] = [];
    answer(async (command) => {
      known.push(command);
      return null;
    });
    const calls = Object.values(ipc) as ((...args: unknown[]) => Promise<unknown>)[];
    return Promise.all(calls.map((call) => call("x", "y", {}))).then(() => {
      for (const command of known) {
        const reached = () =>
          register.call(command, { body: {}, routes: {}, settings: {}, ids: [], totals: {} });
        try {
          reached();
        } catch (thrown) {
          expect((thrown as Error).message, command).not.toContain("no command");
        }
      }
      expect(known.length).toBe(calls.length);
    });
  });
});
