/**
 * @file Every relation that a comparison of contents covers, with the fields that it compares, and how far comparisons of
 * less compare it. Follows from the tables of fields. Pure.
 */
import {
  commitNotes,
  comparedRelations as listedRelations,
  isRef,
  isUncounted,
  noteRowOf,
} from '../../../../../src-contract/relations.ts';
import type { ChosenDepth, RelationDepth } from '../../../../../src-contract/transfers/import.ts';
import { comparedFieldNames } from '../contents/compared-fields.ts';
import { lfsObjects } from '../lfs-objects.ts';
import { noteFieldNames } from '../notes/compared-notes.ts';
import { invitationList } from '../people/invitations.ts';
import { roleNames } from '../people/record-people.ts';
import { commitFields, diffFields } from '../refs/merge-request-diffs.ts';
import { protectedRelations } from '../refs/protected-refs.ts';
import { comparedSettings, isReadSeparately } from '../settings/setting-table.ts';
import { lfsSize } from '../three-way-comparison.ts';
import { archiveCoverage } from './archive-coverage.ts';
import { coveredPaths } from './field-coverage.ts';

/** The depth that a comparison reaches if it can read everything. */
type DepthsByChoice = Readonly<Record<ChosenDepth, RelationDepth>>;

export interface ComparedRelation {
  relation: string;
  /** Fields by the names in GitLab's API, or by the columns of the archive if nothing else has a name for them. */
  fields: readonly string[];
  depths: DepthsByChoice;
  /** The depths with the source, if they differ from those with the target. */
  depthsOfSource?: DepthsByChoice;
  /** Fields that are not compared, although the relation has the depth `contents`. */
  leftOut?: Partial<Record<ChosenDepth, readonly string[]>>;
  /** The rows of the comparison that count it. */
  rows: readonly string[];
  /** True if it is compared without the records of the archive. */
  isSetting?: true;
}

const byDepth = (counts: RelationDepth, keys: RelationDepth, contents: RelationDepth): DepthsByChoice => ({
  ...{ counts, keys, contents },
});
const records = byDepth('counts', 'keys', 'contents');
const listsWithFields = byDepth('none', 'contents', 'contents');
/** A comparison of numbers uses the counts of the source around the export, which leave out these relations. */
const uncountedOnSource = (depths: DepthsByChoice): Pick<ComparedRelation, 'depths' | 'depthsOfSource'> => ({
  depths,
  depthsOfSource: { ...depths, counts: 'none' },
});
const onlyContents = byDepth('none', 'none', 'contents');

const noteFields = [...noteFieldNames, 'author', ...roleNames('notes')];
/** Notes on commits have no threads to resolve and no suggestions, and GitLab shows no reactions to them. */
const onlyOfRecords = /^(commit_id|emoji|resolved|suggestions)/;
const commitNoteFields = noteFields.filter((name) => !onlyOfRecords.test(name));

/** Returns the columns of a relation that a comparison reads. Those of nested records count as one. */
const columnsOf = (relation: string): string[] =>
  Object.entries(archiveCoverage[relation] ?? {}).flatMap(([column, coverage]: [string, unknown]) =>
    [...coveredPaths({ [column]: coverage as never })].some(([, each]) => each === 'compared')
      ? [column]
      : [],
  );

const settingParts = [...new Set(comparedSettings.map(({ part }) => part ?? 'project'))];

/** The part that contains a setting. */
export const partOfSetting = (attribute: string): string =>
  comparedSettings.find((setting) => setting.attribute === attribute)?.part ?? 'project';

function settingsIn(part: string): ComparedRelation {
  const compared = comparedSettings.map(({ attribute }) => attribute);
  const fields = [
    ...compared.filter((attribute) => partOfSetting(attribute) === part),
    ...(part === 'project' ? ['name', 'archived'] : []),
  ];
  const separate = fields.filter(isReadSeparately);
  return {
    ...{ relation: part, fields, rows: [], isSetting: true },
    depths: byDepth(separate.length === fields.length ? 'none' : 'contents', 'contents', 'contents'),
    leftOut: { counts: separate },
  };
}

/** The relations in the order of comparisons. */
export const comparedRelations: readonly ComparedRelation[] = [
  ...listedRelations.map((relation): ComparedRelation => {
    const rows = [relation];
    // A ref has no other field than its commit, which is in the list of refs.
    if (isRef(relation))
      return { relation, fields: ['sha'], depths: byDepth('counts', 'contents', 'contents'), rows };
    const changes = relation === 'merge_requests' ? ['changes', ...diffFields, ...commitFields] : [];
    const fields = [...comparedFieldNames(relation), ...roleNames(relation), ...changes];
    return {
      relation,
      fields,
      rows,
      ...(isUncounted(relation) ? uncountedOnSource(records) : { depths: records }),
    };
  }),
  {
    ...{ relation: 'notes', fields: noteFields, depths: byDepth('counts', 'counts', 'contents') },
    rows: listedRelations.flatMap((relation) => noteRowOf(relation) ?? []),
  },
  { relation: commitNotes, fields: commitNoteFields, depths: onlyContents, rows: [commitNotes] },
  ...['project_members', invitationList].map((relation): ComparedRelation => ({
    ...{ relation, fields: columnsOf('project_members'), depths: listsWithFields, rows: [] },
  })),
  ...protectedRelations.map((relation): ComparedRelation => ({
    ...{ relation, fields: columnsOf(relation), rows: [relation] },
    // The list of approval rules is not counted, because it leaves out some of GitLab's own.
    ...(relation === 'approval_rules'
      ? { depths: listsWithFields, leftOut: { keys: ['approval_project_rules_users'] } }
      : uncountedOnSource(byDepth('counts', 'contents', 'contents'))),
  })),
  { relation: 'uploads', fields: ['content'], rows: ['uploads'], ...uncountedOnSource(records) },
  {
    ...{ relation: lfsObjects, fields: [], rows: [lfsSize] },
    // An object is found by its SHA-256. A source shows only the size of all of them.
    ...{
      depths: byDepth('counts', 'contents', 'contents'),
      depthsOfSource: byDepth('counts', 'counts', 'counts'),
    },
  },
  {
    ...{ relation: 'wiki', fields: ['pages'], rows: ['wiki'] },
    ...uncountedOnSource(byDepth('counts', 'counts', 'contents')),
  },
  { relation: 'avatar', fields: ['content'], depths: onlyContents, rows: [] },
  ...settingParts.map(settingsIn),
  {
    ...{ relation: 'custom_attributes', fields: ['value'], rows: [], isSetting: true },
    depths: byDepth('contents', 'contents', 'contents'),
  },
];
