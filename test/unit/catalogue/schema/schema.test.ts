/** @file The version of the schema belongs to one schema, and upgrades lead to it from every version that can be opened. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { schema } from '../../../../src-main/catalogue/schema/schema.ts';

/** Returns the SQL without comments and layout. */
const meaningOf = (sql: string): string =>
  sql
    .replace(/--.*/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),;]) ?/g, '$1');

const fingerprintOf = (sql: string): string =>
  createHash('sha256').update(meaningOf(sql)).digest('hex').slice(0, 16);

test('the schema changes only together with its version: catalogues of this version exist already', () => {
  const fingerprint = fingerprintOf(schema.tables + schema.viewsAndTriggers);
  expect({ version: schema.version, fingerprint }).toEqual({ version: 24, fingerprint: 'edfc1582c474e1aa' });
});

test('upgrades lead without a gap from the oldest version that can be opened to the newest', () => {
  const versions = Object.keys(schema.upgrades).map(Number);
  expect(versions.map((version) => version + 1)).toEqual([...versions.slice(1), schema.version]);
});
