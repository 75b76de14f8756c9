// What a strict content security policy would block: found in what is built, so that it breaks the build.

const IN_PAGE = [
  [/<script(?![^>]*\bsrc=)[^>]*>/i, "a script in the page"],
  [/<style/i, "a style in the page"],
  [/\sstyle\s*=/i, "a style on an element"],
  [/\son[a-z]+\s*=/i, "a handler on an element"],
  [/\b(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i, "something from elsewhere"],
];
const IN_SCRIPT = [
  [/<[a-z][^<>`]*\sstyle=\\?["'][^<>`]*>/i, "a style in a template"],
  [/<[a-z][^<>`]*\son[a-z]+=\\?["'][^<>`]*>/i, "a handler in a template"],
  [/setAttribute\(\s*["'`]style["'`]/, "a style set as an attribute"],
  [/createElement\(\s*["'`]style["'`]/, "a style element made at run time"],
  [/\beval\s*\(/, "eval"],
  [/\bnew Function\b/, "a function made of text"],
];

/** What is blocked in one built file, by its name. */
export function blockedIn(name, text) {
  const rules = name.endsWith(".html") ? IN_PAGE : name.endsWith(".js") ? IN_SCRIPT : [];
  return rules.filter(([pattern]) => pattern.test(text)).map(([, what]) => `${name}: ${what}`);
}

/** Breaks the build over what the window would block. Licence texts are data and left out. */
export const strict = {
  name: "strict-policy",
  enforce: "post",
  generateBundle(_, bundle) {
    const found = Object.values(bundle).flatMap((file) => {
      const text = file.type === "chunk" ? file.code : String(file.source);
      return file.fileName.includes("licences") ? [] : blockedIn(file.fileName, text);
    });
    if (found.length > 0) this.error(`blocked by the content security policy:\n${found.join("\n")}`);
  },
};
