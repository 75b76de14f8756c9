// Turns at fetching again: however much is watched, the register is asked at most ten times in any second.

const MOST = 10;
const WITHIN_MS = 1_000;

/** Hands out turns in the order they are asked for. */
export class Turns {
  #taken: number[] = [];
  #last: Promise<void> = Promise.resolve();

  /** Resolves when it is this one's turn: at once, unless the last second was full. */
  take(): Promise<void> {
    this.#last = this.#last.then(() => this.#next());
    return this.#last;
  }

  async #next(): Promise<void> {
    const [oldest = -Infinity] = this.#taken.slice(-MOST);
    const wait = this.#taken.length < MOST ? 0 : oldest + WITHIN_MS - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(wait)));
    this.#taken = [...this.#taken, performance.now()].slice(-MOST);
  }
}
