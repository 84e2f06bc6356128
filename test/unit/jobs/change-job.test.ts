import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src-preload/contract/change.ts';
import { AppError } from '../../../src-preload/contract/errors.ts';
import { isoTime } from '../../../src-main/platform/clock.ts';
import { inTurn, projectOf } from '../../support/fake-instance.ts';
import { ChangeBench, lost, missing, refused } from './change-bench.ts';

const minute = 60_000;
const failedWith = (code: string) => ({ status: 'failed', error: { code } });

interface Kind {
  name: string;
  change: Change;
  /** What the server does when it gets the request. */
  does(bench: ChangeBench): void;
  /** Name of the call that sends it. */
  call: string;
  /** Makes the server answer as scripted, doing its work or not. */
  script(bench: ChangeBench, answer: () => void): void;
  at?: string;
}

const uploadAt = (bench: ChangeBench, id: number) => ({
  id,
  sizeBytes: 5,
  fileName: 'a_b.txt',
  createdAt: isoTime(bench.clock.now()),
  uploadedBy: 'me',
});

function made(bench: ChangeBench, id: number, fullPath: string): void {
  bench.project = projectOf({
    id,
    fullPath,
    creatorId: 3,
    createdAt: isoTime(bench.clock.now()),
    importStatus: 'finished',
  });
}

const kinds: Kind[] = [
  {
    name: 'an edit',
    change: { kind: 'edit', attributes: { description: 'New' } },
    call: 'edit',
    does: (bench) => {
      bench.attributes = { description: 'New' };
    },
    script: (bench, answer) => {
      bench.attributes = { description: 'Old' };
      bench.instance.changes.onEdit = () => {
        answer();
        return { project: projectOf(), notTaken: [] };
      };
    },
  },
  {
    name: 'a star',
    change: { kind: 'star' },
    call: 'star',
    does: (bench) => {
      bench.instance.changes.starred = true;
    },
    script: (bench, answer) => {
      bench.instance.changes.onStar = () => {
        answer();
        return true;
      };
    },
  },
  {
    name: 'a star taken back',
    change: { kind: 'unstar' },
    call: 'star',
    does: (bench) => {
      bench.instance.changes.starred = false;
    },
    script: (bench, answer) => {
      bench.instance.changes.starred = true;
      bench.instance.changes.onStar = () => {
        answer();
        return true;
      };
    },
  },
  {
    name: 'marking as archived',
    change: { kind: 'set-archived', archived: true },
    call: 'set archived',
    does: (bench) => {
      bench.project = projectOf({ archived: true });
    },
    script: (bench, answer) => {
      bench.instance.changes.onSetArchived = answer;
    },
  },
  {
    name: 'a deletion',
    change: { kind: 'delete', permanently: false },
    call: 'delete',
    does: (bench) => {
      bench.markedOn = '2026-11-20';
    },
    script: (bench, answer) => {
      bench.instance.changes.onDelete = answer;
    },
  },
  {
    name: 'a deletion where none is delayed',
    change: { kind: 'delete', permanently: false },
    call: 'delete',
    does: (bench) => {
      bench.project = null;
    },
    script: (bench, answer) => {
      bench.instance.changes.onDelete = answer;
    },
  },
  {
    name: 'a deletion for good',
    change: { kind: 'delete', permanently: true },
    call: 'delete',
    does: (bench) => {
      bench.project = null;
    },
    script: (bench, answer) => {
      bench.markedOn = '2026-11-19';
      bench.instance.changes.onDelete = answer;
    },
  },
  {
    name: 'a restoration',
    change: { kind: 'restore' },
    call: 'restore',
    does: (bench) => {
      bench.markedOn = null;
    },
    script: (bench, answer) => {
      bench.markedOn = '2026-11-19';
      bench.instance.changes.onRestore = answer;
    },
  },
  {
    name: 'an upload',
    change: { kind: 'upload', file: '/files/a b.txt', sizeBytes: 5 },
    call: 'upload',
    does: (bench) => {
      bench.instance.changes.onUploads = () => [uploadAt(bench, 9)];
    },
    script: (bench, answer) => {
      bench.instance.changes.onUpload = () => {
        answer();
        return { id: 9, name: 'a_b.txt', url: '/uploads/x/a_b.txt', markdown: '[a]' };
      };
    },
  },
  {
    name: 'an export request',
    change: { kind: 'export', description: null, pushTo: null },
    call: 'request',
    does: (bench) => {
      bench.instance.onState = () => 'started';
    },
    script: (bench, answer) => {
      bench.instance.onRequest = answer;
    },
  },
  {
    name: 'a creation',
    change: { kind: 'create', namespace: 'group', forUser: null, attributes: { path: 'new' } },
    call: 'create',
    at: 'group/new',
    does: (bench) => {
      made(bench, 90, 'group/new');
    },
    script: (bench, answer) => {
      bench.project = null;
      bench.instance.changes.onCreate = () => {
        answer();
        return { project: projectOf({ id: 90, fullPath: 'group/new' }), notTaken: [] };
      };
    },
  },
  {
    name: 'a fork',
    change: {
      kind: 'fork',
      namespace: 'mine',
      name: null,
      path: null,
      description: null,
      visibility: null,
      branches: null,
      mergeIntoItself: null,
    },
    call: 'fork',
    does: (bench) => {
      made(bench, 90, 'mine/project');
    },
    script: (bench, answer) => {
      bench.instance.changes.onFork = () => {
        answer();
        return projectOf({ id: 90, fullPath: 'mine/project' });
      };
    },
  },
];

