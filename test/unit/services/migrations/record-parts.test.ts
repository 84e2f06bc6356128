/** @file Reading the fields of records that no list shows, within limits, and with the number of those not read. */
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../../src-main/jobs/migrations/comparing/contents/compared-fields.ts';
import {
  describeUnreadParts,
  describeUnshownDetails,
  noUnreadParts,
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
  archivedJobs: Record<string, string> = { jobs: 'test: rspec\u001fsuccess' },
) {
  const others = { snippets: [], merge_requests: [], issues: [] };
  const archived = statuses.map(([iid]) => pipeline(iid, archivedJobs));
  const listed = statuses.map(([iid, status]) => pipeline(iid, { status, sha: `sha ${iid}` }));
  const read = await withRecordParts({
    ...{
      side,
      projectId: 7,
      remote: { recordPart, hasIterations: () => Promise.resolve(false) },
      signal: new AbortController().signal,
    },
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
    unshown: describeUnshownDetails(read.unread, side),
  };
}
const reply = { jobs: [{ stage: 'test', name: 'rspec', status: 'success' }] };

describe('the jobs of pipelines', () => {
  it('are added to the records, the newest 500, and the number of the others is declared', async () => {
    const addresses: unknown[] = [];
    const statuses = Array.from({ length: 502 }, (_, at): [number, string] => [at, 'success']);
    const { jobs, declared } = await readJobs(statuses, (_, part) => {
      if (part.part === 'jobs') addresses.push(part);
      return Promise.resolve(reply);
    });
    expect(addresses).toHaveLength(500);
    expect(addresses[0]).toEqual({
      ...{ part: 'jobs', id: 100, sha: 'sha 0', withOthers: true, sharesCommit: false },
    });
    expect(jobs?.[499]).toBe('test: rspec\u001fsuccess');
    expect(jobs?.slice(500)).toEqual([null, null]);
    expect(declared.join()).toContain('jobs of pipelines (2)');
  });

  it('are not read on the source while the pipeline runs, but on the target', async () => {
    const recordPart = () => Promise.resolve(reply);
    const onSource = await readJobs([[1, 'running']], recordPart);
    expect(onSource.jobs).toEqual([null]);
    expect(onSource.declared.join()).toContain('jobs of pipelines (1)');
    expect(await readJobs([[1, 'running']], recordPart, 'target')).toEqual({
      jobs: ['test: rspec\u001fsuccess'],
      ...{ declared: [], unshown: [] },
    });
  });

  it('that the instance does not show are declared', async () => {
    const { jobs, declared } = await readJobs([[1, 'success']], () => Promise.resolve(null));
    expect(jobs).toEqual([null]);
    expect(declared.join()).toContain('jobs of pipelines (1)');
  });

  it('name the pipelines with earlier attempts that the version of the instance does not show', async () => {
    const archive = { jobs: 'test: rspec\u001fsuccess', retried_jobs: 'test: rspec\u001ffailed' };
    const read = (shows_retried_jobs: boolean) =>
      readJobs([[1, 'success']], () => Promise.resolve({ ...reply, shows_retried_jobs }), 'source', archive);
    expect((await read(false)).unshown.join()).toContain('earlier attempts of jobs');
    expect((await read(true)).unshown).toEqual([]);
  });

  it('of an archive are all attempts of jobs, the last ones of others, and an import cancels what had not ended', () => {
    const { jobs } = fieldsOf('ci_pipelines');
    const builds = [
      { name: 'lint', status: 'failed', retried: true },
      { name: 'lint', status: 'success', retried: null },
      { name: 'rspec', status: 'running' },
    ];
    const bridges = [
      { name: 'deploy', status: 'failed', retried: true },
      { name: 'deploy', status: 'success' },
    ];
    expect(jobs?.archived?.({ stages: [{ name: 'test', builds, bridges }] })).toEqual([
      'test: lint\u001ffailed',
      'test: lint\u001fsuccess',
      'test: rspec\u001frunning',
      'test: deploy [triggers a pipeline]\u001fsuccess',
    ]);
    const statuses = [
      { name: 'old', status: 'success', type: 'Ci::Build' },
      { name: 'scan', status: 'success', type: 'GenericCommitStatus' },
    ];
    expect(jobs?.archived?.({ stages: [{ name: 'test', statuses }] })).toEqual([
      'test: old\u001fsuccess',
      'external: scan [external status]\u001fsuccess',
    ]);
    expect(jobs?.afterImport?.('test: lint\u001fsuccess\0test: rspec\u001frunning')).toBe(
      'test: lint\u001fsuccess\0test: rspec\u001fcanceled',
    );
  });
});

describe('a part that no record of the archive has', () => {
  const times = { createdAt: 1_000, updatedAt: 5_000 };
  const requestOf = (relation: string, records: object[], change: Partial<PartsRequest> = {}) => {
    const lists = { snippets: [], merge_requests: [], issues: [], ci_pipelines: [] };
    const rows = records.map((record, at) => ({
      ...{ key: String(at), iid: at, id: 100 + at, title: 'x', notes: null, line: at, ...times, ...record },
    }));
    const asked: string[] = [];
    const request = {
      ...{ side: 'source', projectId: 7, signal: new AbortController().signal },
      archive: { records: { ...lists, [relation]: rows.map((row) => ({ ...row, contents: {} })) } },
      listed: { ...lists, [relation]: rows },
      remote: {
        recordPart: (_: number, part: Parameters<PartsRequest['remote']['recordPart']>[1]) => {
          asked.push(part.part === 'events' ? `${part.kind} ${part.iid}` : part.part);
          return Promise.resolve({});
        },
      },
      ...change,
    } as unknown as PartsRequest;
    return { request, asked };
  };

  it('is read for each record of the source, and for none of the target', async () => {
    const source = requestOf('merge_requests', [{}]);
    await withRecordParts(source.request);
    const events = ['state 0', 'label 0', 'milestone 0'];
    expect(source.asked).toEqual(['approvals', 'reviewers', 'builds', 'award-emoji', ...events]);
    const target = requestOf('merge_requests', [{}], { side: 'target' });
    await withRecordParts(target.request);
    expect(target.asked).toEqual([]);
  });

  const untouched = { contents: { state: 'opened', labels: '', milestone: '' }, updatedAt: 1_000 };
  it.each<[string, object, number]>([
    ['without requests for a merge request that nobody changed', untouched, 0],
    ['for a changed merge request', { ...untouched, updatedAt: 1_001 }, 3],
    ['for a merged one', { ...untouched, contents: { ...untouched.contents, state: 'merged' } }, 3],
    ['for one with a label', { ...untouched, contents: { ...untouched.contents, labels: 'bug' } }, 3],
    ['for one in a milestone', { ...untouched, contents: { ...untouched.contents, milestone: '1.0' } }, 3],
  ])('includes the history %s', async (_, record, count) => {
    const { request, asked } = requestOf('merge_requests', [record]);
    const { listed } = await withRecordParts(request);
    expect(asked.filter((part) => / \d$/.test(part))).toHaveLength(count);
    if (count === 0) expect(listed.merge_requests?.[0]?.contents).toMatchObject({ label_events: '' });
  });

  it('includes the history of an issue that nobody changed, because GitLab moves issues with their history', async () => {
    const { request, asked } = requestOf('issues', [untouched]);
    await withRecordParts(request);
    expect(asked).toEqual(['award-emoji', 'state 0', 'label 0', 'milestone 0']);
  });

  it('is requested once if the instance refuses it, and counts as unread for every record', async () => {
    const { request } = requestOf('snippets', [{}, {}, {}]);
    let count = 0;
    const remote = { ...request.remote, recordPart: () => ((count += 1), Promise.resolve(null)) };
    const { unread } = await withRecordParts({ ...request, remote });
    expect([count, unread.fields.get('emoji reactions to snippets')]).toEqual([1, 3]);
  });

  it('has details that a version does not show, which are named with the number of records', async () => {
    const { request } = requestOf('merge_requests', [{}]);
    for (const record of request.archive?.records.merge_requests ?? [])
      record.contents = { approval_times: '2026-11-20T10:00:00' };
    const shown = { user: { id: 1, username: 'mia' } };
    const recordPart = () => Promise.resolve({ approved_by: [{ ...shown.user, created_at: null }] });
    const { unread } = await withRecordParts({ ...request, remote: { ...request.remote, recordPart } });
    const [sentence] = describeUnshownDetails(unread, 'target');
    expect(sentence).toContain('times of approvals (1)');
    expect(describeUnshownDetails(noUnreadParts, 'target')).toEqual([]);
  });

  it('has the time of its newest row', async () => {
    const { request } = requestOf('snippets', [{}]);
    const rows = ['2026-11-20T10:00:00.000Z', '2026-11-19T10:00:00.000Z'].map((at) => ({
      ...{ name: 'tada', created_at: at },
    }));
    const remote = { ...request.remote, recordPart: () => Promise.resolve({ award_emoji: rows }) };
    const { listed } = await withRecordParts({ ...request, remote });
    expect(listed.snippets?.[0]?.partTimes).toEqual({ emoji: Date.UTC(2026, 10, 20, 10) });
  });
});
