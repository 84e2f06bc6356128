/** @file The command line that does the same as the form of an import. */
import { cliCommands } from '../../../data/commands/commands.ts';
import type { ImportDraft } from './import-draft.svelte.ts';

/**
 * `archive` is a path or digits of the SHA-256; null only if GitLab downloads the archive itself. Returns null while
 * required values are missing.
 */
export function importCommand(
  draft: ImportDraft,
  archive: string | null,
  suggestedPath: string,
): string | null {
  if (draft.instance === '' || draft.pathOf(suggestedPath) === '') return null;
  if (draft.source === 'file') {
    return archive === null ? null : cliCommands.importFile(draft.buildRequest(archive, suggestedPath, null));
  }
  const target = { ...draft.buildRemoteRequest(archive, suggestedPath), overwrite: draft.replacesProject };
  if (draft.source === 'url') return cliCommands.importUrl(target);
  const key = draft.key.trim();
  return draft.storage === '' || key === '' ? null : cliCommands.importS3(draft.storage, key, target);
}
