// Answers of a person to jobs: one or many, with the reason or the printer that belongs to them.
import { m } from "$text";

import { type AnswerArgs, ipc } from "./ipc";
import { DONE } from "./text/jobs";
import { toasts } from "./toasts.svelte";
import type { JobView, Verb } from "./views";

/** What still has to be said before it can be asked for. */
interface Asked {
  verb: "skip" | "reroute";
  jobs: readonly JobView[];
}

class Answering {
  asked = $state.raw<Asked | null>(null);
  busy = $state(false);

  /** Asks for it; a skip and a reroute first open their dialog. */
  start(verb: Verb, jobs: readonly JobView[]): void {
    if (jobs.length === 0 || this.busy) return;
    if (verb === "skip" || verb === "reroute") this.asked = { verb, jobs };
    else void this.#send({ verb }, jobs);
  }

  /** What was missing has been said. */
  finish(said: Omit<AnswerArgs, "verb">): void {
    const asked = this.asked;
    this.asked = null;
    if (asked) void this.#send({ verb: asked.verb, ...said }, asked.jobs);
  }

  giveUp(): void {
    this.asked = null;
  }

  async #send(answer: AnswerArgs, jobs: readonly JobView[]): Promise<void> {
    this.busy = true;
    const [first] = jobs;
    if (jobs.length === 1 && first) {
      await toasts.attempt(() => ipc.answerJob(first.id, answer), DONE[answer.verb]);
    } else {
      await toasts.attempt(() => sendMany(answer, jobs));
    }
    this.busy = false;
  }
}

async function sendMany(answer: AnswerArgs, jobs: readonly JobView[]): Promise<void> {
  const ids = jobs.map((job) => job.id);
  const { answered } = await ipc.answerJobs(ids, answer);
  const failed = answered.filter((one) => one.code).length;
  const done = answered.length - failed;
  toasts.say(failed ? m.done_many_failed({ done, failed }) : m.done_many({ count: done }));
}

export const answering = new Answering();
