/** @file Finds the columns of an archive that a comparison reads. */

/** Returns the columns of a record that the function reads. */
export function columnsRead(read: (record: Record<string, unknown>) => unknown): string[] {
  const columns: string[] = [];
  const record = new Proxy<Record<string, unknown>>(
    {},
    {
      get(_, name) {
        columns.push(String(name));
        return undefined;
      },
      has(_, name) {
        columns.push(String(name));
        return false;
      },
    },
  );
  read(record);
  return columns;
}
