/** @file Sides of a comparison that follows another one. They list nothing, except for what a test gives. */
import { comparedRelations } from '../../../src-contract/relations.ts';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import type { Sides } from '../../../src-main/services/migrations/comparing/sides/compared-sides.ts';

export const unshown = {
  avatar: { isSet: false, sha256: null },
  comparedNotes: { commitNoteCount: 0, uncomparedLines: new Map(), people: [] },
  lostChanges: { uncomparedLines: new Set() },
  comparedUploads: { unread: { titles: new Set() } },
  administrator: true,
};
export const noRecords = Object.fromEntries(comparedRelations.map((relation) => [relation, []]));
/** Returns an archive with one record of the relation, in line 0. */
export const archiveOf = (relation: string, record: object) => ({
  archiveRecords: { records: { ...noRecords, [relation]: [{ line: 0, ...record }] }, invitations: [] },
});
/** Returns sides that list nothing, except for what is given. */
export const sidesOf = (source: object | null, target: object, more: object = {}): Sides => {
  const empty = { listed: { issues: null }, protectedRefs: {}, wikiPages: [], members: [] };
  const details = { attributes: {}, project: {} };
  return {
    source: source && { ...empty, ...unshown, uploads: [], invitations: [], details, ...source },
    target: { ...empty, ...unshown, uploads: [], invitations: [], details, ...target },
    ...{ archiveRecords: { records: noRecords, invitations: [] }, knownLosses: [], ...more },
  } as unknown as Sides;
};
/** A comparison without losses. */
export const without: Reconciliation = {
  ...{ at: '2026-11-20T01:00:00.000Z', depth: 'names', reconciled: true, rows: [], settings: [] },
  ...{ missing: [], missingCount: 0, declared: [], notCompared: [] },
};
