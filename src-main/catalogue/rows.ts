/** @file Reads rows: no value leaves the catalogue unless its schema recognises it. */
import { AppError } from '../../src-contract/errors.ts';
import { z } from '../../src-contract/schema.ts';

export const jsonColumn = z
  .string()
  .nullable()
  .transform((text): unknown => (text === null ? null : JSON.parse(text)));

export const whereClause = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;

/** Parses a row. Throws `catalogue-damaged` for an unrecognised value, such as an unknown status. */
export function readRow<S extends z.ZodType>(schema: S, row: unknown, table: string): z.output<S> {
  const parsed = schema.safeParse(row);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new AppError('catalogue-damaged', `A row of ${table} is not recognised (${where}).`, {
    details: { table, columns: where },
  });
}
