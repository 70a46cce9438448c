/** The oldest major version of Node on which the native SQLite module works; it crashes older ones. */
const MIN_NODE_MAJOR = 22;

/** Old ones may not even be able to parse the program (docs/decisions/0009-runtime-and-container.md). */
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
