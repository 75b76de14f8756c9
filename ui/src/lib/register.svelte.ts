// The register as every screen sees it: who it is, its printers, and what waits for a person.
import type { Conventions } from "./format";
import { hearHints, startHints } from "./hints";
import { ipc } from "./ipc";
import { look } from "./look.svelte";
import { type Problem, problemOf } from "./problem";
import { attention } from "./sound";
import { newcomers, rowsOf } from "./todo";
import type { AppState, JobView } from "./views";
import { DEAR_GAP_MS, Watched } from "./watched.svelte";

/** The manager's PIN of every training store. */
export const TRAINING_PIN = "1234";

class Register {
  app = $state.raw<AppState | null>(null);
  problem = $state.raw<Problem | null>(null);
  readonly printers = new Watched(ipc.printers, ({ changed }) => changed === "printer" || changed === "job");
  readonly cloud = new Watched(
    ipc.cloud,
    ({ changed }) => changed === "cloud" || changed === "job" || changed === "rejected",
    DEAR_GAP_MS,
  );
  readonly settings = new Watched(ipc.settings, () => false);
  readonly todo = new Watched(ipc.todo, ({ changed }) => changed !== "day", DEAR_GAP_MS);

  /** How amounts and times are written. */
  readonly conventions = $derived<Conventions>({
    locale: look.language,
    currency: this.app?.currency ?? "CNY",
    zone: this.app?.zone ?? "UTC",
  });

  readonly todoCount = $derived.by(() => {
    const todo = this.todo.value;
    return todo ? rowsOf(todo).length : 0;
  });

  /** Why what is shown may no longer be so. */
  readonly lost = $derived(this.printers.problem ?? this.todo.problem);

  /** The business day that runs now. */
  readonly today = $derived(this.app?.today ?? "");

  /** Reads who it is; again with every slow tick, since the business day goes on. */
  async load(): Promise<void> {
    try {
      this.app = await ipc.appState();
      this.problem = null;
    } catch (thrown) {
      this.problem = problemOf(thrown);
    }
  }

  /** Questions that were just answered leave the list at once; what waits stays until it is told how it stands. */
  answered(ids: readonly string[]): void {
    const todo = this.todo.value;
    const stays = (job: JobView) => job.state === "pending" || !ids.includes(job.id);
    if (todo) this.todo.value = { ...todo, jobs: todo.jobs.filter(stays) };
    void this.todo.refetch();
  }

  /** Asks again for what every screen shows. */
  async again(): Promise<void> {
    await Promise.all([
      this.load(),
      this.printers.refetch(),
      this.todo.refetch(),
      this.settings.refetch(),
      this.cloud.refetch(),
    ]);
  }

  /** Follows the register until the answer is called. */
  start(): () => void {
    void startHints();
    const stops = [
      this.printers.start(),
      this.cloud.start(),
      this.todo.start(),
      this.settings.start(),
      this.#soundOnNews(),
      hearHints((hints) => {
        if (hints.some(({ changed }) => changed === "everything")) void this.load();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Sounds when something comes to the list that was not there before. */
  #soundOnNews(): () => void {
    let known: ReadonlySet<string> | null = null;
    return $effect.root(() => {
      $effect(() => {
        const todo = this.todo.value;
        if (!todo) return;
        const { news, keys } = newcomers(todo, known);
        known = keys;
        if (news && this.settings.value?.sounds) attention();
      });
    });
  }
}

export const register = new Register();
