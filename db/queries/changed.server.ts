interface Write {
  executeTakeFirst(): Promise<{ numUpdatedRows?: bigint; numDeletedRows?: bigint }>;
}

/** Runs an update or a deletion. @returns whether it found a row */
export async function hasChanged(query: Write): Promise<boolean> {
  const { numUpdatedRows = 0n, numDeletedRows = 0n } = await query.executeTakeFirst();
  return numUpdatedRows + numDeletedRows > 0n;
}
