// How the register stands with the head office, in words.
import { m } from "$text";

import { type Conventions, span } from "../format";
import type { CloudState, CloudStatusView } from "../views";
import type { Text, Tone } from "./jobs";

const STATE = {
  not_paired: { tone: "calm", text: m.cloud_not_set_up },
  connecting: { tone: "wait", text: m.cloud_connecting },
  online: { tone: "ok", text: m.cloud_online },
  offline: { tone: "wait", text: m.cloud_offline },
  refused: { tone: "bad", text: m.cloud_refused },
} satisfies Record<CloudState, { tone: Tone; text: Text }>;

const REFUSED: Record<string, Text> = {
  unauthorized: m.cloud_unauthorized,
  replaced: m.cloud_replaced,
  unknown_protocol: m.cloud_unknown_protocol,
  credential_missing: m.cloud_credential_missing,
};

/** The connection in two words. */
export function cloudPill(cloud: CloudStatusView): { tone: Tone; text: string } {
  const { tone, text } = STATE[cloud.state];
  return { tone, text: text() };
}

/** What it means for the shop. */
export function cloudLine(cloud: CloudStatusView): string {
  if (cloud.state === "refused") return (REFUSED[cloud.code ?? ""] ?? m.cloud_refused_hint)();
  if (cloud.state === "offline") return m.cloud_offline_hint();
  if (cloud.clock_is_wrong) return m.notice_clock_drift();
  return cloud.unsent === 0 ? m.cloud_all_sent() : m.cloud_sending();
}

/** How much waits since when, and how much was refused. */
export function cloudFacts(cloud: CloudStatusView, now: Date, { locale }: Conventions): (string | null)[] {
  const age = (at: string) => span(now.getTime() - Date.parse(at), locale);
  const { unsent, oldest_unsent_at, refused_records } = cloud;
  return [
    unsent > 0 ? m.day_cloud_unsent({ count: unsent }) : null,
    unsent > 0 && oldest_unsent_at ? m.printer_oldest({ age: age(oldest_unsent_at) }) : null,
    refused_records > 0 ? m.cloud_refused_records({ count: refused_records }) : null,
  ];
}
