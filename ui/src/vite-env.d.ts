/// <reference types="svelte" />
/// <reference types="vite/client" />

declare module "virtual:licences" {
  const known: {
    packages: {
      name: string;
      version: string;
      licence: string;
      /** Numbers of its texts. */
      texts: number[];
    }[];
    texts: string[];
  };
  export default known;
}
