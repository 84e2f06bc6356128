/** @file Runs jobs of the kind `change` on a stepped clock against an instance with scripted replies. */
import { onTestFinished } from 'vitest';
import type { Change, ChangeResult } from '../../../../src-contract/projects/change.ts';
import { changeResultSchema } from '../../../../src-contract/projects/change-schema.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import type { StoredJob } from '../../../../src-contract/runs/job.ts';
import type { ProjectDetails } from '../../../../src-contract/projects/project-details.ts';
import type { Project } from '../../../../src-contract/projects/project.ts';
import { changeJob } from '../../../../src-main/jobs/projects/change-job.ts';
import { FakeArchives, FakeInstance, projectOf } from '../../../support/jobs/fake-instance.ts';
import { noTokens } from '../../../support/tokens/fake-tokens.ts';
import { JobHarness, type HarnessPorts } from '../../../support/jobs/job-harness.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

export const missing = new AppError('project-missing', 'There is no such project.');
export const lost = new AppError('connection-lost', 'The reply was lost.', {
  retry: 'later',
  details: { sentAll: true },
});
export const refused = new AppError('request-refused', 'No.');

const path = 'group/project';

interface RunOptions {
  secret?: string | null;
  at?: string;
  inDoubt?: boolean;
}

export class ChangeHarness {
  readonly clock = new SteppedClock();
  readonly instance = new FakeInstance(this.clock, { deadlineMs: 30 * 60_000 });
  readonly bench: JobHarness;
  readonly secrets = new Map<string, string>();
  readonly #ports: HarnessPorts;
  /** The project on the server; `null` if it does not exist. */
  project: Project | null = projectOf();
  attributes: Record<string, unknown> = {};
  markedOn: string | null = null;

  constructor() {
    const { instance } = this;
    instance.onProject = (idOrPath) => {
      const { project } = this;
      if (project === null || (idOrPath !== project.id && idOrPath !== project.fullPath)) throw missing;
      return project;
    };
    instance.changes.onDetails = (id) => {
      if (this.project?.id !== id) throw missing;
      return this.details(this.project);
    };
    this.#ports = {
      instance,
      archives: new FakeArchives(),
      secrets: {
        importUrl: (key: string) => {
          const secret = this.secrets.get(key);
          if (secret === undefined) throw new AppError('secret-lost', 'Gone.');
          return secret;
        },
        storage: () => Promise.reject(new AppError('storage-missing', 'None.')),
      },
      appVersion: '1',
      tokens: noTokens,
      retentionOf: () => null,
      skipsUnchanged: () => false,
      archiveRootOf: () => null,
    };
    this.bench = this.#createHarness();
  }

  details(project: Project): ProjectDetails {
    return {
      project,
      attributes: this.attributes,
      markedForDeletionOn: this.markedOn,
    } as ProjectDetails;
  }

  enqueue(change: Change, { secret = null, at = path, inDoubt = false }: RunOptions = {}): StoredJob {
    const projectId = change.kind === 'create' ? null : 7;
    return this.bench.enqueue(at, { change, projectId, secret, ...(inDoubt ? { inDoubt } : {}) }, 'change');
  }

  async run(change: Change, options: RunOptions = {}): Promise<StoredJob> {
    return this.bench.ended(this.enqueue(change, options).id);
  }

  /** Runs the job and returns its result. Throws if the job does not succeed. */
  async result(change: Change, options: RunOptions = {}): Promise<ChangeResult> {
    const job = await this.run(change, options);
    if (job.state.status !== 'succeeded') throw new Error(JSON.stringify(job.state));
    return changeResultSchema.parse(job.result);
  }

  /** Kills the process and continues with another one. */
  restart(): JobHarness {
    this.bench.kill();
    return this.#createHarness(this.bench.path);
  }

  times(what: string): number[] {
    return this.instance.times(what);
  }

  #createHarness(shared?: string): JobHarness {
    const { clock } = this;
    const harness = new JobHarness({
      definitions: [changeJob],
      ports: this.#ports,
      clock,
      ...(shared === undefined ? {} : { path: shared }),
    }).start();
    onTestFinished(() => harness.runner.stop());
    return harness;
  }
}
