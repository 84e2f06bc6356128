import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src-contract/projects/change.ts';
import { sequence, projectOf } from '../../../support/jobs/fake-instance.ts';
import { failedWith } from '../../../support/jobs/job-harness.ts';
import { ChangeHarness, lost, missing } from './change-harness.ts';
import { changeKinds, addCreatedProject } from './change-kinds.ts';

describe('a change to the state that the project already has', () => {
  it.each<[string, Change, (harness: ChangeHarness) => void]>([
    [
      'an edit to the existing values',
      { kind: 'edit', attributes: { description: 'Same', topics: ['b', 'a'] } },
      (harness) => {
        harness.attributes = { description: 'Same', topics: ['a', 'b'] };
      },
    ],
    [
      'a star of a starred project',
      { kind: 'star' },
      (harness) => {
        harness.instance.changes.starred = true;
      },
    ],
    ['the removal of a missing star', { kind: 'unstar' }, () => undefined],
    [
      'a request to unarchive a project that is not archived',
      { kind: 'set-archived', archived: false },
      () => undefined,
    ],
    [
      'the deletion of a project that is marked for deletion',
      { kind: 'delete', permanently: false },
      (harness) => {
        harness.markedOn = '2026-11-10';
      },
    ],
    ['the restoration of a project that is not marked for deletion', { kind: 'restore' }, () => undefined],
  ])('%s is not sent and reports no change', async (_what, change, prepare) => {
    const harness = new ChangeHarness();
    prepare(harness);
    expect((await harness.result(change)).changed).toBe(false);
  });
});

describe('an edit', () => {
  it('reports the attributes that the server accepted but did not apply', async () => {
    const harness = new ChangeHarness();
    harness.attributes = { description: 'Old', mirror: false };
    const notTaken = [{ attribute: 'mirror', asked: true, is: false }];
    harness.instance.changes.onEdit = () => ({ project: projectOf(), notTaken });
    const job = await harness.run({ kind: 'edit', attributes: { description: 'New', mirror: true } });
    expect(job).toMatchObject({
      state: { status: 'succeeded', warnings: [{ code: 'not-taken', where: 'mirror' }] },
      result: { changed: true, notTaken },
    });
  });

  it('reports no change if the server applied none of its attributes', async () => {
    const harness = new ChangeHarness();
    harness.attributes = { mirror: false };
    const notTaken = [{ attribute: 'mirror', asked: true, is: false }];
    harness.instance.changes.onEdit = () => ({ project: projectOf(), notTaken });
    expect((await harness.result({ kind: 'edit', attributes: { mirror: true } })).changed).toBe(false);
  });

  it('of an attribute that the server never returns is sent even if all others have their values already', async () => {
    const harness = new ChangeHarness();
    harness.attributes = { description: 'Same' };
    harness.instance.changes.onEdit = () => ({ project: projectOf(), notTaken: [] });
    const attributes = { description: 'Same', avatar: '/files/a.png' };
    expect((await harness.result({ kind: 'edit', attributes })).changed).toBe(true);
  });

  it('sends the complete address that is kept in memory, and fails if that was lost', async () => {
    const harness = new ChangeHarness();
    harness.attributes = { import_url: null };
    const sent: unknown[] = [];
    harness.instance.changes.onEdit = (attributes) => {
      sent.push(attributes['import_url']);
      return { project: projectOf(), notTaken: [] };
    };
    harness.secrets.set('key', 'https://me:word@git.example/a.git');
    const change: Change = { kind: 'edit', attributes: { import_url: 'https://git.example/a.git' } };
    await harness.result(change, { secret: 'key' });
    expect(sent).toEqual(['https://me:word@git.example/a.git']);
    harness.secrets.clear();
    expect((await harness.run(change, { secret: 'key' })).state).toMatchObject(failedWith('secret-lost'));
  });
});

