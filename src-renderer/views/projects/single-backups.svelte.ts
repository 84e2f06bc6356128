/** @file Backups of single projects: requested, refused or failed. A started backup continues in the background. */
import { SvelteMap } from 'svelte/reactivity';
import type { CallReply } from '../../../src-contract/calls.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import { call } from '../../client.ts';
import { keyOf, type BackupCandidate } from './chosen/backup-candidates.ts';

export interface SingleBackup {
  busy: boolean;
  startReply: CallReply<'backup.start'> | null;
  error: ErrorData | null;
}

export class SingleBackups {
  readonly #byProject = new SvelteMap<string, SingleBackup>();

  backupOf(target: BackupCandidate): SingleBackup | null {
    return this.#byProject.get(keyOf(target)) ?? null;
  }

  async start(target: BackupCandidate): Promise<void> {
    const key = keyOf(target);
    if (this.#byProject.get(key)?.busy === true) return;
    this.#byProject.set(key, { busy: true, startReply: null, error: null });
    const { instance, id } = target;
    const result = await call('backup.start', { instance, projects: [String(id)], keepExisting: false });
    this.#byProject.set(key, {
      busy: false,
      startReply: result.ok ? result.value : null,
      error: result.ok ? null : result.error,
    });
  }
}
