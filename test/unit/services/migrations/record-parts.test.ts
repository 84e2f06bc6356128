/** @file Reading the fields of records that no list shows, within limits, and with the number of those not read. */
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../../src-main/jobs/migrations/comparing/contents/compared-fields.ts';
import {
  describeUnreadParts,
  withRecordParts,
  type PartsRequest,
} from '../../../../src-main/services/migrations/comparing/one-by-one/record-parts.ts';

const pipeline = (iid: number, contents: Record<string, string>) => ({
  ...{ key: String(iid), iid, id: 100 + iid, title: 'main', notes: null, line: iid, contents },
  ...{ createdAt: 1, updatedAt: 1 },
});

/** Reads the jobs of pipelines with these iids and statuses. The archive has jobs of all of them. */
async function readJobs(
  statuses: [iid: number, status: string][],
  recordPart: PartsRequest['remote']['recordPart'],
  side: PartsRequest['side'] = 'source',
) {
  const others = { snippets: [], merge_requests: [], issues: [] };
  const archived = statuses.map(([iid]) => pipeline(iid, { jobs: 'test: rspec, success' }));
  const listed = statuses.map(([iid, status]) => pipeline(iid, { status }));
  const read = await withRecordParts({
    ...{ side, projectId: 7, remote: { recordPart }, signal: new AbortController().signal },
    archive: {
      records: { ...others, ci_pipelines: archived } as unknown as NonNullable<
        PartsRequest['archive']
      >['records'],
    },
    listed: { ...others, ci_pipelines: listed } as unknown as PartsRequest['listed'],
  });
  return {
    jobs: read.listed.ci_pipelines?.map(({ contents }) => contents?.['jobs'] ?? null),
    declared: describeUnreadParts(null, read.unread),
  };
}
const reply = { jobs: [{ stage: 'test', name: 'rspec', status: 'success' }] };

describe('the jobs of pipelines', () => {
  it('are added to the records, the newest 500, and the number of the others is declared', async () => {
    const addresses: unknown[] = [];
    const statuses = Array.from({ length: 502 }, (_, at): [number, string] => [at, 'success']);
    const { jobs, declared } = await readJobs(statuses, (_, part) => {
      addresses.push(part);
      return Promise.resolve(reply);
    });
    expect(addresses).toHaveLength(500);
    expect(addresses[0]).toEqual({ part: 'jobs', id: 100 });
    expect(jobs?.[499]).toBe('test: rspec, success');
    expect(jobs?.slice(500)).toEqual([null, null]);
    expect(declared.join()).toContain('jobs of pipelines (2)');
  });

  it('are not read on the source while the pipeline runs, but on the target', async () => {
    const recordPart = () => Promise.resolve(reply);
    const onSource = await readJobs([[1, 'running']], recordPart);
    expect(onSource.jobs).toEqual([null]);
    expect(onSource.declared.join()).toContain('jobs of pipelines (1)');
    expect(await readJobs([[1, 'running']], recordPart, 'target')).toEqual({
      jobs: ['test: rspec, success'],
      declared: [],
    });
  });

  it('that the instance does not show are declared', async () => {
    const { jobs, declared } = await readJobs([[1, 'success']], () => Promise.resolve(null));
    expect(jobs).toEqual([null]);
    expect(declared.join()).toContain('jobs of pipelines (1)');
  });

  it('of an archive are the last attempts of its builds, and an import cancels those that had not ended', () => {
    const { jobs } = fieldsOf('ci_pipelines');
    const builds = [
      { name: 'lint', status: 'failed', retried: true },
      { name: 'lint', status: 'success', retried: null },
      { name: 'rspec', status: 'running' },
    ];
    const bridges = [{ name: 'deploy', status: 'success' }];
    expect(jobs?.archived?.({ stages: [{ name: 'test', builds, bridges }] })).toEqual([
      'test: lint, success',
      'test: rspec, running',
    ]);
    const statuses = [
      { name: 'old', status: 'success', type: 'Ci::Build' },
      { name: 'external', status: 'success', type: 'GenericCommitStatus' },
    ];
    expect(jobs?.archived?.({ stages: [{ name: 'test', statuses }] })).toEqual(['test: old, success']);
    expect(jobs?.afterImport?.('test: lint, success\0test: rspec, running (2)')).toBe(
      'test: lint, success\0test: rspec, canceled (2)',
    );
  });
});
