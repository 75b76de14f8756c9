// A job's story in lines: taken, every attempt with its cause, every answer, the cloud.
import { m } from "$text";

import { CAUSE, REASON } from "./text/reasons";
import { VERB } from "./text/jobs";
import type { AnswerView, AttemptView, RecordView, StoryView } from "./views";

export interface StoryLine {
  at: string | null;
  text: string;
}

function outcomeText(attempt: AttemptView): string {
  const cause = (attempt.cause ? REASON[attempt.cause] : CAUSE.no_answer).short();
  const texts: Record<string, () => string> = {
    printed: () => m.story_outcome_printed(),
    sent: () => m.story_outcome_sent(),
    left_nothing: () => m.story_outcome_left_nothing({ cause }),
    unconfirmed: () => m.story_outcome_unconfirmed({ cause }),
  };
  return texts[attempt.outcome ?? ""]?.() ?? m.story_open();
}

function attemptLines(attempt: AttemptView): StoryLine[] {
  const { number, printer } = attempt;
  return [
    { at: attempt.started_at, text: m.story_attempt({ printer, number }) },
    { at: attempt.ended_at, text: outcomeText(attempt) },
  ];
}

function answerLine({ verb, client, note, answered_at }: AnswerView): StoryLine {
  const said = { who: client ?? m.story_clerk(), verb: VERB[verb]() };
  const text = note ? m.story_answer_note({ ...said, note }) : m.story_answer(said);
  return { at: answered_at, text };
}

const CLOUD: Record<string, () => string> = {
  waiting: m.story_cloud_waiting,
  acknowledged: m.story_cloud_acknowledged,
  parked: m.story_cloud_parked,
};

function recordLine(record: RecordView): StoryLine {
  return { at: null, text: CLOUD[record.state]?.() ?? record.state };
}

/** Lines in the order of their time; what has none comes last. */
export function storyLines(story: StoryView): StoryLine[] {
  const lines = [
    { at: story.recorded_at, text: m.story_recorded() },
    ...story.story.flatMap(attemptLines),
    ...story.answers.map(answerLine),
  ];
  const byTime = lines.sort((a, b) => (a.at ?? "~").localeCompare(b.at ?? "~"));
  return [...byTime, ...story.records.slice(-1).map(recordLine)];
}
