// Rune mode for every component of this program.
export default {
  compilerOptions: { runes: true },
};
