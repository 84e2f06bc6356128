/** @file Decides which parts of records a side of a comparison did not show, such as fields, users and notes. Pure. */
import type { RecordRelation } from '../../../../../src-contract/relations.ts';
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { fieldOf, fieldsOf } from '../../../../jobs/migrations/comparing/contents/compared-fields.ts';
import type { ComparedField } from '../../../../jobs/migrations/comparing/contents/field-readers.ts';
import { recordRelations } from '../../../../jobs/migrations/comparing/contents/differing-fields.ts';
import type { UnnamedLosses } from '../../../../jobs/migrations/comparing/losses/known-losses.ts';
import type {
  ArchivedRecord,
  ArchivedRecords,
  ListedRecord,
} from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import { isRole, isRoleShown, roleOf } from '../../../../jobs/migrations/comparing/people/record-people.ts';
import { recordsByKey } from '../../../../jobs/migrations/comparing/records-by-key.ts';
import type { SourceSide, TargetSide } from './fetching-sides.ts';
import { recordsWithLoss } from './repaired-losses.ts';

type Side = SourceSide | TargetSide;

/** Returns whether the side did not show the lost part, or several of its records may be the one with the loss. */
export function isPartUncompared(loss: MissingRecord, side: Side, archive: ArchivedRecords): boolean {
  const { relation, line, title, part } = loss;
  if (part === null) return false;
  if (relation === 'uploads') return side.comparedUploads.unread.titles.has(title ?? '');
  const field = fieldOf(relation, part.name);
  if (field !== undefined || isRole(relation, part.name))
    return isUnshown({ relation, name: part.name, field }, recordsWithLoss(loss, side, archive), side);
  return typeof line === 'number' && linesWithUnreadParts(relation, side).some((lines) => lines.has(line));
}

/**
 * Returns how many parts of records the side did not show, and may have lost. Only a comparison of contents finds losses
 * of fields and users.
 */
export function countUncomparedParts(
  { relation, lost }: UnnamedLosses,
  side: Side,
  archive: ArchivedRecords,
  comparesContents: boolean,
): number {
  if (relation === 'uploads') return side.comparedUploads.unread.titles.size;
  const relations = recordRelations.filter((each) => comparesContents && each === relation);
  const unshownCounts = relations.map((each) => {
    const listed = recordsByKey(side.listed[each] ?? []);
    const archived = recordsByKey(archive[each]);
    let count = 0;
    for (const record of archive[each]) {
      // Records with the same key are never compared.
      if (record.key === null || (archived.get(record.key) ?? []).length > 1) continue;
      const found = [...(listed.get(record.key) ?? [])];
      count += losableParts(each, lost, record).filter((part) => isUnshown(part, found, side)).length;
    }
    return count;
  });
  const unreadLines = new Set(linesWithUnreadParts(relation, side).flatMap((lines) => [...lines]));
  return unshownCounts.reduce((sum, count) => sum + count, unreadLines.size);
}

/** A field, or a role of users if it has no field. */
interface RecordPart {
  relation: string;
  name: string;
  field: ComparedField | undefined;
}

/** Returns the fields and roles of the record that a comparison with this archive can find to be lost. */
function losableParts(
  relation: RecordRelation,
  lost: UnnamedLosses['lost'],
  { contents = {}, userIds = {} }: ArchivedRecord,
): RecordPart[] {
  // An import cannot lose what the archive lacks, so the target is not asked for it.
  const isLosable = (isAbsent: boolean): boolean => lost === 'on-export' || !isAbsent;
  const fields = Object.entries(fieldsOf(relation)).filter(
    ([name, { isReadSingly, isNeverCompared }]) =>
      contents[name] !== undefined &&
      isNeverCompared !== true &&
      isLosable(isReadSingly === true && ['', 'false'].includes(contents[name])),
  );
  const roles = Object.entries(userIds).filter(([, ids]) => isLosable(ids.length === 0));
  return [
    ...fields.map(([name, field]) => ({ relation, name, field })),
    ...roles.map(([name]) => ({ relation, name: roleOf(name).role, field: undefined })),
  ];
}

/** Returns whether one of the records does not show the part, or there are several records. */
function isUnshown(
  { relation, name, field }: RecordPart,
  records: readonly ListedRecord[],
  side: Side,
): boolean {
  if (records.length > 1) return true;
  if (field === undefined) return records.some((record) => !isRoleShown(relation, name, record));
  const isListed = field.needs === undefined || side.listed[field.needs] !== null;
  return !isListed || records.some(({ contents }) => contents?.[name] === undefined);
}

/** Returns the lines of records whose notes, or the changes of a merge request, were not compared. */
const linesWithUnreadParts = (
  relation: string,
  { comparedNotes, lostChanges }: Side,
): ReadonlySet<number>[] => [
  comparedNotes.uncomparedLines.get(relation) ?? new Set(),
  ...(relation === 'merge_requests' ? [lostChanges.uncomparedLines] : []),
];
