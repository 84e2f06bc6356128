/** @file What passports say in words. Pure. */
import { deedOf } from '../../../src-preload/contract/projects/change.ts';
import type { Job } from '../../../src-preload/contract/job.ts';
import type { MigratingState } from '../../../src-preload/contract/migrations/migration.ts';
import type { FinishPart } from '../../../src-preload/contract/migrations/passport.ts';

/** gitlab-facts 7, "Not exported". */
export const neverCarried: readonly string[] = [
  'CI/CD variables, variables of pipeline schedules, and secure files.',
  'Webhooks, integrations, deploy keys, deploy tokens, pipeline triggers and the allowlist of job tokens.',
  'Container images and packages: pull them from the source and push them to the target.',
  'Job logs and artifacts, and the history of child pipelines: run pipelines anew.',
  'Links between issues and between merge requests, and all but the latest diff of a merge request.',
  'Most settings of pipelines (deployments, caches, artifacts, job tokens, merge trains), topics, and whether LFS, packages and e-mails are on: those that the target has otherwise are named below.',
  'Required approvals, security policies, Pages domains, the limit of the repository size and the log of Git events.',
  'Members, and the authors of what people wrote, unless an administrator imports: then by public e-mail.',
];

interface Standing {
  word: string;
  tone: 'good' | 'bad' | 'warn';
  says: string;
}

export const stateWords: Record<MigratingState, Standing> = {
  planned: { word: 'planned', tone: 'warn', says: 'Nothing was asked for yet.' },
  'left-out': { word: 'left out', tone: 'warn', says: 'Somebody decided that it stays.' },
  exporting: { word: 'exporting', tone: 'warn', says: 'It is on its way: the source is being exported.' },
  importing: { word: 'importing', tone: 'warn', says: 'It is on its way: the target is importing.' },
  finishing: { word: 'finishing', tone: 'warn', says: 'It was imported; what arrived was not compared yet.' },
  arrived: {
    word: 'arrived, contents not compared',
    tone: 'good',
    says: 'The numbers and names that were compared agree in source, archive and target, and no failure is open. Contents were not compared.',
  },
  differs: {
    word: 'differs',
    tone: 'bad',
    says: 'It was imported, with open failures, something missing or something that differs.',
  },
  failed: { word: 'failed', tone: 'bad', says: 'It was not imported.' },
  cancelled: { word: 'cancelled', tone: 'bad', says: 'It was given up before it was imported.' },
};

/** Somebody took the losses as they are. */
const accepted: Standing = {
  word: 'arrived, contents not compared, with losses that were accepted',
  tone: 'warn',
  says: 'It was imported, and not all of it arrived. Somebody accepted each loss, with the note that stands below.',
};

/** How a project stands; `reconciled` as source, archive and target were compared last, null: never. */
export function standing(state: MigratingState, reconciled: boolean | null): Standing {
  return state === 'arrived' && reconciled === false ? accepted : stateWords[state];
}

/** What came of a part of what was asked for on a source. */
export const finishWords: Record<FinishPart['outcome'], { word: string; tone: Standing['tone'] }> = {
  done: { word: 'done', tone: 'good' },
  already: { word: 'was so already', tone: 'good' },
  refused: { word: 'refused', tone: 'bad' },
  'not-taken': { word: 'accepted by the instance, but not done', tone: 'bad' },
  'not-sent': { word: 'not done: nothing was sent', tone: 'bad' },
  unknown: { word: 'not known: no answer came', tone: 'warn' },
  open: { word: 'under way', tone: 'warn' },
};

export function doesOf(job: Pick<Job, 'kind' | 'input'>): string {
  switch (job.kind) {
    case 'export':
      return 'Export, download and verification';
    case 'import':
      return 'Import';
    case 'relation-import':
      return 'Import of one relation again';
    case 'token':
      return 'Change of a token';
    case 'change':
      return changeWords(deedOf(job));
  }
}

function changeWords(deed: ReturnType<typeof deedOf>): string {
  switch (deed) {
    case 'set-archived':
      return 'Mark as archived';
    case 'unset-archived':
      return 'End of the mark as archived';
    case 'mark-as-moved':
      return 'Note that it was moved';
    case 'create-group':
      return 'Creation of the group';
    case null:
      return 'Change';
    default:
      return `Change (${deed})`;
  }
}
