// Answers of a person to jobs: one or many, with the reason or the printer that belongs to them.
import { m } from "$text";

import { type AnswerArgs, ipc } from "./ipc";
import { register } from "./register.svelte";
import { DONE } from "./text/jobs";
import { toasts } from "./toasts.svelte";
import type { JobView, Verb } from "./views";

/** A key pressed twice is one answer: the next row, which took the place, is not answered unseen. */
const REST_MS = 350;

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
      await toasts.attempt(() => sendOne(answer, first), DONE[answer.verb]);
    } else {
      await toasts.attempt(() => sendMany(answer, jobs));
    }
    setTimeout(() => (this.busy = false), REST_MS);
  }
}

async function sendOne(answer: AnswerArgs, job: JobView): Promise<void> {
  await ipc.answerJob(job.id, answer);
  register.answered([job.id]);
}

async function sendMany(answer: AnswerArgs, jobs: readonly JobView[]): Promise<void> {
  const ids = jobs.map((job) => job.id);
  const { answered } = await ipc.answerJobs(ids, answer);
  const done = answered.filter((one) => !one.code).map((one) => one.id);
  const failed = answered.length - done.length;
  register.answered(done);
  toasts.say(
    failed ? m.done_many_failed({ done: done.length, failed }) : m.done_many({ count: done.length }),
  );
}

export const answering = new Answering();
