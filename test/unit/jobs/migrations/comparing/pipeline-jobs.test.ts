import { describe, expect, it } from 'vitest';
import {
  archivedContents,
  fieldsOf,
  listedContents,
} from '../../../../../src-main/jobs/migrations/comparing/contents/compared-fields.ts';
import { valueText } from '../../../../../src-main/jobs/migrations/comparing/contents/field-values.ts';
import { pairFields } from '../../../../../src-main/jobs/migrations/comparing/contents/paired-records.ts';
import type {
  ArchivedRecord,
  ListedRecord,
} from '../../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';

type Job = Record<string, unknown>;
const job = (name: string, more: Job = {}): Job => ({
  ...{ kind: 'build' },
  ...{ name, status: 'failed', ref: 'main', tag: false, failure_reason: 'script_failure', ...more },
});
const pipeline = { key: '7', iid: 7, title: null };

/** Returns the fields that differ after an import of the jobs, with the values of the archive and of the target. */
function differences(
  archivedJobs: readonly Job[],
  listedJobs: readonly Job[],
  showsRetriedJobs = true,
): Record<string, string[]> {
  const ofKind = (kind: string): Job[] => archivedJobs.filter((each) => each['kind'] === kind);
  const stage = {
    ...{ name: 'test', builds: ofKind('build'), bridges: ofKind('bridge') },
    generic_commit_statuses: ofKind('external'),
  };
  const archived = archivedContents('ci_pipelines', { stages: [stage] });
  const listed = listedContents('ci_pipelines', {
    shows_retried_jobs: showsRetriedJobs,
    jobs: listedJobs.map(({ failure_reason: reason, ...shown }) => ({
      ...{ stage: shown['kind'] === 'external' ? 'external' : 'test', ...shown },
      // GitLab shows the column of failed jobs only.
      failure_reason: shown['status'] === 'failed' ? reason : null,
    })),
  });
  const { differences: found } = pairFields(
    'ci_pipelines',
    [{ ...pipeline, contents: archived } as ArchivedRecord],
    [{ ...pipeline, contents: listed } as ListedRecord],
    () => true,
    (pair) => ({
      ...{ ...pair, lost: 'on-import' },
      expected: pair.field.afterImport?.(pair.archivedValue) ?? pair.archivedValue,
      found: pair.listedValue,
    }),
  );
  return Object.fromEntries(
    found.map(({ name, expected, found: value }) => [name, [expected, value].map(valueText)]),
  );
}

describe('the columns of jobs', () => {
  const columns = {
    ...{ ref: 'other', tag: true, allow_failure: true, coverage: 4.5, failure_reason: 'runner_failure' },
    ...{
      created_at: '2026-01-02T03:04:05Z',
      started_at: '2026-01-02T03:04:05Z',
      finished_at: '2026-01-02T03:04:05Z',
    },
    ...{ erased_at: '2026-01-02T03:04:05Z', artifacts_expire_at: '2026-01-02T03:04:05Z' },
    ...{ description: 'other', target_url: 'https://other.example' },
  };
  const nothing = Object.fromEntries(Object.keys(columns).map((name) => [name, null]));

  it.each([
    ['build', ['description', 'target_url']],
    ['bridge', ['description', 'target_url', 'artifacts_expire_at']],
    ['external', ['tag', 'failure_reason', 'erased_at', 'artifacts_expire_at']],
  ])('of the kind %s are each compared, except those that GitLab does not show: %s', (kind, hidden) => {
    const before = { ...nothing, ...job('lint', { kind }) };
    const found = Object.entries(columns).flatMap(([name, value]) =>
      Object.keys(differences([before], [{ ...before, [name]: value }])),
    );
    const all = Object.keys(fieldsOf('ci_pipelines')).filter((name) => name.startsWith('job_'));
    const shown = all.filter((name) => !hidden.includes(name.replace(/^job_/, '')));
    expect(found.toSorted()).toEqual(shown.toSorted());
  });

  it('are those of a job that triggers a pipeline, and not of one that runs with the same name', () => {
    expect(differences([job('lint'), job('lint', { kind: 'bridge' })], [job('lint')])).toEqual({
      jobs: ['test: lint, failed, test: lint [triggers a pipeline], failed', 'test: lint, failed'],
    });
  });

  it('are compared for the jobs that both sides have, and a missing job is one difference', () => {
    const all = [job('lint'), job('deploy, then wait')];
    expect(differences(all, [job('lint', { ref: 'other' })])).toEqual({
      jobs: ['test: deploy, then wait, failed, test: lint, failed', 'test: lint, failed'],
      job_ref: ['test: lint, main', 'test: lint, other'],
    });
  });

  it('are compared if a value contains a comma, or is too long to be kept completely', () => {
    const status = (description: string): Job => job('scan', { kind: 'external', description });
    for (const description of ['Build passed, 95 % covered', 'x'.repeat(200)])
      expect(Object.keys(differences([status(description)], [status('')]))).toEqual(['job_description']);
    expect(Object.keys(differences([status('a, b')], [status('a, c')]))).toEqual(['job_description']);
  });

  it('are compared for each of several jobs with the same name, if both sides have equally many', () => {
    const twice = [job('lint'), job('lint')];
    expect(Object.keys(differences(twice, [job('lint'), job('lint', { ref: 'other' })]))).toEqual([
      'job_ref',
    ]);
    expect(Object.keys(differences(twice, [job('lint', { ref: 'other' })]))).toEqual(['jobs']);
  });

  it('are compared for each attempt of a job, and a missing earlier attempt is one difference', () => {
    const attempts = [job('lint', { retried: true }), job('lint', { status: 'success' })];
    expect(differences(attempts, attempts)).toEqual({});
    expect(differences(attempts, attempts.slice(1))).toEqual({
      jobs: ['test: lint, failed, test: lint, success', 'test: lint, success'],
    });
    const [first, last] = attempts;
    const changed = [{ ...first, failure_reason: 'runner_failure' }, { ...last }];
    expect(Object.keys(differences(attempts, changed))).toEqual(['job_failure_reason']);
  });

  it('are those of the last attempts, if the version of GitLab shows no earlier ones', () => {
    const attempts = [job('lint', { retried: true }), job('lint', { status: 'success' }), job('build')];
    const [, last] = attempts;
    expect(differences(attempts, attempts.slice(1), false)).toEqual({});
    expect(differences([job('build')], [job('build')], false)).toEqual({});
    expect(differences(attempts, [{ ...last }], false)).toEqual({
      jobs: ['test: build, failed, test: lint, success', 'test: lint, success'],
    });
    expect(Object.keys(differences(attempts, [job('lint'), job('build')], false))).toEqual(['jobs']);
  });

  it('have no reason of a failure if a job did not fail', () => {
    const successful = job('lint', { status: 'success' });
    expect(differences([successful], [successful])).toEqual({});
  });
});
