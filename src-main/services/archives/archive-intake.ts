/**
 * @file Adds archives that the catalogue lacks or knows only in part: adopts and identifies them, and rescans the
 * store.
 */
import type { ArchiveSummary } from '../../../src-contract/archives/archive.ts';
import type { CallReply } from '../../../src-contract/calls.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import { isoTime } from '../../platform/clock.ts';
import { endRecovery } from '../../catalogue/recovery/recovery.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { adoptFiles, identifyArchive, type Adoption, type IdentifiedProject } from './adoption.ts';
import type { ArchiveOnDisk } from '../../catalogue/archives/archive-rows.ts';
import { Service } from '../service.ts';
import type { ArchiveRegister } from './archive-register.ts';
import { rescanStore } from './keeping/rescan.ts';
import type { ArchiveCollection } from './archive-collection.ts';

interface Deps extends ArchiveCollection, Pick<SharedDeps, 'clock' | 'paths'> {
  register: ArchiveRegister;
}

export class ArchiveIntake extends Service<Deps> {
  /** Returns one result per file, in order. `onProgress` receives bytes of all files. */
  async adopt(
    adoption: Adoption,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<CallReply<'archive.adopt'>['files']> {
    return adoptFiles(this.deps, adoption, signal, onProgress);
  }

  /** Stores the project of an adopted archive. Throws `invalid-input` if the manifest already names the project. */
  async identify({ id }: ArchiveSummary, instance: Instance, project: IdentifiedProject): Promise<void> {
    const { index, register, clock } = this.deps;
    const { store, path } = register.locationOf(id);
    const at = isoTime(clock.now());
    const identified = await identifyArchive(store, path, { at, instance, project });
    const { root } = index.get(id);
    // The triggers that update derived rows run when a row is removed and inserted, not when it is replaced.
    index.remove(id);
    register.insert({ rootNumber: root, path, ...identified });
    register.announceChange(id);
  }

  async rescan(
    signal: AbortSignal,
    onProgress: (done: number) => void,
  ): Promise<CallReply<'archive.rescan'>> {
    const { roots, index, register, clock } = this.deps;
    let mayHaveChanged = index.list({ limit: 1 }).length > 0;
    const insert = (archive: ArchiveOnDisk): void => {
      mayHaveChanged = true;
      register.insert(archive);
    };
    try {
      const scanned = await rescanStore({ roots, index, register: insert, clock, signal, onProgress });
      // While the default folder is absent, its contents are unknown.
      if ((await roots.missingDefaultPath()) === null) endRecovery(this.deps.paths.catalogue);
      return scanned;
    } finally {
      if (mayHaveChanged) register.announceChange(null);
    }
  }
}
