/**
 * @file The archive to import: a stored one is described by its manifest, any other file is read to its end. Create it
 * during component setup; its calls end with the component.
 */
import type {
  ArchiveSummary,
  Finding,
  Inspection,
  Manifest,
} from '../../../../src-contract/archives/archive.ts';
import type { ErrorData } from '../../../../src-contract/errors.ts';
import type { Progress } from '../../../../src-contract/runs/job.ts';
import { suggestProjectPath } from '../../../../src-contract/projects/project.ts';
import { LongCall } from '../../../data/calls/long-call.svelte.ts';

export class ChosenArchive {
  /** Null if the archive is not stored or not loaded yet. */
  summary = $state.raw<ArchiveSummary | null>(null);
  manifest = $state.raw<Manifest | null>(null);
  inspection = $state.raw<Inspection | null>(null);

  readonly #reference: () => string | null;
  readonly #showing = new LongCall('archive.show');
  readonly #inspecting = new LongCall('archive.inspect');

  /** `reference` may read reactive values, and returns null if nothing is chosen. */
  constructor(reference: () => string | null) {
    this.#reference = reference;
    $effect.pre(() => {
      void reference();
      this.summary = null;
      this.manifest = null;
      this.inspection = null;
      void this.read();
    });
  }

  get busy(): boolean {
    return this.#showing.busy || this.#inspecting.busy;
  }

  get progress(): Progress | null {
    return this.#inspecting.progress ?? this.#showing.progress;
  }

  get error(): ErrorData | null {
    const { error } = this.#showing;
    return error?.code === 'archive-missing' ? this.#inspecting.error : error;
  }

  get findings(): Finding[] {
    return [...(this.manifest?.findings ?? []), ...(this.inspection?.findings ?? [])];
  }

  /** The location of the archive, as a command line accepts it. */
  get path(): string | null {
    return this.summary?.absolutePath ?? this.#reference();
  }

  /** The path that the imported project would get. */
  get projectPath(): string {
    const stored = this.summary?.fullPath.split('/').at(-1);
    if (stored !== undefined) return stored;
    const reference = this.#reference();
    return reference === null ? '' : suggestProjectPath(reference);
  }

  /** Cancels reading; facts that are already known stay. */
  cancel(): void {
    this.#showing.cancel();
    this.#inspecting.cancel();
  }

  async read(): Promise<void> {
    this.#showing.clear();
    this.#inspecting.clear();
    const archive = this.#reference();
    if (archive === null) return;
    const shown = await this.#showing.run({ archive });
    if (shown?.ok === true) {
      this.summary = shown.value.summary;
      this.manifest = shown.value.manifest;
      const { inspection } = shown.value.manifest;
      const { laterReading } = shown.value.state;
      this.inspection =
        laterReading === undefined
          ? inspection
          : { ...inspection, verdict: laterReading.verdict, findings: laterReading.findings };
    } else if (shown?.error.code === 'archive-missing') {
      // The reference names no stored archive, so it may name a file.
      const read = await this.#inspecting.run({ archive });
      if (read?.ok === true) this.inspection = read.value;
    }
  }
}
