/** @file Compares the fields of one record in an archive and in a list. */
import {
  archivedContents,
  listedContents,
} from '../../../src-main/jobs/migrations/comparing/contents/compared-fields.ts';
import { pairFields } from '../../../src-main/jobs/migrations/comparing/contents/paired-records.ts';
import type {
  ArchivedRecord,
  ListedRecord,
} from '../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';
import type { RecordRelation } from '../../../src-contract/relations.ts';

/** Returns the names of the fields that differ, and of those that only one side has. */
export function compareRecord(relation: RecordRelation, archived: object, listed: object) {
  const record = { key: '7', iid: 7, title: null };
  const { differences, onOneSide } = pairFields(
    relation,
    [{ ...record, contents: archivedContents(relation, { ...archived }) } as ArchivedRecord],
    [{ ...record, contents: listedContents(relation, { ...listed }) } as ListedRecord],
    () => true,
    (pair) => ({ ...pair, lost: 'on-import', expected: pair.archivedValue, found: pair.listedValue }),
  );
  return { different: differences.map(({ name }) => name), onOneSide };
}
