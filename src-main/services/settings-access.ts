/** @file Reads and changes the settings for a user, and applies the effects of a change. */
import { resolve } from 'node:path';
import type { ParsedRequest } from '../../src-contract/calls.ts';
import { AppError } from '../../src-contract/errors.ts';
import type { SettingsReply } from '../../src-contract/settings.ts';
import type { ArchiveFolders } from '../catalogue/archives/archive-folders.ts';
import type { JobRunner } from '../jobs/running/runner.ts';
import { Service } from './service.ts';
import type { ArchiveCollection } from './archives/archive-collection.ts';
import type { RootChanges } from './archives/folders/root-changes.ts';
import type { SharedDeps } from './shared-deps.ts';

interface Deps extends ArchiveCollection, Pick<SharedDeps, 'announce' | 'paths' | 'jobSearch' | 'settings'> {
  folders: ArchiveFolders;
  rootChanges: RootChanges;
  runner: JobRunner;
}

export class SettingsAccess extends Service<Deps> {
  show(): SettingsReply {
    const { settings, roots, paths } = this.deps;
    const current = roots.current();
    return {
      preferences: settings.read().preferences,
      archiveRoot: current.path,
      earlierRoots: roots.all().flatMap(({ number, path }) => (number === current.number ? [] : [path])),
      dataFolder: paths.dataFolder,
    };
  }

  /**
   * Throws `invalid-input` or a `disk-…` error for a folder that cannot be an archive folder; then nothing is changed.
   */
  async change({
    preferences = {},
    archiveRoot,
    forgetRoot,
  }: ParsedRequest<'settings.change'>): Promise<SettingsReply> {
    const { settings, rootChanges, runner, announce } = this.deps;
    if (archiveRoot !== undefined) await rootChanges.setCurrent(archiveRoot);
    if (forgetRoot !== undefined) await this.#forgetRoot(forgetRoot);
    const changes = Object.fromEntries(
      Object.entries(preferences).filter(([, value]) => value !== undefined),
    );
    await settings.change((before) => ({ ...before, preferences: { ...before.preferences, ...changes } }));
    announce('settings.changed', {});
    runner.wake();
    return this.show();
  }

  /**
   * Removes an archive folder and its archives from the list, but deletes no file. Throws the errors of
   * `RootChanges.forget`, and `job-busy`.
   */
  async #forgetRoot(path: string): Promise<void> {
    const { roots, rootChanges, index, folders, jobSearch, announce } = this.deps;
    for (const id of jobSearch.archivesInUse()) {
      const archive = index.find(id);
      if (archive === null || roots.pathOf(archive.root) !== resolve(path)) continue;
      throw new AppError('job-busy', `A job that has not ended needs ${archive.absolutePath}.`);
    }
    folders.removeIndexedArchives(await rootChanges.forget(path));
    announce('archive.changed', { archiveId: null });
  }
}
