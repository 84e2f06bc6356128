/**
 * @file The state of the project panel: the shown project, and the details that the panel’s parts request from the
 * instance. Create it during component setup.
 */
import type { Instance } from '../../../../../src-contract/instances/instance.ts';
import type { OperationId } from '../../../../../src-contract/operations.ts';
import type { ProjectRow } from '../../../../../src-contract/projects/project.ts';
import type { Job } from '../../../../../src-contract/runs/job.ts';
import { CallQuery } from '../../../../data/calls/call-query.svelte.ts';
import { keyOf } from '../../chosen/backup-candidates.ts';
import { Debounced } from '../../../shared/debounced.svelte.ts';
import { refusalOf } from '../changing/refusals.ts';
import { StartedJobs } from '../transfers/started-jobs.svelte.ts';

interface PanelProps {
  row: ProjectRow;
  instance: Instance | null;
  /** True while a part that needs the details from the instance is shown. */
  needsDetails: boolean;
  oncancel: (job: Job) => void;
}

export class ProjectPanelState {
  readonly startedJobs = new StartedJobs();
  readonly #getProps: () => PanelProps;
  readonly row = $derived.by(() => this.#getProps().row);
  readonly instance = $derived.by(() => this.#getProps().instance);
  readonly #needsDetails = $derived.by(() => this.#getProps().needsDetails);
  readonly key = $derived(keyOf(this.row));
  readonly #debouncedKey: Debounced<string>;
  readonly #stableKey = $derived.by(() => (this.#debouncedKey.value === this.key ? this.key : null));
  /** Instance and id for calls, since the path may change; null while the selection is still changing. */
  readonly target = $derived.by(() => {
    const [instance, project] = this.#stableKey?.split(' ') ?? [];
    return instance === undefined || project === undefined ? null : { instance, project };
  });
  readonly details: CallQuery<'project.details'>;
  readonly currentDetails = $derived.by(() => (this.details.isStale ? null : this.details.value));
  readonly fullPath = $derived.by(() => this.currentDetails?.project.fullPath ?? this.row.fullPath);
  readonly archived = $derived.by(() => this.currentDetails?.project.archived ?? this.row.archived);
  readonly accessLevel = $derived.by(() => this.currentDetails?.project.accessLevel ?? this.row.accessLevel);

  constructor(getProps: () => PanelProps) {
    this.#getProps = getProps;
    this.#debouncedKey = new Debounced(() => this.key);
    this.details = new CallQuery('project.details', () => (this.#needsDetails ? this.target : null));
  }

  readonly cancel = (job: Job): void => {
    this.#getProps().oncancel(job);
  };

  /** Returns why the operation is not possible; null if it can be tried. */
  refusalOf(id: OperationId): string | null {
    return this.instance === null ? null : refusalOf(id, this.instance, this.accessLevel);
  }
}
