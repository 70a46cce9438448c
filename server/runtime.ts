/** The oldest line of Node that the native SQLite module runs on; older ones crash in it. */
const OLDEST_NODE = 22;

/**
 * Runs the program unless this Node is too old for it: then it says so in one sentence and ends
 * with 1. Scripts of npm always run on the Node of the package `node`; who starts the build without
 * npm may have any (docs/decisions/0021-runtime.md).
 *
 * @param load imports the program, which an old Node may not even be able to read
 */
export async function runOnThisNode(load: () => Promise<unknown>): Promise<void> {
  const { version, versions } = process;
  if (Number.parseInt(versions.node, 10) >= OLDEST_NODE) {
    await load();
    return;
  }
  console.error(
    `This is Node ${version}; the program needs Node ${OLDEST_NODE} or newer, as npm start brings it.`,
  );
  process.exitCode = 1;
}