const run = (bench: ChangeBench, { change, at }: Kind) => bench.run(change, at === undefined ? {} : { at });

describe.each(kinds)('$name', (kind) => {
  it('is sent once', async () => {
    const bench = new ChangeBench();
    kind.script(bench, () => {
      kind.does(bench);
    });
    expect(await run(bench, kind)).toMatchObject({
      state: { status: 'succeeded', warnings: [] },
      result: { changed: true },
    });
    expect(bench.times(kind.call)).toHaveLength(1);
  });

  it('that arrived without an answer is not sent again', async () => {
    const bench = new ChangeBench();
    kind.script(bench, () => {
      kind.does(bench);
      throw lost;
    });
    expect(await run(bench, kind)).toMatchObject({
      state: { status: 'succeeded' },
      result: { changed: true },
    });
    expect(bench.times(kind.call)).toHaveLength(1);
  });

  it('that did not arrive is sent again after two looks, at least a minute apart', async () => {
    const bench = new ChangeBench();
    let sendings = 0;
    kind.script(bench, () => {
      sendings += 1;
      if (sendings === 1) throw lost;
      kind.does(bench);
    });
    expect((await run(bench, kind)).state.status).toBe('succeeded');
    const [first = 0, second = 0] = bench.times(kind.call);
    expect(bench.times(kind.call)).toHaveLength(2);
    expect(second - first).toBeGreaterThanOrEqual(2 * minute);
  });

  it('that is refused ends at once', async () => {
    const bench = new ChangeBench();
    kind.script(bench, () => {
      throw refused;
    });
    expect((await run(bench, kind)).state).toMatchObject(failedWith('request-refused'));
    expect(bench.times(kind.call)).toHaveLength(1);
  });

  it('that arrives late is found when the second sending is refused because of it', async () => {
    const bench = new ChangeBench();
    let sendings = 0;
    kind.script(bench, () => {
      sendings += 1;
      if (sendings === 1) throw lost;
      kind.does(bench);
      throw refused;
    });
    expect((await run(bench, kind)).state.status).toBe('succeeded');
    expect(bench.times(kind.call)).toHaveLength(2);
  });

  it('that was cut off by the end of the process is looked for by the next one', async () => {
    const bench = new ChangeBench();
    const gone = Promise.withResolvers<undefined>();
    kind.script(bench, () => {
      kind.does(bench);
      bench.bench.die();
      gone.resolve(undefined);
      throw lost;
    });
    const { id } = bench.enqueue(kind.change, kind.at === undefined ? {} : { at: kind.at });
    await bench.clock.finish(gone.promise);
    const next = bench.restart();
    expect((await next.ended(id)).state.status).toBe('succeeded');
    expect(bench.times(kind.call)).toHaveLength(1);
  });

  it('is given up after three sendings, with the reason', async () => {
    const bench = new ChangeBench();
    kind.script(bench, () => {
      throw new AppError('server-error', 'HTTP 500', { retry: 'later' });
    });
    expect((await run(bench, kind)).state).toMatchObject(failedWith('server-error'));
    expect(bench.times(kind.call)).toHaveLength(3);
  });
});

describe('what is so already', () => {
  it.each<[string, Change, (bench: ChangeBench) => void]>([
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
    const bench = new ChangeBench();
    prepare(bench);
    expect((await bench.result(change)).changed).toBe(false);
  });
});

