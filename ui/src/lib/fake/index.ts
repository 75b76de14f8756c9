// The made-up register as a transport, for work on the screens and for their tests; never in the program.
// The address says how it starts: ?phase=setup &jobs=2000 &calm &cloud &splits &live &long &lost &silent
import { look } from "../look.svelte";
import { Problem } from "../problem";
import type { Transport } from "../transport";
import type { AppState } from "../views";
import { FakeRegister } from "./register";

/** Between two made-up receipts, in milliseconds. */
const ARRIVES_MS = 4_000;

/** What every command answers of a register that cannot be read. */
const LOST = new Problem({ code: "unavailable", detail: "disk I/O error", reference: "7c1e-9" });

export function fakeTransport(): Transport {
  const asked = new URLSearchParams(location.search);
  const register = new FakeRegister({
    phase: (asked.get("phase") ?? "running") as AppState["phase"],
    language: look.language,
    jobs: Number(asked.get("jobs") ?? 218),
    calm: asked.has("calm"),
    long: asked.has("long"),
    cloud: asked.has("cloud"),
    splits: asked.has("splits"),
  });
  if (asked.has("live")) setInterval(() => register.arrive(), ARRIVES_MS);
  return {
    call: async (command, args) => {
      if (command !== "app_state" && asked.has("silent")) return new Promise(() => {});
      if (command !== "app_state" && asked.has("lost")) throw LOST;
      return structuredClone(register.call(command, args));
    },
    onChanged: async (hear) => {
      register.tell = hear;
      return () => (register.tell = () => {});
    },
    onQuitAsked: async () => () => {},
  };
}
