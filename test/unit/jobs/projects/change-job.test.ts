import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src-contract/projects/change.ts';
import { inTurn, projectOf } from '../../../support/jobs/fake-instance.ts';
import { failedWith } from '../../../support/jobs/job-harness.ts';
import { ChangeHarness, lost, missing } from './change-harness.ts';
import { changeKinds, made } from './change-kinds.ts';

describe('a project that is already in the wanted state', () => {
  it.each<[string, Change, (bench: ChangeHarness) => void]>([
    [
      'an edit to the values there are',
      { kind: 'edit', attributes: { description: 'Same', topics: ['b', 'a'] } },
      (bench) => {
        bench.attributes = { description: 'Same', topics: ['a', 'b'] };
      },
    ],
    [
      'a star',
      { kind: 'star' },
      (bench) => {
        bench.instance.changes.starred = true;
      },
    ],
    ['a star that is not there', { kind: 'unstar' }, () => undefined],
    ['a project that is not archived', { kind: 'set-archived', archived: false }, () => undefined],
    [
      'a project that is marked for deletion',
      { kind: 'delete', permanently: false },
      (bench) => {
        bench.markedOn = '2026-11-10';
      },
    ],
    ['a project that is not marked', { kind: 'restore' }, () => undefined],
  ])('%s: nothing is sent', async (_what, change, prepare) => {
    const bench = new ChangeHarness();
    prepare(bench);
    expect((await bench.result(change)).changed).toBe(false);
  });
});

describe('an edit', () => {
  it('names the attributes that the server accepted and did not apply', async () => {
    const bench = new ChangeHarness();
    bench.attributes = { description: 'Old', mirror: false };
    const notTaken = [{ attribute: 'mirror', asked: true, is: false }];
    bench.instance.changes.onEdit = () => ({ project: projectOf(), notTaken });
    const job = await bench.run({ kind: 'edit', attributes: { description: 'New', mirror: true } });
    expect(job).toMatchObject({
      state: { status: 'succeeded', warnings: [{ code: 'not-taken', where: 'mirror' }] },
      result: { changed: true, notTaken },
    });
  });

  it('that took nothing changed nothing', async () => {
    const bench = new ChangeHarness();
    bench.attributes = { mirror: false };
    const notTaken = [{ attribute: 'mirror', asked: true, is: false }];
    bench.instance.changes.onEdit = () => ({ project: projectOf(), notTaken });
    expect((await bench.result({ kind: 'edit', attributes: { mirror: true } })).changed).toBe(false);
  });

  it('of what the server never tells is sent although all that it tells is so already', async () => {
    const bench = new ChangeHarness();
    bench.attributes = { description: 'Same' };
    bench.instance.changes.onEdit = () => ({ project: projectOf(), notTaken: [] });
    const attributes = { description: 'Same', avatar: '/files/a.png' };
    expect((await bench.result({ kind: 'edit', attributes })).changed).toBe(true);
  });

  it('sends the whole address that was kept in memory, and fails where that is gone', async () => {
    const bench = new ChangeHarness();
    bench.attributes = { import_url: null };
    const sent: unknown[] = [];
    bench.instance.changes.onEdit = (attributes) => {
      sent.push(attributes['import_url']);
      return { project: projectOf(), notTaken: [] };
    };
    bench.secrets.set('key', 'https://me:word@git.example/a.git');
    const change: Change = { kind: 'edit', attributes: { import_url: 'https://git.example/a.git' } };
    await bench.result(change, { secret: 'key' });
    expect(sent).toEqual(['https://me:word@git.example/a.git']);
    bench.secrets.clear();
    expect((await bench.run(change, { secret: 'key' })).state).toMatchObject(failedWith('secret-lost'));
  });
});

