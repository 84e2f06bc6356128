/** @file The texts of passports. Pure. */
import { jobSchema } from '../../../../src-contract/runs/job-schema.ts';
import { jobChangeKind, type StoredJob } from '../../../../src-contract/runs/job.ts';
import type { MigratingProject, MigratingState } from '../../../../src-contract/migrations/migration.ts';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import type { FinishPart } from '../../../../src-contract/migrations/passport-schema.ts';
import { lowerFirst, upperFirst } from '../../../../src-contract/words/first-letter.ts';
import { acceptedStateText, projectStateText } from '../../../../src-contract/words/migrations.ts';
import { workText } from '../../../../src-contract/words/work.ts';

/** gitlab-facts 7, "Not exported". */
export const neverExported: readonly string[] = [
  'CI/CD variables, variables of pipeline schedules, and secure files.',
  'Webhooks, integrations, deploy keys, deploy tokens, pipeline triggers and the allowlist of job tokens.',
  'Container images and packages: pull them from the source and push them to the target.',
  'Job logs and artifacts, and the history of child pipelines: run pipelines again.',
  'Links between issues and between merge requests, and all but the latest diff of a merge request.',
  'Most settings of pipelines (deployments, caches, artifacts, job tokens, merge trains), topics, and whether LFS, packages and e-mails are on: differences on the target are named below.',
  'Required approvals, security policies, Pages domains, the limit of the repository size and the log of Git events.',
  'Members and authors of records, unless an administrator imports: then GitLab finds them by public e-mail.',
];

type Tone = 'good' | 'bad' | 'warn';

interface StateLine {
  word: string;
  tone: Tone;
  hint: string;
}

const tones: Record<MigratingState, Tone> = {
  planned: 'warn',
  'left-out': 'warn',
  exporting: 'warn',
  importing: 'warn',
  finishing: 'warn',
  arrived: 'good',
  uncompared: 'warn',
  differs: 'bad',
  failed: 'bad',
  cancelled: 'bad',
};

const acceptedHint =
  'The project was imported, but with losses. Somebody accepted each loss, with the note below.';

/**
 * `reconciled` is true if source, archive and target agreed in the last comparison; `depth` is how much it covered. Both
 * are null if never compared.
 */
export function outcomeLine({
  state,
  reconciled,
  depth,
}: Pick<MigratingProject, 'state' | 'depth'> & { reconciled: boolean | null }): StateLine {
  const { text, hint } = projectStateText({ state, depth });
  return state === 'arrived' && reconciled === false
    ? { word: lowerFirst(acceptedStateText({ state, depth })), tone: 'warn', hint: acceptedHint }
    : { word: lowerFirst(text), tone: tones[state], hint };
}

/** Returns the outcome of a project from its last comparison. */
export const outcomeOf = (state: MigratingState, reconciliation: Reconciliation | null): StateLine =>
  outcomeLine({
    state,
    depth: reconciliation?.depth ?? null,
    reconciled: reconciliation?.reconciled ?? null,
  });

export const finishWords: Record<FinishPart['outcome'], { word: string; tone: Tone }> = {
  done: { word: 'done', tone: 'good' },
  already: { word: 'already done', tone: 'good' },
  refused: { word: 'refused', tone: 'bad' },
  'not-taken': { word: 'accepted by the instance, but not done', tone: 'bad' },
  'not-sent': { word: 'not done: no request was sent', tone: 'bad' },
  unknown: { word: 'unknown: no response', tone: 'warn' },
  open: { word: 'in progress', tone: 'warn' },
};

/** Returns the effect of a job as text. For a backup, the passport names all of its parts. */
export const jobEffectText = (job: StoredJob): string =>
  job.kind === 'export'
    ? 'Export, download and verification'
    : upperFirst(workText(job.kind, jobChangeKind(jobSchema.parse(job))));
