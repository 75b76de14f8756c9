// A printer's settings between the form and the register.
import type { PrinterBody, PrinterView } from "$lib/views";

import type { Typed } from "./Fields.svelte";
import { isName } from "./names";

export const EMPTY: Typed = { name: "", uri: "", profile: "", columns: "", drawerPin: "0" };

export function typedOf(printer: PrinterView): Typed {
  return {
    name: printer.name,
    uri: printer.uri,
    profile: printer.profile,
    columns: printer.columns === null ? "" : String(printer.columns),
    drawerPin: String(printer.drawer_pin),
  };
}

export function isComplete(typed: Typed): boolean {
  return isName(typed.name) && typed.uri.trim() !== "" && /^\d{0,3}$/.test(typed.columns);
}

export function bodyOf(typed: Typed): PrinterBody {
  return {
    uri: typed.uri.trim(),
    ...(typed.profile ? { profile: typed.profile } : {}),
    ...(typed.columns ? { columns: Number(typed.columns) } : {}),
    drawer_pin: Number(typed.drawerPin),
  };
}
