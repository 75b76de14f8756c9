// The made-up head office.
import type { CloudStatusView, TodoView } from "../views";

/** What a manager decides about. */
export type Records = Pick<TodoView, "refused_records" | "cloud_only">;

export const NOT_PAIRED: CloudStatusView = {
  state: "not_paired",
  since: null,
  code: null,
  cause: null,
  url: null,
  store_name: null,
  store_uid: null,
  paired_at: null,
  contact_at: null,
  drift_ms: null,
  clock_is_wrong: false,
  unsent: 0,
  oldest_unsent_at: null,
  refused_records: 0,
  upload_error: null,
  names_taken: [],
};

/** Connected, with everything told. */
export function pairedWith(url: string, store: string): CloudStatusView {
  const now = new Date().toISOString();
  return {
    ...NOT_PAIRED,
    state: "online",
    since: now,
    url,
    store_name: store,
    store_uid: "st_1",
    paired_at: now,
    contact_at: now,
    drift_ms: 40,
  };
}

/** Away since `at`, with sales that wait, something refused and a clock that is wrong. */
export function awayFrom(store: string, at: string): CloudStatusView {
  return {
    ...pairedWith("https://dispatch.example.com", store),
    state: "offline",
    since: at,
    contact_at: at,
    cause: "no connection: Connection refused",
    drift_ms: -260_000,
    clock_is_wrong: true,
    unsent: 14,
    oldest_unsent_at: at,
    refused_records: 1,
    names_taken: ["kitchen"],
  };
}

export function recordsAt(at: string): Records {
  const refused = "S1:20261130-000151:receipt:v1";
  return {
    refused_records: [
      {
        id: 1,
        request_id: `${refused}/receipt/e1/r1`,
        kind: "receipt",
        job_id: refused,
        code: "invalid_receipt",
        detail: "tenders: no such tender at the head office",
        recorded_at: at,
        parked_at: at,
      },
    ],
    cloud_only: [
      {
        id: 7,
        request_id: "S1:20261129-000088:receipt:v1/receipt/e1/r1",
        epoch: 1,
        otherwise: false,
        seen_at: at,
      },
    ],
  };
}

/** The records that are still to be answered. */
export function without(records: Records, ids: number[]): Records {
  const stays = ({ id }: { id: number }) => !ids.includes(id);
  return {
    refused_records: records.refused_records.filter(stays),
    cloud_only: records.cloud_only.filter(stays),
  };
}
