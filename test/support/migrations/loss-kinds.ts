/** @file The kinds of losses that a sandbox can cause, each with the parts that it needs. */
import { roles } from '../../../src-main/sandbox/sandbox-database.ts';
import { uncountedRelations } from '../../../src-contract/relations.ts';
import type { FaultAction } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import {
  buildTimes,
  changedApprovalRule,
  changedEntryUsers,
  changedEpicsAndIterations,
  changedJobs,
  changedMember,
  invitedEmail,
  changedNoteAuthor,
  changedNoteUsers,
  changedEntries,
  jobLists,
  changedNoteValues,
  changedPeople,
  changedProtections,
  changedValues,
} from './changed-values.ts';
import { approvalSettings, lostSettings } from './lost-settings.ts';

export const sides = ['export', 'import'] as const;
export type Side = (typeof sides)[number];

export interface Kind {
  /** The kind of project that has the lost part, see the recipes of the sandbox. */
  recipe: string;
  /** Number of variants that differ by more than their project; the next ones repeat the first. Default: one. */
  distinct?: number;
  action: (variant: number, side: Side) => FaultAction;
  /** True if the lost record of `project_members` is an invitation. */
  ofInvitation?: true;
  /** Adds the part that will be lost to the source's project. */
  prepare?: (project: SourceProject, variant: number) => void | Promise<void>;
}

export interface SourceProject {
  /** Sends a request below the project to the source and asserts the status of the reply. */
  send: (method: string, path: string, body: object, status: number) => Promise<void>;
  userId: (name: string) => Promise<number>;
  /** Gives each issue an epic, and an iteration that a group of the target has, too. */
  addEpicsAndIterations: () => void;
}

const pick = <T>(list: readonly [T, ...T[]], variant: number): T => list[variant % list.length] ?? list[0];
const countedRecords = ['issues', 'merge_requests', 'milestones', 'releases', 'ci_pipelines'] as const;
export const droppedRelations = [
  ...[...countedRecords, ...uncountedRelations],
  ...(['commit_notes', 'protected_branches', 'protected_tags'] as const),
  ...(['protected_environments', 'approval_rules'] as const),
] as const;
const notedRelations = ['issues', 'snippets'] as const;
const repeatedRelations = ['labels', 'issues', 'milestones'] as const;
const refs = ['branches', 'tags'] as const;
const relationsWithNotes = ['issues', 'merge_requests'] as const;
const relationsWithEntries = ['issues', 'merge_requests'] as const;

const changes = Object.entries({ ...changedValues, ...changedProtections }).map(([relation, fields]) => ({
  relation,
  values: Object.assign({}, ...Object.values({ ...fields, ...changedPeople[relation] })) as Record<
    string,
    unknown
  >,
})) as [{ relation: string; values: Record<string, unknown> }];

const plainNoteValues = { ...changedNoteValues.text, ...changedNoteValues.internal };
const noteChanges: [NoteChange, ...NoteChange[]] = [
  { relation: 'issues', values: plainNoteValues },
  { relation: 'snippets', values: { ...plainNoteValues, ...changedNoteAuthor } },
  { relation: 'commit_notes', values: { ...plainNoteValues, ...changedNoteAuthor } },
  {
    ...{ relation: 'merge_requests', type: 'DiffNote' },
    values: Object.assign({}, ...Object.values(changedNoteValues)) as Record<string, unknown>,
  },
  { relation: 'issues', system: true, values: { ...changedNoteValues.text, ...changedNoteAuthor } },
  { relation: 'merge_requests', values: changedNoteAuthor },
  { relation: 'merge_requests', type: 'DiffNote', values: { award_emoji: [] } },
  { relation: 'merge_requests', type: 'DiffNote', values: changedNoteUsers },
];
interface NoteChange {
  relation: string;
  system?: true;
  type?: string;
  values: Record<string, unknown>;
}

const once = { count: 1 } as const;

const noHistory = {
  ...{ award_emoji: [], resource_state_events: [], resource_label_events: [] },
  resource_milestone_events: [],
};
/** Parts that a record loses completely, so that the archive or the target shows no sign of them. */
const emptiedParts: [EmptiedPart, ...EmptiedPart[]] = [
  { relation: 'issues', values: noHistory },
  { relation: 'merge_requests', values: { ...noHistory, approvals: [] } },
  {
    relation: 'merge_requests',
    values: Object.fromEntries(buildTimes.map((name) => [`metrics.${name}`, null])),
  },
  { relation: 'ci_pipelines', values: { stages: [] } },
  { relation: 'snippets', values: { award_emoji: [] } },
];
interface EmptiedPart {
  relation: string;
  values: Record<string, unknown>;
}

