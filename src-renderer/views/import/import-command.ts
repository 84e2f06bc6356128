/** @file The command line that does what the form of an import is about to do. */
import { commands } from '../../data/commands/commands.ts';
import type { ImportDraft } from './import-draft.svelte.ts';

/** `archive`: path or digits of the hash; beside what GitLab fetches it may be null. Null while too little is filled in. */
export function importCommand(draft: ImportDraft, archive: string | null, suggested: string): string | null {
  if (draft.instance === '' || draft.pathOf(suggested) === '') return null;
  if (draft.source === 'file') {
    return archive === null ? null : commands.importFile(draft.request(archive, suggested, null));
  }
  const target = { ...draft.remoteTarget(archive, suggested), overwrite: draft.overwrites };
  if (draft.source === 'url') return commands.importUrl(target);
  const key = draft.key.trim();
  return draft.storage === '' || key === '' ? null : commands.importS3(draft.storage, key, target);
}