describe('a project that appeared at the path of a creation', () => {
  const creation: Change = { kind: 'create', namespace: 'group', forUser: null, attributes: { path: 'new' } };

  it.each([
    ['by another user', { creatorId: 4 }],
    ['long before', { createdAt: '2026-01-01T00:00:00Z' }],
    ['with an id from before the request', { id: 50 }],
  ])('%s is not adopted, and nothing is sent again', async (_how, marks) => {
    const harness = new ChangeHarness();
    harness.project = null;
    harness.instance.changes.onCreate = () => {
      addCreatedProject(harness, 90, 'group/new');
      if (harness.project !== null) harness.project = { ...harness.project, ...marks };
      throw lost;
    };
    const job = await harness.run(creation, { at: 'group/new' });
    expect(job.state).toMatchObject(failedWith('change-ambiguous'));
    expect(harness.times('create')).toHaveLength(1);
  });

  it('for another user is adopted by the id of that user', async () => {
    const harness = new ChangeHarness();
    harness.project = null;
    harness.instance.changes.onCreate = () => {
      addCreatedProject(harness, 90, 'group/new');
      if (harness.project !== null) harness.project = { ...harness.project, creatorId: 12 };
      throw lost;
    };
    expect((await harness.result({ ...creation, forUser: 12 }, { at: 'group/new' })).changed).toBe(true);
    expect(harness.times('create')).toHaveLength(1);
  });

  it('before the request is rejected', async () => {
    const harness = new ChangeHarness();
    addCreatedProject(harness, 90, 'group/new');
    expect((await harness.run(creation, { at: 'group/new' })).state).toMatchObject(failedWith('path-taken'));
    expect(harness.times('create')).toHaveLength(0);
  });
});

describe('a fork', () => {
  const fork = changeKinds.find(({ name }) => name === 'a fork');

  async function forkThrough(states: string[]) {
    const harness = new ChangeHarness();
    harness.instance.changes.onFork = () => {
      addCreatedProject(harness, 90, 'mine/project');
      return projectOf({ id: 90, fullPath: 'mine/project' });
    };
    const next = sequence(...states);
    const { onDetails } = harness.instance.changes;
    harness.instance.changes.onDetails = (id) => {
      if (id !== 90) return onDetails(id);
      return harness.details(projectOf({ id: 90, fullPath: 'mine/project', importStatus: next() }));
    };
    if (fork === undefined) throw new Error('There is no fork.');
    return harness.run(fork.change);
  }

  it('is followed to its end', async () => {
    const job = await forkThrough(['scheduled', 'started', 'finished']);
    expect(job.result).toMatchObject({ project: { fullPath: 'mine/project', importStatus: 'finished' } });
  });

  it('of an empty repository is complete immediately', async () => {
    expect((await forkThrough(['none'])).state.status).toBe('succeeded');
  });

  it.each([
    ['that fails is reported', ['started', 'failed'], 'fork-failed'],
    ['in an unknown state is an error', ['sideways'], 'unknown-state'],
    ['that never ends fails at the deadline', ['started'], 'deadline-passed'],
  ])('%s', async (_what, states, code) => {
    expect((await forkThrough(states)).state).toMatchObject(failedWith(code));
  });
});

describe('a deletion', () => {
  it('reports the date of its mark and, with the usual delay, the date of its end', async () => {
    const harness = new ChangeHarness();
    harness.instance.changes.onDelete = () => {
      harness.markedOn = '2026-11-20';
    };
    expect((await harness.result({ kind: 'delete', permanently: false })).deletion).toEqual({
      markedOn: '2026-11-20',
      finalOn: '2026-12-20',
    });
  });

  it('that is permanent sends the current path of the project and requires the project to be marked for deletion', async () => {
    const harness = new ChangeHarness();
    const paths: (string | null)[] = [];
    harness.instance.changes.onDelete = (fullPath) => {
      paths.push(fullPath);
      harness.project = null;
    };
    const change: Change = { kind: 'delete', permanently: true };
    expect((await harness.run(change)).state).toMatchObject(failedWith('invalid-input'));
    harness.project = projectOf({ fullPath: 'group/project-deletion_scheduled-7' });
    harness.markedOn = '2026-11-20';
    expect(await harness.result(change)).toMatchObject({ project: null, deletion: null });
    expect(paths).toEqual(['group/project-deletion_scheduled-7']);
  });

  it('of a missing project is an error', async () => {
    const harness = new ChangeHarness();
    harness.project = null;
    const job = await harness.run({ kind: 'delete', permanently: false });
    expect(job.state).toMatchObject(failedWith(missing.code));
  });
});