describe('an edit', () => {
  it('names the attributes that the server accepted and did not take', async () => {
    const bench = new ChangeBench();
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
    const bench = new ChangeBench();
    bench.attributes = { mirror: false };
    const notTaken = [{ attribute: 'mirror', asked: true, is: false }];
    bench.instance.changes.onEdit = () => ({ project: projectOf(), notTaken });
    expect((await bench.result({ kind: 'edit', attributes: { mirror: true } })).changed).toBe(false);
  });

  it('of what the server never tells is sent although all that it tells is so already', async () => {
    const bench = new ChangeBench();
    bench.attributes = { description: 'Same' };
    bench.instance.changes.onEdit = () => ({ project: projectOf(), notTaken: [] });
    const attributes = { description: 'Same', avatar: '/files/a.png' };
    expect((await bench.result({ kind: 'edit', attributes })).changed).toBe(true);
  });

  it('sends the whole address that was kept in memory, and fails where that is gone', async () => {
    const bench = new ChangeBench();
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
    const bench = new ChangeBench();
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

  it('for another user is told by that user', async () => {
    const bench = new ChangeBench();
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
    const bench = new ChangeBench();
    made(bench, 90, 'group/new');
    expect((await bench.run(creation, { at: 'group/new' })).state).toMatchObject(failedWith('path-taken'));
    expect(bench.times('create')).toHaveLength(0);
  });
});

describe('a copy', () => {
  const fork = kinds.find(({ name }) => name === 'a fork');

  async function forkThrough(states: string[]) {
    const bench = new ChangeBench();
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
  it('tells when it was marked, and when it is final with the usual delay', async () => {
    const bench = new ChangeBench();
    bench.instance.changes.onDelete = () => {
      bench.markedOn = '2026-11-20';
    };
    expect((await bench.result({ kind: 'delete', permanently: false })).deletion).toEqual({
      markedOn: '2026-11-20',
      finalOn: '2026-12-20',
    });
  });

  it('for good names the path that the project has now, and needs it to be marked', async () => {
    const bench = new ChangeBench();
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
    const bench = new ChangeBench();
    bench.project = null;
    const job = await bench.run({ kind: 'delete', permanently: false });
    expect(job.state).toMatchObject(failedWith(missing.code));
  });
});

describe('an upload whose answer is lost', () => {
  const upload: Change = { kind: 'upload', file: '/files/a b.txt', sizeBytes: 5 };

  it('is told without its address, which GitLab tells once', async () => {
    const bench = new ChangeBench();
    bench.instance.changes.onUpload = () => {
      bench.instance.changes.onUploads = () => [uploadAt(bench, 9)];
      throw lost;
    };
    expect((await bench.result(upload)).uploaded).toEqual({
      id: 9,
      name: 'a_b.txt',
      url: null,
      markdown: null,
    });
  });

  it.each([
    ['another size', { sizeBytes: 6 }],
    ['another name', { fileName: 'other.txt' }],
    ['another maker', { uploadedBy: 'you' }],
    ['a number from before', { id: 1 }],
  ])('is not taken for one with %s', async (_what, marks) => {
    const bench = new ChangeBench();
    bench.instance.changes.onUploads = () => [{ ...uploadAt(bench, 1), createdAt: '2026-11-01T00:00:00Z' }];
    let sendings = 0;
    bench.instance.changes.onUpload = () => {
      sendings += 1;
      bench.instance.changes.onUploads = () => [{ ...uploadAt(bench, 9), ...marks }];
      if (sendings === 1) throw lost;
      return { id: 10, name: 'a_b.txt', url: '/u', markdown: 'm' };
    };
    expect((await bench.result(upload)).uploaded?.id).toBe(10);
    expect(sendings).toBe(2);
  });

  it('is never sent again where uploads are not listed', async () => {
    const bench = new ChangeBench();
    bench.instance.changes.onUploads = () => {
      throw new AppError('server-too-old', '16.0');
    };
    bench.instance.changes.onUpload = () => {
      throw lost;
    };
    expect((await bench.run(upload)).state).toMatchObject(failedWith('change-ambiguous'));
    expect(bench.times('upload')).toHaveLength(1);
  });
});

describe('an export that is asked for', () => {
  const wanted: Change = { kind: 'export', description: null, pushTo: null };

  it('waits until another one has ended', async () => {
    const bench = new ChangeBench();
    bench.instance.onState = inTurn('queued', 'started', 'finished');
    await bench.result(wanted);
    const [asked = 0] = bench.times('request');
    expect(bench.times('state').filter((at) => at <= asked)).toHaveLength(3);
  });

  it('is asked for again where a finished one was there before, which proves nothing', async () => {
    const bench = new ChangeBench();
    bench.instance.onState = () => 'finished';
    let sendings = 0;
    bench.instance.onRequest = () => {
      sendings += 1;
      if (sendings === 1) throw lost;
    };
    await bench.result(wanted);
    expect(sendings).toBe(2);
  });

  it('without its address, as after a restart, is not asked for', async () => {
    const bench = new ChangeBench();
    const pushTo = { address: 'https://storage.example/a', method: 'PUT' as const };
    const job = await bench.run({ ...wanted, pushTo }, { secret: 'gone' });
    expect(job.state).toMatchObject(failedWith('secret-lost'));
    expect(bench.times('request')).toHaveLength(0);
  });
});
