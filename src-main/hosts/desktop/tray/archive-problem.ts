/** @file Reports an archive that a background verification found damaged, or worse than before. Needs no Electron. */
import type { EventName } from '../../../../src-contract/call-names.ts';
import { events } from '../../../../src-contract/calls.ts';
import { archiveProblemOf } from '../../../../src-contract/words/archive-problem.ts';
import type { Client } from '../../../bridge/transports/in-process.ts';
import type { Notice } from './notices.ts';
import { desktopTexts } from './desktop-texts.ts';

/** @returns the function to call for every event of the app; its promise resolves when the event is handled. */
export const createArchiveProblemHandler =
  (client: Pick<Client, 'call'>, onProblem: (notice: Notice) => void) =>
  async (name: EventName, payload: unknown): Promise<void> => {
    if (name !== 'archive.damaged' && name !== 'archive.downgraded') return;
    const { archiveId } = events[name].parse(payload);
    // An archive that was pruned in the meantime needs no attention.
    const reply = await client.call('archive.show', { archive: archiveId }).catch(() => null);
    const problem = reply === null ? null : archiveProblemOf(reply);
    if (reply === null || problem === null) return;
    const { fullPath, storedAt } = reply.summary;
    const day = new Date(storedAt).toLocaleDateString(undefined, { dateStyle: 'medium' });
    onProblem({
      title: desktopTexts.notice.archiveProblem(fullPath, problem.condition),
      body: desktopTexts.notice.backUpAgain(day, problem.reason),
      target: { what: 'archive', id: archiveId },
    });
  };
