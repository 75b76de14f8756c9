// The receipt the clerk picked. It stays until another is picked, however many newer ones push it off the list.
import { ipc } from "$lib/ipc";
import type { JobView } from "$lib/views";
import { Watched } from "$lib/watched.svelte";

/** Made while its screen is, and followed as long as that is shown. */
export class Picked {
  #id = $state<string | null>(null);
  #listed = $derived.by(() => this.#list().find((job) => job.id === this.#id) ?? null);
  #away = $derived(this.#id !== null && this.#listed === null);
  /** As the list had it last. */
  #known = $state.raw<JobView | null>(null);
  readonly #list: () => readonly JobView[];
  /** What the list no longer tells, asked for by its id. */
  readonly #told = new Watched<JobView>(
    () => ipc.job(this.#id ?? ""),
    (hint) => hint.changed === "job" && hint.id === this.#id,
  );

  readonly job = $derived.by(() => {
    const newest = [this.#listed, this.#told.value, this.#known];
    return newest.find((job) => job !== null && job.id === this.#id) ?? null;
  });

  constructor(list: () => readonly JobView[]) {
    this.#list = list;
    $effect(() => {
      if (this.#listed) this.#known = this.#listed;
    });
    $effect(() => (this.#away ? this.#told.start() : undefined));
  }

  /** Another is picked; with none, the newest is followed again. */
  pick(id: string | null): void {
    this.#id = id;
  }
}
