/** @file Connects background proofs with store and index, and handles the damage that they find. */
import type { StateFile } from '../../../../src-contract/archives/archive.ts';
import { Proofing, type Provable, type ProofsBehind } from '../../../jobs/plans/proofing.ts';
import { isoTime, parseTime } from '../../../platform/clock.ts';
import type { ArchiveProofs } from '../archive-proofs.ts';
import type { ArchiveCollection } from '../shelf.ts';
import type { SharedParts } from '../../shared-parts.ts';

export interface ProofingParts extends ArchiveCollection, Pick<SharedParts, 'announce' | 'clock' | 'log'> {
  proofs: ArchiveProofs;
  mayProve(): boolean;
  removeLeftovers(): Promise<void>;
}

const pageSize = 500;

export function createProofing(parts: ProofingParts): Proofing {
  const { roots, index, log } = parts;

  async function* archives(): AsyncGenerator<Provable> {
    await roots.refreshPresence();
    for (let before: string | undefined; ;) {
      const page = index.list({ limit: pageSize, before });
      for (const { id, root, path, absent } of page) {
        if (absent) continue;
        const state = await roots
          .byNumber(root)
          .store.readState(path)
          .catch(() => null);
        yield { id, ...lastLooked(state) };
      }
      before = page.at(-1)?.id;
      if (before === undefined) return;
    }
  }

  return new Proofing({
    archives,
    prove: (id, level, signal) => parts.proofs.proveAgain(id, level, signal),
    mayProve: () => parts.mayProve(),
    removeLeftovers: () => parts.removeLeftovers(),
    clock: parts.clock,
    observer: {
      found({ id, reason }) {
        log.error({ archive: id, path: index.get(id).absolutePath, reason }, 'an archive is damaged');
        parts.announce('archive.damaged', { archiveId: id });
      },
      onError(error, archiveId) {
        log.warn({ err: error, archive: archiveId }, 'an archive could not be proven');
      },
    },
  });
}

/**
 * Returns when an archive was last checked. Finding damage counts as a check, too. An unreadable state counts as never
 * checked.
 */
function lastLooked(state: StateFile | null): Pick<Provable, 'storedProofAt' | 'readProofAt'> {
  const proofs = state?.proofs ?? [];
  const newest = (levels: string[]): number =>
    Math.max(0, ...proofs.flatMap(({ level, at }) => (levels.includes(level) ? [parseTime(at) ?? 0] : [])));
  const damagedAt = parseTime(state?.damaged?.at) ?? 0;
  return {
    storedProofAt: Math.max(newest(['L1']), damagedAt),
    readProofAt: Math.max(newest(['L2']), damagedAt),
  };
}

export function overdueProofNotices(behind: ProofsBehind | null): string[] {
  if (behind === null) return [];
  const { archives, since } = behind;
  const first =
    since === 0 ? 'Some were never read.' : `The oldest was last read on ${isoTime(since).slice(0, 10)}.`;
  const which = archives === 1 ? '1 archive was' : `${archives} archives were`;
  return [
    `${which} not read to the end for more than 30 days. ${first} ` +
      'Background proofs take at most ten minutes a day. "packhorse archive verify" reads an archive at once.',
  ];
}
