// What the program is made of, and under which licences: read from the packages themselves while the pages are built.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The package that the program is built from. */
const ROOT = "tillroll";
/** What Vite puts into the pages beside the `dependencies` of package.json. */
const BUNDLED = ["svelte", "clsx", "esm-env", "@inlang/paraglide-js"];
const LICENCE_FILE = /^(licen[cs]e|copying|copyright|unlicense|notice)/i;

/** The packages that are linked into the program, as `cargo metadata` tells of them; those of the workspace left out. */
export function linked({ packages, resolve }) {
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const root = packages.find(({ name }) => name === ROOT);
  const reached = new Set();
  const open = [root.id];
  while (open.length > 0) {
    const id = open.pop();
    if (reached.has(id)) continue;
    reached.add(id);
    const { deps } = nodes.get(id);
    open.push(...deps.filter((dep) => dep.dep_kinds.some(({ kind }) => kind === null)).map(({ pkg }) => pkg));
  }
  return packages.filter(({ id, source }) => source && reached.has(id));
}

/** Of a package that may be used under MIT the MIT text is enough; of others every text counts. */
export function chosenFiles(licence, files) {
  const texts = files.filter((name) => LICENCE_FILE.test(name)).sort();
  const mit = texts.filter((name) => /mit/i.test(name));
  const free = /^[^()]*$/.test(licence) && / OR |\//.test(licence) && /\bMIT\b/.test(licence);
  return free && mit.length > 0 ? mit : texts;
}

function textsIn(folder, licence) {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ name }) => name);
  return chosenFiles(licence, names).map((name) =>
    readFileSync(join(folder, name), "utf8").replaceAll("\r", "").trim(),
  );
}

function ofCargo(workspace) {
  const told = execFileSync(
    "cargo",
    ["metadata", "--format-version", "1", "--locked", "--filter-platform", "x86_64-unknown-linux-gnu"],
    { cwd: workspace, encoding: "utf8", maxBuffer: 256 * 1024 * 1024, stdio: ["ignore", "pipe", "pipe"] },
  );
  return linked(JSON.parse(told)).map(({ name, version, license, manifest_path }) => ({
    name,
    version,
    licence: license ?? "",
    texts: textsIn(dirname(manifest_path), license ?? ""),
  }));
}

function ofNpm(pages) {
  const { dependencies } = JSON.parse(readFileSync(join(pages, "package.json"), "utf8"));
  return [...Object.keys(dependencies), ...BUNDLED].flatMap((name) => {
    const folder = join(pages, "node_modules", name);
    if (!existsSync(folder)) return [];
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return [{ name, version, licence: license ?? "", texts: textsIn(folder, license ?? "") }];
  });
}

/** Each text once, the packages in the order of their names with the numbers of their texts. */
export function numbered(packages) {
  const texts = [];
  const numberOf = new Map();
  const number = (text) => {
    if (!numberOf.has(text)) numberOf.set(text, texts.push(text) - 1);
    return numberOf.get(text);
  };
  const sorted = packages.toSorted((a, b) => a.name.localeCompare(b.name));
  return { packages: sorted.map((one) => ({ ...one, texts: one.texts.map(number) })), texts };
}

const MODULE = "virtual:licences";

/** The module `virtual:licences`. Only what is shipped must name the crates: work on the pages needs no cargo. */
export function licences({ pages, shipped }) {
  const packages = () => {
    try {
      return [...ofCargo(join(pages, "..")), ...ofNpm(pages)];
    } catch (error) {
      if (shipped) throw new Error("the licences of the crates cannot be read", { cause: error });
      return ofNpm(pages);
    }
  };
  return {
    name: "licences",
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load: (id) => {
      if (id !== `\0${MODULE}`) return null;
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(numbered(packages())))});`;
    },
  };
}
