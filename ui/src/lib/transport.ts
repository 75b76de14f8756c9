// The way to the register: the window's own, or a made-up register for work on the screens.
import type { Hint } from "./views";

/** Calls commands, and hands on hints that something changed. */
export interface Transport {
  call(command: string, args: Record<string, unknown>): Promise<unknown>;
  onChanged(hear: (hints: Hint[]) => void): Promise<() => void>;
  /** The tray or the system asks the person whether to quit. */
  onQuitAsked(hear: () => void): Promise<() => void>;
}

async function ofWindow(): Promise<Transport> {
  const [{ invoke }, { listen }] = await Promise.all([
    import("@tauri-apps/api/core"),
    import("@tauri-apps/api/event"),
  ]);
  return {
    call: (command, args) => invoke(command, args),
    onChanged: (hear) => listen<Hint[]>("changed", (event) => hear(event.payload)),
    onQuitAsked: (hear) => listen("quit_asked", () => hear()),
  };
}

let transport: Promise<Transport> | null = null;

/** The transport of this page, opened once. */
export function open(): Promise<Transport> {
  transport ??= choose();
  return transport;
}

/** Puts another transport in place, for tests. */
export function use(other: Transport): void {
  transport = Promise.resolve(other);
}

async function choose(): Promise<Transport> {
  const madeUp = import.meta.env.DEV || import.meta.env.MODE === "fake";
  if (madeUp && !("__TAURI_INTERNALS__" in globalThis)) {
    const { fakeTransport } = await import("./fake");
    return fakeTransport();
  }
  return ofWindow();
}
