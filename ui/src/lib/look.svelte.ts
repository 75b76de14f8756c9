// How the window looks on this machine: language, colours, size of text. Kept by the webview.
import { getLocale, overwriteGetLocale } from "../paraglide/runtime.js";

export type Language = "zh-CN" | "en";
export type Theme = "system" | "light" | "dark" | "contrast";
export type TextSize = "normal" | "large" | "largest";

export const LANGUAGES: readonly Language[] = ["zh-CN", "en"];
export const THEMES: readonly Theme[] = ["system", "light", "dark", "contrast"];
export const TEXT_SIZES: readonly TextSize[] = ["normal", "large", "largest"];

/** Pixels of one rem. */
const REM: Record<TextSize, number> = { normal: 16, large: 18, largest: 20 };

interface Kept {
  language: Language;
  theme: Theme;
  textSize: TextSize;
}

const STORED = "look";

function ofSystem(): Language {
  return navigator.language.startsWith("zh") ? "zh-CN" : "en";
}

function read(): Kept {
  const usual: Kept = { language: ofSystem(), theme: "system", textSize: "normal" };
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? "{}") as Partial<Kept>;
    const known = <T>(value: T | undefined, all: readonly T[], other: T) =>
      value !== undefined && all.includes(value) ? value : other;
    return {
      language: known(kept.language, LANGUAGES, usual.language),
      theme: known(kept.theme, THEMES, usual.theme),
      textSize: known(kept.textSize, TEXT_SIZES, usual.textSize),
    };
  } catch {
    return usual;
  }
}

class Look {
  #kept = $state<Kept>(read());

  get language(): Language {
    return this.#kept.language;
  }
  get theme(): Theme {
    return this.#kept.theme;
  }
  get textSize(): TextSize {
    return this.#kept.textSize;
  }
  /** Pixels of one rem. */
  get rem(): number {
    return REM[this.#kept.textSize];
  }

  change(part: Partial<Kept>): void {
    Object.assign(this.#kept, part);
    localStorage.setItem(STORED, JSON.stringify(this.#kept));
    this.show();
  }

  /** Puts the look on the page. */
  show(): void {
    const root = document.documentElement;
    root.lang = this.language;
    root.dataset["theme"] = this.theme;
    root.dataset["size"] = this.textSize;
  }
}

export const look = new Look();

/** Texts follow the chosen language at once: reading it inside a component makes the component depend on it. */
export function followLanguage(): void {
  overwriteGetLocale(() => look.language as ReturnType<typeof getLocale>);
  look.show();
}
