// The chart library, loaded when the first chart is drawn.
import type UPlot from "uplot";

import { look } from "$lib/look.svelte";

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/**
 * uPlot makes a number format of `navigator.language` while it loads. On a system without a locale that is "C",
 * which is no language, and the whole module would fail.
 */
function nameLanguage(): void {
  if (isLanguage(navigator.language)) return;
  Object.defineProperty(navigator, "language", { value: look.language, configurable: true });
}

let loaded: Promise<typeof UPlot> | null = null;

export function loadUplot(): Promise<typeof UPlot> {
  nameLanguage();
  loaded ??= import("uplot").then((module) => module.default);
  return loaded;
}
