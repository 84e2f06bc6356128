/** @file The request for one change of a project: in progress, refused, or started as a job. */
import type { CallRequest } from '../../../../../src-contract/calls.ts';
import { LongCall } from '../../../../data/calls/long-call.svelte.ts';
import { liveJobs } from '../../../../data/calls/live-jobs.svelte.ts';
import type { ProjectPanelState } from '../about/project-panel-state.svelte.ts';
import type { PanelPart } from '../transfers/started-jobs.svelte.ts';

export type RequestedChange = CallRequest<'project.change'>['change'];

/** Create it during component setup. A sent request continues when the panel shows something else. */
export class ChangeCall {
  readonly call = new LongCall('project.change', { continuesAfterLeaving: true });
  readonly #projectPanel: ProjectPanelState;
  readonly #part: PanelPart;

  constructor(projectPanel: ProjectPanelState, part: PanelPart = 'changes') {
    this.#projectPanel = projectPanel;
    this.#part = part;
  }

  /** Returns true if its job was started; otherwise `call.error` says why not. */
  async start(change: RequestedChange, confirmation: string | null = null): Promise<boolean> {
    const { row, key } = this.#projectPanel;
    const result = await this.call.run({
      instance: row.instance,
      project: String(row.id),
      change,
      confirmation,
    });
    if (result?.ok !== true) return false;
    this.#projectPanel.startedJobs.add(key, this.#part, result.value.jobId);
    void liveJobs.refresh();
    return true;
  }
}
