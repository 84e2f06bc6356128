/** @file The words for what a job does: by its kind, and for a change of a project by what is changed. */
import type { JobKind } from '../job.ts';
import type { Deed } from '../projects/change.ts';
import { upperFirst } from './first-letter.ts';

interface KindText {
  one: string;
  many: string;
  /** Joins it to what the job works on. */
  joint: string;
  /** In front of the project while the job runs. */
  running: string;
}

export const jobKindText: Record<JobKind, KindText> = {
  export: { one: 'backup', many: 'backups', joint: ' of ', running: 'Backing up' },
  import: { one: 'import', many: 'imports', joint: ' of ', running: 'Importing' },
  change: { one: 'change', many: 'changes', joint: ' of ', running: 'Changing' },
  'relation-import': {
    one: 'relation import',
    many: 'relation imports',
    joint: ' into ',
    running: 'Importing a relation into',
  },
  token: { one: 'token change', many: 'token changes', joint: ': ', running: 'Changing' },
};

/** The noun, and what joins it to the name of the project. */
const changeText: Record<Deed, [noun: string, joint: string]> = {
  create: ['creation', ' of '],
  edit: ['edit', ' of '],
  fork: ['fork', ' of '],
  star: ['star', ' for '],
  unstar: ['removal of the star', ' from '],
  'set-archived': ['mark as archived', ': '],
  'unset-archived': ['removal of the mark as archived', ': '],
  delete: ['deletion', ' of '],
  'delete-permanently': ['permanent deletion', ' of '],
  restore: ['restoration', ' of '],
  upload: ['upload', ' to '],
  export: ['export request', ' for '],
  'create-group': ['creation of the group', ' '],
  'mark-as-moved': ['note that it was moved', ': '],
};

/** What the job does, within a sentence. `deed` of a change, where it is known. */
export const workText = (kind: JobKind, deed: Deed | null): string =>
  deed === null ? jobKindText[kind].one : changeText[deed][0];

/** What the job does to which project, as a title: "Backup of atlas/compass". */
export function workTitle(kind: JobKind, deed: Deed | null, project: string): string {
  const { one, joint: jointOfKind } = jobKindText[kind];
  const [noun, joint] = deed === null ? [one, jointOfKind] : changeText[deed];
  return `${upperFirst(noun)}${joint}${project}`;
}

/** Who asked for a cancellation or reported something, as the history keeps it. */
export const askedBy = { window: 'the window', terminal: 'the command line' } as const;
