/**
 * The oldest major version of Node on which the native SQLite module works; it crashes older ones.
 */
const MIN_NODE_MAJOR = 22;

/**
 * Runs the program, unless this version of Node is too old: then it prints one sentence and exits
 * with 1. npm scripts always use the Node among the dependencies; without npm, any version may run
 * the build (docs/decisions/0009-runtime-and-container.md).
 *
 * @param load imports the program, which an old Node may not even be able to parse
 */
export async function runOnSupportedNode(load: () => Promise<unknown>): Promise<void> {
  const { version, versions } = process;
  if (Number.parseInt(versions.node, 10) >= MIN_NODE_MAJOR) {
    await load();
    return;
  }
  console.error(
    `This is Node ${version}; the program needs Node ${MIN_NODE_MAJOR} or newer, as npm start brings it.`,
  );
  process.exitCode = 1;
}
