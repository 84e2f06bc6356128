import type { MissingRecord } from '../../../src-contract/transfers/import.ts';

/** Returns the name of a changed field with its expected and found value; null for a whole record. */
export function partWords({ part }: MissingRecord): string | null {
  if (part === null) return null;
  return 'values' in part ? `${part.name} ${part.values.expected} ${part.values.found}` : part.name;
}
