// How far a POS's order numbers are unique.
import type { OrderScope } from "$lib/views";
import { m } from "$text";

export const SCOPE = {
  store: m.scope_store,
  register: m.scope_register,
  register_day: m.scope_register_day,
} satisfies Record<OrderScope, () => string>;
