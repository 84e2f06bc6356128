/** @file The work after opening the catalogue: rebuilds the index from the store, and returns notices for users. */
import { toSentence } from '../../../../src-contract/sentence-parts.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { markRecovery, recoveryOf, type Recovery } from '../../../catalogue/recovery/recovery.ts';
import type { SharedDeps } from '../../shared-deps.ts';
import type { ArchiveIntake } from '../archive-intake.ts';
import { absentRootError } from '../folders/archive-roots.ts';
import type { ArchiveCollection } from '../archive-collection.ts';

interface Deps extends ArchiveCollection, Pick<SharedDeps, 'clock' | 'jobs' | 'paths'> {
  recovery: Recovery | null;
  intake: ArchiveIntake;
}

/** Indexes the store if the catalogue lacks all or some of its archives. @returns sentences for users. */
export async function rebuildArchiveIndex(deps: Deps): Promise<string[]> {
  const { index } = deps;
  const recovery = deps.recovery ?? { setAsideAs: null, restoredFrom: null, givenUp: 0 };
  if (deps.recovery === null) {
    if (index.list({ limit: 1 }).length > 0) return [];
    markRecovery(deps.paths.catalogue, recovery);
  }
  const givenUp = recovery.givenUp ?? recoveryOf(deps.paths.catalogue)?.givenUp ?? giveUp(deps, recovery);
  const [rescanned, problem] = await rescan(deps).then(
    (scanned) => [scanned, null] as const,
    (thrown: unknown) => [null, AppError.from(thrown)] as const,
  );
  const needsNotice =
    recovery.setAsideAs !== null || recovery.restoredFrom !== null || rescanned?.found !== 0;
  if (!needsNotice) return [];
  return [
    `${recoveryText(recovery)}${rescanned === null ? '' : ` ${indexedText(rescanned.found)}`}`,
    ...(problem === null ? [] : [problemText(problem)]),
    ...unreadableTexts(rescanned?.unreadable ?? []),
    recovery.restoredFrom === null
      ? 'The history of earlier jobs is lost, including the jobs that were in progress.'
      : `The history of jobs is from the last copy. Jobs that are open in that copy were given up: ${givenUp}. Check their targets before starting them again.`,
  ];
}

async function rescan({ intake, roots }: Deps): Promise<CallReply<'archive.rescan'>> {
  const scanned = await intake.rescan(new AbortController().signal, () => undefined);
  const lost = await roots.missingDefaultPath();
  if (lost !== null) throw absentRootError(lost);
  return scanned;
}

/** Gives up open jobs before anything else can fail: running them again could import twice. */
function giveUp(deps: Deps, recovery: Recovery): number {
  const reason = 'The catalogue was restored from a copy; how this job ended is not known.';
  const open = deps.jobs.failOpenJobs(new AppError('interrupted', reason).toData(), deps.clock.now());
  markRecovery(deps.paths.catalogue, { ...recovery, givenUp: open.length });
  return open.length;
}

function recoveryText({ setAsideAs, restoredFrom }: Recovery): string {
  if (setAsideAs !== null) return `The catalogue was damaged and was set aside as ${setAsideAs}.`;
  return restoredFrom === null ? 'The catalogue was empty.' : 'The catalogue was gone.';
}

const problemText = (problem: AppError): string =>
  `The store could not be read completely: ${toSentence(problem.message)} Nothing is pruned until "packhorse archive rescan" has read it.`;

function unreadableTexts(unreadable: readonly { path: string }[]): string[] {
  if (unreadable.length === 0) return [];
  const paths = unreadable.map(({ path }) => path).join(', ');
  return [`These archives could not be indexed: ${paths}. Check them with "packhorse archive rescan".`];
}

const indexedText = (found: number): string =>
  `${found === 1 ? '1 archive was' : `${found} archives were`} indexed again from the store.`;
