/** @file The parts of a project that a test adds, copies, edits and removes like people do, with the fault that loses one. */
import { createHash } from 'node:crypto';
import type { FaultAction } from '../../../../src-main/sandbox/faults/fault-kinds.ts';
import type { ProjectEdits } from '../../../../src-main/sandbox/projects/project-edits.ts';
import { droppedRelations } from '../loss-kinds.ts';

type Json = Record<string, unknown>;
type Work = void | Promise<void>;

export interface Part {
  /** The relation of the loss, as the sandbox lists it. */
  relation: string;
  /** The path of its list below the project, as a pattern; null if it has none. */
  list: string | null;
  lose: FaultAction;
  /** Adds an old one before the migration if a light project has only one. */
  prepare: (edits: ProjectEdits) => void;
  /** Adds another one. */
  add: (edits: ProjectEdits) => Work;
  /** Adds a copy of the first one; null if there can be none. */
  copy: ((edits: ProjectEdits) => Work) | null;
  /** Removes the one that was added last. */
  removeLast: (edits: ProjectEdits) => Work;
  /** Removes the first one; null if it has to stay. */
  removeFirst: ((edits: ProjectEdits) => Work) | null;
  /** True if GitLab stores no two records with the same key. */
  isUnique: boolean;
}

const lists: Record<string, string> = { ci_pipelines: 'pipelines', project_badges: 'badges' };
const newFields: Record<string, Json> = {
  issues: { title: 'New work', confidential: false, label_links: [] },
  merge_requests: { title: 'New change', source_branch: 'new-work' },
  milestones: { title: 'New milestone' },
  labels: { title: 'new::label', priorities: [] },
  releases: { tag: 'v99.0', name: 'New release' },
  ci_pipelines: { status: 'success' },
  boards: { name: 'New board', lists: [] },
  snippets: { title: 'New snippet' },
  project_badges: { name: 'New badge', link_url: 'https://new.example' },
  pipeline_schedules: { description: 'New schedule' },
  protected_branches: { name: 'release/*' },
  protected_tags: { name: 'release-*' },
  protected_environments: { name: 'review' },
  approval_rules: { name: 'New rule' },
};
const secondFields: Record<string, Json> = {
  boards: { name: 'Second board' },
  snippets: { title: 'Second snippet' },
  project_badges: { name: 'Second badge' },
  pipeline_schedules: { description: 'Second schedule' },
  protected_branches: { name: 'stable' },
  protected_tags: { name: 'stable-*' },
  protected_environments: { name: 'staging' },
  approval_rules: { name: 'Second rule' },
};
/** Times of a record that is older than the migration. */
export const oldTimes = { created_at: '2024-06-06T06:06:06.000Z', updated_at: '2024-06-06T06:06:06.000Z' };
const uniqueRelations: readonly string[] = [
  ...['issues', 'merge_requests', 'milestones', 'labels', 'releases', 'ci_pipelines', 'protected_branches'],
  ...['protected_tags', 'protected_environments', 'approval_rules'],
];

const recordPart = (relation: string): Part => ({
  relation,
  list: lists[relation] ?? relation,
  lose: { kind: 'drop-records', relation, count: 1 },
  prepare: (edits) => {
    if (edits.records(relation).length < 2) edits.add(relation, { ...secondFields[relation], ...oldTimes });
  },
  add: (edits) => {
    edits.add(relation, newFields[relation]);
  },
  copy: (edits) => {
    edits.add(relation, edits.records(relation)[0]);
  },
  removeLast: (edits) => {
    edits.remove(relation, -1);
  },
  removeFirst: (edits) => {
    edits.remove(relation, 0);
  },
  isUnique: uniqueRelations.includes(relation),
});

const isUserNote = ({ system }: Json): boolean => system !== true;
const notesOf = (edits: ProjectEdits): Json[] =>
  (edits.records('issues')[0]?.['notes'] as Json[]).filter(isUserNote);
