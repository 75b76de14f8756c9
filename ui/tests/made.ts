// What tests are made of.
import { makeJob, settle } from "$lib/fake/jobs";
import { shopFor } from "$lib/fake/shop";
import type { JobReason, JobState, JobView, TodoView } from "$lib/views";

export function job(state: JobState, id: string = "one", reason: JobReason | null = null): JobView {
  const made = makeJob(shopFor("en"), 1, new Date("2026-11-30T04:46:05Z"));
  settle(made, state, reason);
  return { ...made, id: id === "one" ? made.id : `S1:${id}:receipt:v1` };
}

export function todo(part: Partial<TodoView>): TodoView {
  return { jobs: [], rejected: [], refused_records: [], cloud_only: [], notices: [], ...part };
}
