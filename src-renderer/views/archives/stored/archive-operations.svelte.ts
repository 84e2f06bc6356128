/** @file Actions on one stored archive, with messages about their outcome. Create it during component setup. */
import { errorText } from '../../../../src-contract/error-messages.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { conditionText } from '../../../../src-contract/words/states.ts';
import { call } from '../../../client.ts';
import { LongCall } from '../../../data/calls/long-call.svelte.ts';
import { toasts } from '../../../data/toasts.svelte.ts';
import { common } from '../../../kit/common.text.ts';
import { archiveText } from '../archives.text.ts';

export class ArchiveOperations {
  readonly verifying = new LongCall('archive.verify');
  readonly pinning = new LongCall('archive.setPinned', { continuesAfterLeaving: true });
  readonly refresh: () => Promise<void>;
  readonly #getId: () => string;

  constructor(getId: () => string, refresh: () => Promise<void>) {
    this.#getId = getId;
    this.refresh = refresh;
  }

  async verify(level: 'L1' | 'L2'): Promise<void> {
    const result = await this.verifying.run({ archive: this.#getId(), level });
    if (result?.ok !== true) return;
    await this.refresh();
    const { damaged, unrecorded, summary } = result.value;
    if (damaged !== null) toasts.show('bad', archiveText.verifiedDamaged);
    else if (summary.condition !== 'complete') {
      const condition = lowerFirst(conditionText[summary.condition].text);
      toasts.show('bad', archiveText.verifiedWithProblems(condition));
    } else toasts.show('good', level === 'L2' ? archiveText.verifiedL2 : archiveText.verifiedL1);
    if (unrecorded !== undefined) toasts.show('bad', archiveText.resultNotStored(errorText(unrecorded).what));
  }

  async unpin(): Promise<void> {
    await this.pinning.run({ archive: this.#getId(), pinned: false, note: null });
    await this.refresh();
  }

  async reveal(): Promise<void> {
    const result = await call('host.reveal', { archive: this.#getId() });
    if (!result.ok) toasts.show('bad', errorText(result.error).what);
  }

  async copyPath(path: string): Promise<void> {
    await navigator.clipboard.writeText(path);
    toasts.show('info', common.copied);
  }
}