const diff = 'merge_request_diff';
const changedFile = (name: string) => ({
  ...{ old_path: name, new_path: name, a_mode: '0', b_mode: '100644', utf8_diff: 'changed' },
});
const changedPerson = { name: 'Changed', email: 'changed@example.com' };
const earlierTime = '2001-02-03T04:05:06.000Z';
const changedCommit = {
  ...{ sha: 'c0ffee'.repeat(6), message: 'Changed', commit_author: changedPerson, committer: changedPerson },
  ...{ authored_date: earlierTime, committed_date: earlierTime },
};
const commits = `${diff}.merge_request_diff_commits`;
/** Each diff of a sandbox has two files. */
const changedDiffs: [FaultAction, ...FaultAction[]] = [
  { kind: 'drop-diffs', ...once },
  {
    ...{ kind: 'change-records', relation: 'merge_requests', ...once },
    values: {
      [`${diff}.merge_request_diff_files`]: [changedFile('changes/1.txt')],
      [`${commits}.message`]: 'Changed',
      [`${commits}.commit_author`]: changedPerson,
    },
  },
  {
    ...{ kind: 'change-records', relation: 'merge_requests', ...once },
    values: {
      [`${diff}.merge_request_diff_files`]: ['1', '2'].map((name) => changedFile(name)),
      [`${diff}.created_at`]: earlierTime,
      [commits]: [changedCommit],
      ...Object.fromEntries(
        ['base', 'start', 'head'].map((name) => [`${diff}.${name}_commit_sha`, 'decade'.repeat(6)]),
      ),
    },
  },
  // These columns change one compared value, so that each is drawn alone.
  ...(['committer', 'committed_date'] as const).map((name) => ({
    ...{ kind: 'change-records' as const, relation: 'merge_requests', ...once },
    values: { [`${commits}.${name}`]: changedCommit[name] },
  })),
];

const invite = async ({ send }: SourceProject): Promise<void> => {
  await send('POST', '/invitations', { email: invitedEmail, access_level: roles.developer }, 201);
};

