/** @file The table of an export's fields has every field that was seen in a real archive. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isKnownRelation } from '../../../../../../src-main/jobs/migrations/comparing/coverage/archive-coverage.ts';
import {
  addRecord,
  noUncomparedContents,
} from '../../../../../../src-main/jobs/migrations/comparing/coverage/uncompared-contents.ts';

/** Paths of the fields of archives of GitLab 11 to 18, such as `issues.notes.note`. */
const paths = readFileSync(
  join(import.meta.dirname, '../../../../../support/archives/archive-fields.txt'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((path) => path.split('.'));

it('every relation of a real archive is known', () => {
  expect(paths.length).toBeGreaterThan(1000);
  const relations = new Set(paths.map(([relation = '']) => relation));
  expect([...relations].filter((relation) => !isKnownRelation(relation))).toEqual([]);
});

it('every field of a real archive is known', () => {
  const contents = noUncomparedContents();
  for (const [relation = '', ...fields] of paths) {
    const record = fields.reduceRight<unknown>((value, field) => ({ [field]: value }), 1);
    addRecord(contents, relation, record as Record<string, unknown>);
  }
  expect([...contents.unknownFields]).toEqual([]);
});
