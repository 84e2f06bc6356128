/** @file The texts of passports. Pure. */
import { jobSchema } from '../../../../src-contract/runs/job-schema.ts';
import { jobChangeKind, type StoredJob } from '../../../../src-contract/runs/job.ts';
import type { MigratingProject, MigratingState } from '../../../../src-contract/migrations/migration.ts';
import type {
  AcceptedLoss,
  FinishPart,
  Passport,
} from '../../../../src-contract/migrations/passport-schema.ts';
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

interface Outcome extends Pick<MigratingProject, 'state' | 'depth'> {
  accepted: readonly AcceptedLoss[];
  /** True if GitLab may have left failures out of its list. */
  hasUnlistedFailures: boolean;
}

/** @param outcome with `depth`: how much the last comparison covered; null if the project was never compared. */
export function outcomeLine({ state, depth, accepted, hasUnlistedFailures }: Outcome): StateLine {
  const { text, hint } = projectStateText({ state, depth });
  if (state === 'arrived' && accepted.length > 0) {
    return { word: lowerFirst(acceptedStateText({ state, depth })), tone: 'warn', hint: acceptedHint };
  }
  const tone = tones[state];
  return { word: lowerFirst(text), tone: tone === 'good' && hasUnlistedFailures ? 'warn' : tone, hint };
}

/** Returns the outcome of a project from its last comparison. */
export const outcomeOf = ({
  state,
  reconciliation,
  accepted,
  failures,
}: Pick<Passport, 'state' | 'reconciliation' | 'accepted'> & {
  failures: Pick<Passport['failures'], 'hasUnlisted'>;
}): StateLine =>
  outcomeLine({
    ...{ state, accepted },
    depth: reconciliation?.depth ?? null,
    hasUnlistedFailures: failures.hasUnlisted,
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