export const lossKinds = {
  records: {
    recipe: 'caravan',
    distinct: droppedRelations.length,
    action: (variant) => ({ kind: 'drop-records', relation: pick(droppedRelations, variant), ...once }),
  },
  notes: {
    recipe: 'caravan',
    distinct: notedRelations.length,
    action: (variant) => ({ kind: 'drop-notes', relation: pick(notedRelations, variant), ...once }),
  },
  'system notes': {
    recipe: 'ferry',
    distinct: relationsWithNotes.length,
    action: (variant) => ({
      ...{ kind: 'drop-notes', relation: pick(relationsWithNotes, variant), ...once, system: true },
    }),
  },
  uploads: { recipe: 'almanac', action: () => ({ kind: 'drop-files', of: 'uploads', ...once }) },
  'contents of uploads': {
    recipe: 'almanac',
    action: () => ({ kind: 'change-files', of: 'uploads', ...once }),
  },
  avatar: {
    recipe: 'almanac',
    distinct: 2,
    action: (variant) => ({
      ...{ kind: variant % 2 === 0 ? 'drop-files' : 'change-files', of: 'avatar', ...once },
    }),
  },
  'wiki pages': {
    recipe: 'almanac',
    distinct: 2,
    action: (variant) => ({
      ...{ kind: variant % 2 === 0 ? 'change-files' : 'drop-files', of: 'wiki', ...once },
    }),
  },
  'LFS objects': {
    recipe: 'almanac',
    distinct: 2,
    // An export contains less than it lists, or an import gets another object of the same size.
    action: (variant, side) => {
      if (variant % 2 === 0) return { kind: 'drop-files', of: 'lfs-objects', ...once };
      return side === 'import'
        ? { kind: 'change-files', of: 'lfs-objects', ...once }
        : { kind: 'drop-files', of: 'lfs-objects', ...once, isListed: true };
    },
  },
  refs: {
    recipe: 'lighthouse',
    distinct: refs.length,
    action: (variant) => ({ kind: 'drop-refs', of: pick(refs, variant), ...once }),
  },
  'moved refs': {
    recipe: 'lighthouse',
    distinct: refs.length,
    action: (variant) => ({ kind: 'move-refs', of: pick(refs, variant), ...once }),
  },
  members: {
    recipe: 'blank-slate',
    action: () => ({ kind: 'drop-records', relation: 'project_members', ...once }),
    // Adds one of the users that both instances have.
    prepare: async ({ send, userId }) => {
      await send(
        'POST',
        '/members',
        { user_id: await userId('developer'), access_level: roles.developer },
        201,
      );
    },
  },
  invitations: {
    recipe: 'blank-slate',
    ofInvitation: true,
    action: () => ({ kind: 'drop-records', relation: 'project_members', ...once }),
    prepare: invite,
  },
  'changed invitations': {
    recipe: 'blank-slate',
    ofInvitation: true,
    action: () => ({
      ...{ kind: 'change-records', relation: 'project_members', ...once, values: changedMember },
    }),
    prepare: invite,
  },
  labels: { recipe: 'zolw', action: () => ({ kind: 'drop-records', relation: 'labels', ...once }) },
  settings: {
    // Every project has all settings. One with few records needs fewer requests.
    recipe: 'blank-slate',
    distinct: lostSettings.length,
    action: (variant, side) => {
      const { columns, sent = [] } = pick(lostSettings, variant);
      return { kind: 'drop-settings', names: side === 'import' ? [...columns, ...sent] : columns };
    },
    prepare: async ({ send }, variant) => {
      const { edit } = pick(lostSettings, variant);
      if (edit !== null) await send('PUT', '', edit, 200);
    },
  },
  memberships: {
    recipe: 'blank-slate',
    action: () => ({
      ...{ kind: 'change-records', relation: 'project_members', ...once, values: changedMember },
    }),
  },
  'custom attributes': {
    recipe: 'blank-slate',
    action: () => ({ kind: 'drop-settings', names: ['location'] }),
    prepare: async ({ send }) => send('PUT', '/custom_attributes/location', { value: 'Berlin' }, 200),
  },
  'approval settings': {
    recipe: 'museum',
    action: () => ({ kind: 'drop-settings', names: Object.keys(approvalSettings) }),
    prepare: async ({ send }) => send('POST', '/approvals', approvalSettings, 201),
  },
  'error tracking': {
    recipe: 'blank-slate',
    action: () => ({ kind: 'drop-settings', names: ['api_url', 'project_name'] }),
  },
  contents: {
    recipe: 'caravan',
    distinct: changes.length,
    action: (variant) => ({ kind: 'change-records', ...pick(changes, variant), ...once }),
  },
  'users of reactions and changes': {
    recipe: 'caravan',
    distinct: relationsWithEntries.length,
    action: (variant) => ({
      ...{ kind: 'change-records', relation: pick(relationsWithEntries, variant), ...once },
      values: changedEntryUsers,
    }),
  },
  'details of jobs': {
    recipe: 'caravan',
    distinct: jobLists.length,
    action: (variant) => ({
      ...{ kind: 'change-records', relation: 'ci_pipelines', ...once },
      values: changedJobs[pick(jobLists, variant)],
    }),
  },
  'entries of records': {
    recipe: 'caravan',
    distinct: changedEntries.length,
    action: (variant) => ({ kind: 'change-records', ...pick(changedEntries, variant), ...once }),
  },
  'details of approval rules': {
    recipe: 'caravan',
    action: () => ({
      ...{ kind: 'change-records', relation: 'approval_rules', ...once, values: changedApprovalRule },
    }),
  },
  'epics and iterations': {
    recipe: 'caravan',
    distinct: changedEpicsAndIterations.length,
    action: (variant) => ({
      ...{
        kind: 'change-records',
        relation: 'issues',
        ...once,
        values: pick(changedEpicsAndIterations, variant),
      },
    }),
    prepare: ({ addEpicsAndIterations }) => {
      addEpicsAndIterations();
    },
  },
  'emptied parts': {
    recipe: 'caravan',
    distinct: emptiedParts.length,
    action: (variant) => ({ kind: 'change-records', ...pick(emptiedParts, variant), ...once }),
  },
  'contents of notes': {
    recipe: 'caravan',
    distinct: noteChanges.length,
    // Each note on a commit is a record.
    action: (variant) => {
      const change = { ...pick(noteChanges, variant), ...once };
      const { type: _, ...records } = change;
      return change.relation === 'commit_notes'
        ? { kind: 'change-records', ...records }
        : { kind: 'change-notes', ...change };
    },
  },
  diffs: {
    recipe: 'ferry',
    distinct: changedDiffs.length,
    action: (variant) => pick(changedDiffs, variant),
  },
  // A record occurs twice: in place of another one in the export, or in addition to the others.
  duplicates: {
    recipe: 'zolw',
    distinct: repeatedRelations.length,
    action: (variant, side) => ({
      kind: 'repeat-records',
      relation: pick(repeatedRelations, variant),
      ...once,
      instead: side === 'export',
    }),
  },
} satisfies Record<string, Kind>;
export type LossKind = keyof typeof lossKinds;
export const lossKindNames = Object.keys(lossKinds) as LossKind[];

/** Returns the number of variants of a kind that differ from each other. */
export const distinctVariants = (kind: LossKind): number => (lossKinds[kind] as Kind).distinct ?? 1;
