// The made-up head office.
import type { CloudStatusView } from "../views";

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
