/**
 * @file The archive to import: a stored one is described by its manifest, any other file is read to its end. Create it
 * during component setup; it ends with the component.
 */
import { onDestroy } from 'svelte';
import type {
  ArchiveSummary,
  Finding,
  Inspection,
  Manifest,
} from '../../../../src-contract/archives/archive.ts';
import type { ErrorData } from '../../../../src-contract/errors.ts';
import type { Progress } from '../../../../src-contract/runs/job.ts';
import { projectPathOfFile } from '../../../../src-contract/projects/project.ts';
import { call } from '../../../client.ts';

export class ChosenArchive {
  /** Null if the archive is not stored or not loaded yet. */
  summary = $state.raw<ArchiveSummary | null>(null);
  manifest = $state.raw<Manifest | null>(null);
  inspection = $state.raw<Inspection | null>(null);
  error = $state.raw<ErrorData | null>(null);
  busy = $state(false);
  progress = $state.raw<Progress | null>(null);

  readonly #reference: () => string | null;
  #inProgress: AbortController | null = null;

  /** `reference` may read reactive values; null: nothing is chosen. */
  constructor(reference: () => string | null) {
    this.#reference = reference;
    $effect.pre(() => {
      void reference();
      this.summary = null;
      this.manifest = null;
      this.inspection = null;
      void this.read();
    });
    onDestroy(() => this.#inProgress?.abort());
  }

  get findings(): Finding[] {
    return [...(this.manifest?.findings ?? []), ...(this.inspection?.findings ?? [])];
  }

  /** Its location, as a command line accepts it. */
  get path(): string | null {
    return this.summary?.absolutePath ?? this.#reference();
  }

  /** The path that its project would get. */
  get projectPath(): string {
    const stored = this.summary?.fullPath.split('/').at(-1);
    if (stored !== undefined) return stored;
    const reference = this.#reference();
    return reference === null ? '' : projectPathOfFile(reference);
  }

  /** Cancels reading; what is known stays. */
  cancel(): void {
    this.#inProgress?.abort();
  }

  async read(): Promise<void> {
    this.#inProgress?.abort();
    this.error = null;
    this.busy = false;
    this.progress = null;
    const archive = this.#reference();
    if (archive === null) return;
    const inProgress = new AbortController();
    this.#inProgress = inProgress;
    this.busy = true;
    const options = {
      signal: inProgress.signal,
      onProgress: (progress: Progress) => {
        if (this.#inProgress === inProgress) this.progress = progress;
      },
    };
    const shown = await call('archive.show', { archive }, options);
    if (this.#inProgress !== inProgress) return;
    if (shown.ok) {
      this.summary = shown.value.summary;
      this.manifest = shown.value.manifest;
      this.inspection = shown.value.manifest.inspection;
    } else if (shown.error.code === 'archive-missing') {
      // Not a stored archive, so perhaps a file.
      const read = await call('archive.inspect', { archive }, options);
      if (this.#inProgress !== inProgress) return;
      if (read.ok) this.inspection = read.value;
      else if (read.error.code !== 'cancelled') this.error = read.error;
    } else if (shown.error.code !== 'cancelled') this.error = shown.error;
    this.#inProgress = null;
    this.busy = false;
    this.progress = null;
  }
}
