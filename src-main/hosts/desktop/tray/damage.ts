/** @file Reports an archive that a background check found damaged. Needs no Electron. */
import type { EventName } from '../../../../src-contract/call-names.ts';
import { events } from '../../../../src-contract/calls.ts';
import type { Client } from '../../../bridge/transports/in-process.ts';
import type { Notice } from './notices.ts';
import { desktopTexts } from './desktop-texts.ts';

/** @returns the function to call for every event of the app; its promise resolves when the event is handled. */
export const createDamageHandler =
  (client: Pick<Client, 'call'>, onDamage: (notice: Notice) => void) =>
  async (name: EventName, payload: unknown): Promise<void> => {
    if (name !== 'archive.damaged') return;
    const { archiveId } = events['archive.damaged'].parse(payload);
    // An archive that was pruned in the meantime needs no attention.
    const reply = await client.call('archive.show', { archive: archiveId }).catch(() => null);
    if (reply === null || reply.summary.damaged === null) return;
    const { fullPath, storedAt, damaged } = reply.summary;
    const day = new Date(storedAt).toLocaleDateString(undefined, { dateStyle: 'medium' });
    onDamage({
      title: desktopTexts.notice.damaged(fullPath),
      body: desktopTexts.notice.backUpAgain(day, damaged.reason),
      target: { what: 'archive', id: archiveId },
    });
  };
