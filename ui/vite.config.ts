import { fileURLToPath } from "node:url";

import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

import { licences } from "./scripts/licences.mjs";
import { strict } from "./scripts/strict.mjs";
import { incompleteTexts } from "./scripts/texts.mjs";

const testing = Boolean(process.env["VITEST"]);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A text that is missing in a language breaks the build. */
const completeTexts = {
  name: "complete-texts",
  buildStart() {
    const gaps = incompleteTexts(here("messages"));
    if (gaps.length > 0) throw new Error(`incomplete texts:\n${gaps.join("\n")}`);
  },
};

export default defineConfig(({ mode }) => ({
  plugins: [
    completeTexts,
    // Tests use what `npm run texts` has compiled: the plugin's watcher would keep them from ending.
    ...(testing
      ? []
      : [paraglideVitePlugin({ project: here("project.inlang"), outdir: here("src/paraglide") })]),
    licences({ pages: here("."), shipped: mode === "production" }),
    strict,
    svelte(),
  ],
  resolve: {
    alias: { $lib: here("src/lib"), $parts: here("src/parts"), $text: here("src/paraglide/messages.js") },
    // Tests mount components, which only the browser's half of Svelte can do.
    ...(testing ? { conditions: ["browser"] } : {}),
  },
  clearScreen: false,
  server: { port: 5173, strictPort: true },
  build: {
    target: "es2023",
    outDir: mode === "fake" ? "dist-fake" : "dist",
    // The folder must exist for the Rust build: its .gitkeep comes back from `public`.
    emptyOutDir: true,
    // The licences of all components, in kB; loaded by who reads them.
    chunkSizeWarningLimit: 1024,
  },
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"] },
}));
