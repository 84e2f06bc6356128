/** @file Verifies stored archives again, and stores the result with the archive and in its row. */
import type { CallReply } from '../../../src-contract/calls.ts';
import type { InspectFileOptions } from '../../archive/inspect.ts';
import type { Verification } from '../../archive/verify.ts';
import type { ArchiveIndex } from '../../catalogue/archives/archive-index.ts';
import type { FoundDamage } from '../../jobs/plans/archive-verifier.ts';
import { strongestProof } from '../../catalogue/archives/archive-rows.ts';
import type { ArchiveRegister } from './archive-register.ts';

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
    const { proof, damaged, inspection, unrecorded } = await this.#verify(id, level, options);
    this.#register.announceChange(id);
    const { findings } = this.#index.manifest(id);
    return {
      summary: this.#index.get(id),
      proof,
      damaged,
      findings: [...(inspection?.findings ?? []), ...findings],
      ...(unrecorded === null ? {} : { unrecorded: unrecorded.toData() }),
    };
  }

  /**
   * Verifies an archive in the background. Returns damage that was not known before. A newer proof alone is not
   * announced.
   */
  async verifyInBackground(id: string, level: 'L1' | 'L2', signal: AbortSignal): Promise<FoundDamage | null> {
    const knownDamage = this.#index.get(id).damaged;
    const { damaged } = await this.#verify(id, level, { signal });
    if ((knownDamage === null) !== (damaged === null)) this.#register.announceChange(id);
    return knownDamage === null && damaged !== null ? { id, reason: damaged.reason } : null;
  }

  async #verify(id: string, level: 'L1' | 'L2', options: InspectFileOptions): Promise<Verification> {
    const { store, path } = this.#register.locationOf(id);
    const found = await store.verify(path, level, options);
    const best = strongestProof(found.state);
    if (best !== null) this.#index.updateProof(id, best);
    this.#index.markDamaged(id, found.damaged);
    return found;
  }
}
