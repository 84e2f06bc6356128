/**
 * @file The work after opening the catalogue: an index rebuilt from the store, and notices to people.
 */
import { sentence } from '../../../../src-contract/sentence-parts.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';
import type { ArchiveIndex } from '../../../catalogue/archives/archive-index.ts';
import type { JobStore } from '../../../catalogue/runs/jobs.ts';
import type { Recovery } from '../../../catalogue/recovery/recovery.ts';

export interface OpeningParts {
  /** Null: the catalogue was intact. */
  recovery: Recovery | null;
  index: ArchiveIndex;
  jobs: JobStore;
  now: number;
  /** The present progress: another process may have continued it. */
  current(): Recovery | null;
  /** Stores the progress of a recovery, for the next process that opens the catalogue. */
  mark(recovery: Recovery): void;
  /** Ends the recovery when it has read the whole store. */
  rescan(): Promise<CallReply<'archive.rescan'>>;
}

/** Indexes the store where the catalogue lacks all or some of its archives. @returns sentences for people. */
export async function settleCatalogue(parts: OpeningParts): Promise<string[]> {
  const { index } = parts;
  const begun = parts.recovery ?? { setAsideAs: null, restoredFrom: null, givenUp: 0 };
  if (parts.recovery === null) {
    if (index.list({ limit: 1 }).length > 0) return [];
    parts.mark(begun);
  }
  const givenUp = begun.givenUp ?? parts.current()?.givenUp ?? giveUp(parts, begun);
  const [rescanned, problem] = await parts.rescan().then(
    (scanned) => [scanned, null] as const,
    (thrown: unknown) => [null, AppError.from(thrown)] as const,
  );
  const isNews = begun.setAsideAs !== null || begun.restoredFrom !== null || rescanned?.found !== 0;
  if (!isNews) return [];
  return [
    `${happened(begun)}${rescanned === null ? '' : ` ${indexedText(rescanned.found)}`}`,
    ...(problem === null ? [] : [problemText(problem)]),
    ...unreadableTexts(rescanned?.unreadable ?? []),
    begun.restoredFrom === null
      ? 'There is no history of jobs from before; jobs that were in progress are forgotten.'
      : `The history of jobs is that of the last copy; ${givenUp} jobs that were open then were given up. Look at their targets before starting them again.`,
  ];
}

/**
 * The jobs may have continued after the copy was made; running them again could import twice. They are given
 * up before anything else can fail.
 */
function giveUp(parts: OpeningParts, begun: Recovery): number {
  const reason = 'The catalogue was restored from a copy; how this job ended is not known.';
  const open = parts.jobs.giveUpOpenJobs(new AppError('interrupted', reason).toData(), parts.now);
  parts.mark({ ...begun, givenUp: open.length });
  return open.length;
}

function happened({ setAsideAs, restoredFrom }: Recovery): string {
  if (setAsideAs !== null) return `The catalogue was damaged and was set aside as ${setAsideAs}.`;
  return restoredFrom === null ? 'The catalogue was empty.' : 'The catalogue was gone.';
}

const problemText = (problem: AppError): string =>
  `The store could not be read to its end: ${sentence(problem.message)} Nothing is pruned before "packhorse archive rescan" has read it.`;

function unreadableTexts(unreadable: readonly { path: string }[]): string[] {
  if (unreadable.length === 0) return [];
  const paths = unreadable.map(({ path }) => path).join(', ');
  return [`These archives could not be indexed: ${paths}. Look at them with "packhorse archive rescan".`];
}

const indexedText = (found: number): string =>
  `${found === 1 ? '1 archive was' : `${found} archives were`} indexed again from the store.`;
