import { describe, expect, it } from "vitest";

import { storyOf } from "$lib/fake/jobs";
import { followLanguage, look } from "$lib/look.svelte";
import { storyLines } from "$lib/story";

import { job } from "./made";

followLanguage();
look.change({ language: "en" });

describe("a story", () => {
  it("tells every attempt with its cause, in the order of time", () => {
    const story = storyOf({ ...job("failed", "one", "cutter_error"), attempts: 2 });
    const texts = storyLines(story).map((line) => line.text);
    expect(texts).toEqual([
      "Taken from the POS and stored",
      "Attempt 1 on front",
      "Nothing on paper: Cutter jammed",
      "Attempt 2 on front",
      "Nothing on paper: Cutter jammed",
    ]);
  });

  it("tells what a person answered and why, and last what the cloud knows", () => {
    const story = storyOf(job("skipped"));
    story.answers = [
      { verb: "skip", was: "failed", client: null, note: "wrong order", answered_at: "2026-11-30T05:00:00Z" },
    ];
    story.records = [{ request_id: "r", state: "waiting", verdict: null }];
    const texts = storyLines(story).map((line) => line.text);
    expect(texts.slice(-2)).toEqual(["Clerk: Skip… (wrong order)", "Not sent to the head office yet"]);
  });
});
