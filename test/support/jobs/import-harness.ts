/**
 * @file Import jobs on fake instances and archives. A test sets the project at the target path, and reads how often an
 * import was sent.
 */
import { onTestFinished } from 'vitest';
import { importJob } from '../../../src-main/jobs/importing/import-job.ts';
import { isoTime } from '../../../src-main/platform/clock.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Pace } from '../../../src-contract/instances/instance.ts';
import type { ImportInput, StoredJob } from '../../../src-contract/runs/job.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import { SteppedClock } from '../clocks/stepped-clock.ts';
import { noTokens } from '../tokens/fake-tokens.ts';
import { FakeArchives, FakeInstance, noSecrets, projectOf, soundInspection } from './fake-instance.ts';
import { JobHarness, type HarnessPorts } from './job-harness.ts';

const minute = 60_000;
/** The target path of all imports. */
export const importTarget = 'group/copy';
const missing = new AppError('project-missing', '404');
export const lostReply = new AppError('connection-lost', 'The reply was lost.', {
  retry: 'later',
  details: { sentAll: true },
});

export class ImportHarness {
  readonly clock = new SteppedClock();
  readonly instance: FakeInstance;
  readonly archives = new FakeArchives();
  readonly harness: JobHarness;
  /** The project at the target path; null if there is none. */
  targetProject: Project | null = null;
  readonly #ports: HarnessPorts;

  constructor(pace: Partial<Pace> = {}) {
    this.instance = new FakeInstance(this.clock, { deadlineMs: 30 * minute, ...pace });
    const { clock, instance, archives } = this;
    instance.onProject = (idOrPath) => {
      if (typeof idOrPath === 'number') return this.importedProject();
      if (this.targetProject === null) throw missing;
      return this.targetProject;
    };
    this.#ports = {
      instance,
      archives,
      secrets: noSecrets,
      tokens: noTokens,
      appVersion: '1',
      retentionOf: () => null,
      skipsUnchanged: () => false,
      archiveRootOf: () => null,
    };
    this.harness = new JobHarness({ definitions: [importJob], ports: this.#ports, clock }).start();
    onTestFinished(() => this.harness.runner.stop());
  }

  /** Opens another process on the same catalogue. */
  openAnother(): JobHarness {
    const { clock } = this;
    const { path } = this.harness;
    const harness = new JobHarness({ definitions: [importJob], ports: this.#ports, clock, path }).start();
    onTestFinished(() => harness.runner.stop());
    return harness;
  }

  /** Returns the project that an import of this job creates now. */
  importedProject(changes: Partial<Project> = {}): Project {
    const marks = { importType: 'gitlab_project', creatorId: 3, createdAt: isoTime(this.clock.now()) };
    return projectOf({ id: 90, fullPath: importTarget, ...marks, ...changes });
  }

  run(input: Partial<ImportInput> = {}): Promise<StoredJob> {
    return this.harness.ended(this.enqueue(input).id);
  }

  enqueue(input: Partial<ImportInput> = {}): StoredJob {
    const { sha256, sizeBytes } = soundInspection;
    const target = { namespace: 'group', path: 'copy', name: null };
    const fullInput: ImportInput = {
      source: { kind: 'file' },
      archivePath: '/archives/archive',
      sha256,
      sizeBytes,
      ...target,
      overwrite: false,
      overrideParams: {},
      archiveId: '1',
      ...input,
    };
    return this.harness.enqueue(importTarget, fullInput, 'import', 'target');
  }

  get sentImports(): number {
    return this.instance.times('import').length;
  }
}