const notes: Part = {
  relation: 'issues',
  list: 'issues/1/discussions',
  lose: { kind: 'drop-notes', relation: 'issues', count: 1 },
  prepare: (edits) => {
    const old = { ...notesOf(edits)[0], note: 'A second note', discussion_id: 'ab'.repeat(20), ...oldTimes };
    edits.addNote('issues', 0, old);
    edits.change('issues', 0, oldTimes);
  },
  add: (edits) => {
    const discussion = createHash('sha1')
      .update(String(edits.records('issues').length))
      .digest('hex');
    edits.addNote('issues', 0, { note: 'A new note', noteable_type: 'Issue', discussion_id: discussion });
  },
  copy: (edits) => {
    edits.addNote('issues', 0, { ...notesOf(edits).at(-1) });
  },
  removeLast: (edits) => {
    const all = edits.records('issues')[0]?.['notes'] as Json[];
    edits.removeNotes('issues', 0, (note) => note === all.at(-1));
  },
  removeFirst: (edits) => {
    const [first] = notesOf(edits);
    edits.removeNotes('issues', 0, (note) => note === first);
  },
  isUnique: false,
};

const uploadName = 'new-file.txt';
/** These files are the first in the order of names, so that a loss of the last file concerns another one. */
const secrets = { new: '0'.repeat(32), copy: `${'0'.repeat(31)}1` };
const uploadsOf = (edits: ProjectEdits): string[] => edits.files('uploads/');
const uploads: Part = {
  relation: 'uploads',
  list: 'uploads',
  lose: { kind: 'drop-files', of: 'uploads', count: 1 },
  prepare: (edits) => {
    edits.addOldFile(`uploads/${'7'.repeat(32)}/second-file.txt`, Buffer.from('A second file'));
  },
  add: (edits) => {
    edits.setFile(`uploads/${secrets.new}/${uploadName}`, Buffer.from('A new file'));
  },
  copy: (edits) => {
    const [first = ''] = uploadsOf(edits);
    edits.setFile(`uploads/${secrets.copy}/${first.split('/').at(-1) ?? ''}`, edits.file(first));
  },
  removeLast: (edits) => {
    for (const name of uploadsOf(edits))
      if (Object.values(secrets).some((secret) => name.includes(secret))) edits.setFile(name, null);
  },
  removeFirst: (edits) => {
    edits.setFile(uploadsOf(edits)[0] ?? '', null);
  },
  isUnique: false,
};

const refPart = (kind: 'branches' | 'tags'): Part => {
  const prefix = kind === 'branches' ? 'refs/heads/' : 'refs/tags/';
  const added = `${prefix}new-work`;
  return {
    relation: kind,
    list: `repository/${kind}`,
    lose: { kind: 'drop-refs', of: kind, count: 1 },
    prepare: () => undefined,
    add: (edits) =>
      edits.changeRefs((refs) => [
        ...refs,
        { name: added, sha: refs.find(({ name }) => name === 'refs/heads/main')?.sha ?? '' },
      ]),
    copy: null,
    removeLast: (edits) => edits.changeRefs((refs) => refs.filter(({ name }) => name !== added)),
    removeFirst: (edits) =>
      edits.changeRefs((refs) => {
        const first = refs.find(({ name }) => name.startsWith(prefix) && name !== 'refs/heads/main');
        return refs.filter((ref) => ref !== first);
      }),
    isUnique: true,
  };
};

/** Relations without a list below the project. */
const withoutList: readonly string[] = ['push_rule', 'commit_notes'];

/** The parts by name. A light project of the recipe `caravan` has some of each. */
export const parts: Readonly<Record<string, Part>> = {
  ...Object.fromEntries(
    [...droppedRelations.filter((relation) => !withoutList.includes(relation)), 'labels'].map((relation) => [
      relation,
      recordPart(relation),
    ]),
  ),
  protected_branches: { ...recordPart('protected_branches'), removeFirst: null },
  notes,
  uploads,
  branches: refPart('branches'),
  tags: refPart('tags'),
};
