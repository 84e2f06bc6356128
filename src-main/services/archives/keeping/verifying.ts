/** @file Connects the background verification with store and index, and reports the problems that it finds. */
import type { StateFile } from '../../../../src-contract/archives/archive.ts';
import {
  ArchiveVerifier,
  type ArchiveToVerify,
  type OverdueProofs,
} from '../../../jobs/plans/archive-verifier.ts';
import { isoTime, parseTime } from '../../../platform/clock.ts';
import type { ArchiveProofs } from '../archive-proofs.ts';
import type { ArchiveCollection } from '../archive-collection.ts';
import type { SharedDeps } from '../../shared-deps.ts';

export interface ArchiveVerifierDeps
  extends ArchiveCollection, Pick<SharedDeps, 'announce' | 'clock' | 'log'> {
  proofs: ArchiveProofs;
  mayVerify(): boolean;
  removeLeftovers(): Promise<void>;
}

const pageSize = 500;

export function createArchiveVerifier(deps: ArchiveVerifierDeps): ArchiveVerifier {
  const { roots, index, log } = deps;

  async function* archives(): AsyncGenerator<ArchiveToVerify> {
    await roots.refreshPresence();
    for (let before: string | undefined; ;) {
      const page = index.list({ limit: pageSize, before });
      for (const { id, root, path, absent } of page) {
        if (absent) continue;
        const state = await roots
          .byNumber(root)
          .store.readState(path)
          .catch(() => null);
        yield { id, ...lastChecks(state) };
      }
      before = page.at(-1)?.id;
      if (before === undefined) return;
    }
  }

  return new ArchiveVerifier({
    archives,
    verify: (id, level, signal) => deps.proofs.verifyInBackground(id, level, signal),
    mayVerify: () => deps.mayVerify(),
    removeLeftovers: () => deps.removeLeftovers(),
    clock: deps.clock,
    observer: {
      onProblem({ id, kind, reason }) {
        const { absolutePath: path, condition } = index.get(id);
        if (kind === 'damaged') log.error({ archive: id, path, reason }, 'an archive is damaged');
        else log.error({ archive: id, path, condition, reason }, 'a new reading found an archive worse');
        deps.announce(`archive.${kind}`, { archiveId: id });
      },
      onError(error, archiveId) {
        log.warn({ err: error, archive: archiveId }, 'an archive could not be verified');
      },
    },
  });
}

/**
 * Returns when an archive was last checked. Finding damage counts as a check, too. An unreadable state counts as never
 * checked.
 */
function lastChecks(state: StateFile | null): Pick<ArchiveToVerify, 'lastComparedAt' | 'lastReadAt'> {
  const proofs = state?.proofs ?? [];
  const newestTime = (levels: string[]): number =>
    Math.max(0, ...proofs.flatMap(({ level, at }) => (levels.includes(level) ? [parseTime(at) ?? 0] : [])));
  const damagedAt = parseTime(state?.damaged?.at) ?? 0;
  return {
    lastComparedAt: Math.max(newestTime(['L1']), damagedAt),
    lastReadAt: Math.max(newestTime(['L2']), damagedAt, parseTime(state?.laterReading?.at) ?? 0),
  };
}

export function overdueProofNotices(overdue: OverdueProofs | null): string[] {
  if (overdue === null) return [];
  const { archiveCount, oldestReadAt } = overdue;
  const oldestText =
    oldestReadAt === 0
      ? 'Some were never read.'
      : `The oldest was last read on ${isoTime(oldestReadAt).slice(0, 10)}.`;
  const subject = archiveCount === 1 ? '1 archive has' : `${archiveCount} archives have`;
  return [
    `${subject} not been read to the end for more than 30 days. ${oldestText} ` +
      'The background verification runs for at most ten minutes a day. ' +
      '"packhorse archive verify" reads an archive at once.',
  ];
}