describe('a project that appeared where one was to be made', () => {
  const creation: Change = { kind: 'create', namespace: 'group', forUser: null, attributes: { path: 'new' } };

  it.each([
    ['by somebody else', { creatorId: 4 }],
    ['long before', { createdAt: '2026-01-01T00:00:00Z' }],
    ['with an id from before', { id: 50 }],
  ])('%s is not taken for ours, and nothing is sent again', async (_how, marks) => {
    const bench = new ChangeHarness();
    bench.project = null;
    bench.instance.changes.onCreate = () => {
      made(bench, 90, 'group/new');
      if (bench.project !== null) bench.project = { ...bench.project, ...marks };
      throw lost;
    };
    const job = await bench.run(creation, { at: 'group/new' });
    expect(job.state).toMatchObject(failedWith('change-ambiguous'));
    expect(bench.times('create')).toHaveLength(1);
  });

  it('for another user is identified by that user', async () => {
    const bench = new ChangeHarness();
    bench.project = null;
    bench.instance.changes.onCreate = () => {
      made(bench, 90, 'group/new');
      if (bench.project !== null) bench.project = { ...bench.project, creatorId: 12 };
      throw lost;
    };
    expect((await bench.result({ ...creation, forUser: 12 }, { at: 'group/new' })).changed).toBe(true);
    expect(bench.times('create')).toHaveLength(1);
  });

  it('before anything was sent is refused', async () => {
    const bench = new ChangeHarness();
    made(bench, 90, 'group/new');
    expect((await bench.run(creation, { at: 'group/new' })).state).toMatchObject(failedWith('path-taken'));
    expect(bench.times('create')).toHaveLength(0);
  });
});

describe('a copy', () => {
  const fork = changeKinds.find(({ name }) => name === 'a fork');

  async function forkThrough(states: string[]) {
    const bench = new ChangeHarness();
    bench.instance.changes.onFork = () => {
      made(bench, 90, 'mine/project');
      return projectOf({ id: 90, fullPath: 'mine/project' });
    };
    const next = inTurn(...states);
    const { onDetails } = bench.instance.changes;
    bench.instance.changes.onDetails = (id) => {
      if (id !== 90) return onDetails(id);
      return bench.details(projectOf({ id: 90, fullPath: 'mine/project', importStatus: next() }));
    };
    if (fork === undefined) throw new Error('There is no fork.');
    return bench.run(fork.change);
  }

  it('is followed to its end', async () => {
    const job = await forkThrough(['scheduled', 'started', 'finished']);
    expect(job.result).toMatchObject({ project: { fullPath: 'mine/project', importStatus: 'finished' } });
  });

  it('of an empty repository is complete at once', async () => {
    expect((await forkThrough(['none'])).state.status).toBe('succeeded');
  });

  it.each([
    ['that fails is told', ['started', 'failed'], 'fork-failed'],
    ['in a state that is not known is an error', ['sideways'], 'unknown-state'],
    ['that never ends is given up', ['started'], 'deadline-passed'],
  ])('%s', async (_what, states, code) => {
    expect((await forkThrough(states)).state).toMatchObject(failedWith(code));
  });
});

describe('a deletion', () => {
  it('reports when it was marked, and when it is final with the usual delay', async () => {
    const bench = new ChangeHarness();
    bench.instance.changes.onDelete = () => {
      bench.markedOn = '2026-11-20';
    };
    expect((await bench.result({ kind: 'delete', permanently: false })).deletion).toEqual({
      markedOn: '2026-11-20',
      finalOn: '2026-12-20',
    });
  });

  it('that is permanent names the current path of the project, and needs it to be marked', async () => {
    const bench = new ChangeHarness();
    const paths: (string | null)[] = [];
    bench.instance.changes.onDelete = (fullPath) => {
      paths.push(fullPath);
      bench.project = null;
    };
    const change: Change = { kind: 'delete', permanently: true };
    expect((await bench.run(change)).state).toMatchObject(failedWith('invalid-input'));
    bench.project = projectOf({ fullPath: 'group/project-deletion_scheduled-7' });
    bench.markedOn = '2026-11-20';
    expect(await bench.result(change)).toMatchObject({ project: null, deletion: null });
    expect(paths).toEqual(['group/project-deletion_scheduled-7']);
  });

  it('of a project that is gone is an error', async () => {
    const bench = new ChangeHarness();
    bench.project = null;
    const job = await bench.run({ kind: 'delete', permanently: false });
    expect(job.state).toMatchObject(failedWith(missing.code));
  });
});
