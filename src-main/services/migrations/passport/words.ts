/** @file The texts of passports. Pure. */
import { jobSchema } from '../../../../src-contract/runs/job-schema.ts';
import { jobChangeKind, type StoredJob } from '../../../../src-contract/runs/job.ts';
import type { MigratingProject, MigratingState } from '../../../../src-contract/migrations/migration.ts';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import type { FinishPart } from '../../../../src-contract/migrations/passport-schema.ts';
import { lowerFirst, upperFirst } from '../../../../src-contract/words/first-letter.ts';
import { acceptedStateText, projectStateText } from '../../../../src-contract/words/migrations.ts';
import { workText } from '../../../../src-contract/words/work.ts';

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
