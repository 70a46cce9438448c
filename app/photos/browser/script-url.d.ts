/** The address of a bundled script (`scripts/browser-scripts.ts`). */
declare module '*?script' {
  const url: string;
  export default url;
}
