/** @file Verifies stored archives again, and stores the result with the archive and in its row. */
import { compareConditions, conditionOf } from '../../../src-contract/archives/archive-quality.ts';
import type { StateFile } from '../../../src-contract/archives/archive.ts';
import type { CallReply } from '../../../src-contract/calls.ts';
import type { InspectFileOptions } from '../../archive/inspect.ts';
import type { Verification } from '../../archive/verify.ts';
import type { ArchiveIndex } from '../../catalogue/archives/archive-index.ts';
import type { FoundProblem } from '../../jobs/plans/archive-verifier.ts';
import { archiveFromFiles, strongestProof } from '../../catalogue/archives/archive-rows.ts';
import type { ArchiveRegister } from './archive-register.ts';
import { completeState } from './remembered-state.ts';

export class ArchiveProofs {
  readonly #index: ArchiveIndex;
  readonly #register: ArchiveRegister;

  constructor(index: ArchiveIndex, register: ArchiveRegister) {
    this.#index = index;
    this.#register = register;
  }

  /** Verifies an archive at a user's request, and announces every result. */
  async verify(
    id: string,
    level: 'L1' | 'L2',
    options: InspectFileOptions,
  ): Promise<Omit<CallReply<'archive.verify'>, 'copies'>> {
    const { proof, damaged, inspection, state, unrecorded } = await this.#verify(id, level, options);
    this.#register.announceChange(id);
    const { findings } = this.#index.manifest(id);
    const readFindings = [...(inspection?.findings ?? []), ...findings];
    return {
      summary: this.#index.get(id),
      proof,
      damaged,
      findings: state.laterReading?.findings ?? readFindings,
      ...(unrecorded === null ? {} : { unrecorded: unrecorded.toData() }),
    };
  }

  /**
   * Verifies an archive in the background. Returns a problem that was not known before. A newer proof alone is not
   * announced.
   */
  async verifyInBackground(
    id: string,
    level: 'L1' | 'L2',
    signal: AbortSignal,
  ): Promise<FoundProblem | null> {
    const before = this.#index.get(id);
    const { damaged, state } = await this.#verify(id, level, { signal });
    const after = this.#index.get(id);
    if (before.condition !== after.condition) this.#register.announceChange(id);
    if (damaged !== null) {
      return before.damaged === null ? { id, kind: 'damaged', reason: damaged.reason } : null;
    }
    const contentsBefore = { condition: conditionOf({ ...before, damaged: false }), level: null };
    if (compareConditions({ condition: after.condition, level: null }, contentsBefore) <= 0) return null;
    return { id, kind: 'downgraded', reason: reasonOf(state) };
  }

  async #verify(id: string, level: 'L1' | 'L2', options: InspectFileOptions): Promise<Verification> {
    const { store, path } = this.#register.locationOf(id);
    const row = this.#index.get(id);
    const found = await store.verify(path, level, options, (stored) => completeState(stored, row));
    const best = strongestProof(found.state);
    if (best !== null) this.#index.updateProof(id, best);
    // The content of changed bytes says nothing about the archive that was stored.
    if (found.inspection !== null && found.damaged === null) {
      const files = { rootNumber: row.root, path, manifest: this.#index.manifest(id), state: found.state };
      this.#index.updateReading(id, archiveFromFiles(files));
    }
    this.#index.markDamaged(id, found.damaged);
    return found;
  }
}

const reasonOf = ({ laterReading }: StateFile): string =>
  laterReading?.findings[0]?.message ?? 'It was read again';
