/** @file Tells once that a scheduled backup could not start; nothing else would be seen of it. Needs no Electron. */
import { errorText } from '../../../src-preload/contract/error-messages.ts';
import type { EventName } from '../../../src-preload/contract/call-names.ts';
import type { PlanStanding } from '../../../src-preload/contract/plan.ts';
import type { Client } from '../../bridge/in-process.ts';
import type { Notice } from './notices.ts';
import { words } from './words.ts';

export class OverdueWatch {
  readonly #client: Pick<Client, 'call'>;
  readonly #onOverdue: (notice: Notice) => void;
  /** Due times that were told of, by plan. */
  readonly #told = new Map<string, string>();

  constructor(client: Pick<Client, 'call'>, onOverdue: (notice: Notice) => void) {
    this.#client = client;
    this.#onOverdue = onOverdue;
  }

  /** To be told of every event of the app. Resolves when what followed from it is done. */
  async heard(name: EventName): Promise<void> {
    if (name !== 'plan.changed') return;
    // What cannot be asked now is asked at the next change; the window shows it anyway.
    const plans = await this.#client.call('plan.list', {}).then(
      (answer) => answer.plans,
      () => [],
    );
    for (const standing of plans) this.#tell(standing);
  }

  #tell({ plan, overdue }: PlanStanding): void {
    if (overdue === null || overdue.error === null || this.#told.get(plan.id) === overdue.since) return;
    this.#told.set(plan.id, overdue.since);
    this.#onOverdue({
      title: words.notice.overdue(plan.instance),
      body: errorText(overdue.error).what,
    });
  }
}
