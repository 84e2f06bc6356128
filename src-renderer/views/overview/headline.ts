/** @file The sentence that says whether everything is backed up, and the details below it. Pure. */
import type { Attention, Overview } from '../../../src-contract/runs/overview-schema.ts';
import { backupStatuses, type BackupStatus } from '../../../src-contract/projects/project.ts';
import { overviewText } from './overview.text.ts';
import { formatRelative } from '../../kit/format.ts';
import type { Tone } from '../../kit/feedback/tones.ts';

export interface Headline {
  tone: Tone;
  sentence: string;
  facts: string[];
}

export function totalByStatus(overview: Overview): Record<BackupStatus, number> {
  const total = Object.fromEntries(backupStatuses.map((status) => [status, 0])) as Record<
    BackupStatus,
    number
  >;
  for (const instance of overview.instances) {
    for (const status of backupStatuses) total[status] += instance.statusCounts[status];
  }
  return total;
}

/** While one of these problems exists, storing new archives may fail, so the headline is never green. */
const riskKinds: readonly Attention['kind'][] = [
  'jobs-stuck',
  'token-missing',
  'token-refused',
  'plan-failed',
  'plan-overdue',
  'plan-empty',
];

/**
 * Returns the sentence on how many projects have a backup, and facts such as failed last attempts. `now` is in epoch
 * milliseconds.
 */
export function headlineOf(overview: Overview, now: number): Headline {
  const words = overviewText.headline;
  const total = totalByStatus(overview);
  const sum = (key: 'failedHeld' | 'newCopies'): number =>
    overview.instances.reduce((count, instance) => count + instance[key], 0);
  const [failedHeld, newCopies] = [sum('failedHeld'), sum('newCopies')];
  const broken =
    total.absent + total.damaged + total.incomplete + total.suspicious + total.failed - failedHeld;
  const never = total.never - newCopies;
  const backedUp = total.current + total.changed + failedHeld;
  const counted = broken + never + backedUp + newCopies;
  const neverFetched = overview.instances
    .filter(({ refreshedAt }) => refreshedAt === null)
    .map(({ name }) => name);
  const facts = factsOf(overview, total, counted > 0 ? neverFetched : [], {
    failedHeld,
    newCopies,
    backedUp,
    now,
  });

  const { absent } = overview.archives;
  // This check comes first, because the counts below are uncertain without the archive folder.
  if (absent > 0) return { tone: 'bad', sentence: words.absent(absent), facts };
  if (overview.instances.length === 0) return { tone: 'info', sentence: words.noInstances, facts };
  if (neverFetched.length === overview.instances.length)
    return { tone: 'info', sentence: words.noLists, facts };
  if (counted === 0) return { tone: 'info', sentence: words.noProjects, facts };
  if (broken > 0) return { tone: 'bad', sentence: words.attention(broken + never), facts };
  if (backedUp === 0 && never === 0) return { tone: 'info', sentence: words.copies(newCopies), facts };
  if (backedUp === 0) return { tone: 'warn', sentence: words.noneBackedUp(counted), facts };
  if (never > 0) return { tone: 'warn', sentence: words.attention(never), facts };
  const isEndangered = failedHeld > 0 || overview.attention.some(({ kind }) => riskKinds.includes(kind));
  const sentence = newCopies > 0 ? words.withArchive(backedUp) : words.allCurrent(backedUp);
  return { tone: isEndangered ? 'warn' : 'good', sentence, facts };
}

function factsOf(
  overview: Overview,
  total: Record<BackupStatus, number>,
  neverFetched: string[],
  {
    failedHeld,
    newCopies,
    backedUp,
    now,
  }: { failedHeld: number; newCopies: number; backedUp: number; now: number },
): string[] {
  const words = overviewText.facts;
  const attentionCount = overview.attention.length + overview.moreAttention;
  const [oldest] = overview.instances.flatMap(({ oldestArchive }) => oldestArchive ?? []).toSorted();
  return [
    ...(failedHeld > 0 ? [words.lastFailed(failedHeld)] : []),
    ...(total.changed > 0 ? [words.changed(total.changed)] : []),
    ...(oldest === undefined ? [] : [words.oldest(formatRelative(oldest, now))]),
    ...(newCopies > 0 && backedUp > 0 ? [words.copies(newCopies)] : []),
    ...(total['not-allowed'] > 0 ? [words.notAllowed(total['not-allowed'])] : []),
    ...(neverFetched.length > 0 ? [words.listsMissing(neverFetched.join(', '))] : []),
    attentionCount > 0 ? words.things(attentionCount) : words.allWell,
  ];
}
