/** @file The command line that does the same as the form of an import. */
import { cliCommands } from '../../../data/commands/commands.ts';
import type { ImportDraft } from './import-draft.svelte.ts';

/**
 * `archive`: a path or digits of the hash. Null is only possible if GitLab downloads the archive itself. Returns null
 * while too little is filled in.
 */
export function importCommand(draft: ImportDraft, archive: string | null, suggested: string): string | null {
  if (draft.instance === '' || draft.pathOf(suggested) === '') return null;
  if (draft.source === 'file') {
    return archive === null ? null : cliCommands.importFile(draft.request(archive, suggested, null));
  }
  const target = { ...draft.remoteTarget(archive, suggested), overwrite: draft.overwrites };
  if (draft.source === 'url') return cliCommands.importUrl(target);
  const key = draft.key.trim();
  return draft.storage === '' || key === '' ? null : cliCommands.importS3(draft.storage, key, target);
}
