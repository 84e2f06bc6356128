/** @file Lists of a sandbox that contradict themselves or leave out records: scripted faults, and confidential issues. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox } from '../../../src-main/sandbox/sandbox.ts';
import { parseFaultText, type ListFault } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';

const issues = `${projectUrl('atlas/compass')}/issues`;
const issueCount = 24;

async function openSandbox(...faults: ListFault[]) {
  const sandbox = await startSandbox({ clock: systemClock, projectCount: 1 });
  onTestFinished(() => sandbox.close());
  for (const action of faults) sandbox.faults.add({ match: { path: '/issues' }, action });
  return sandbox;
}

interface ShownPage {
  iids: number[];
  total: string | null;
  totalPages: string | null;
  next: string | null;
}

async function pagesWith(...faults: ListFault[]): Promise<ShownPage[]> {
  const calls = new SandboxCalls(await openSandbox(...faults));
  const pages: ShownPage[] = [];
  for (const page of [1, 2, 3]) {
    const reply = await calls.fetch(`${issues}?per_page=10&page=${page}`);
    expect(reply.status).toBe(200);
    pages.push({
      iids: ((await reply.json()) as { iid: number }[]).map(({ iid }) => iid),
      total: reply.headers.get('x-total'),
      totalPages: reply.headers.get('x-total-pages'),
      next: reply.headers.get('x-next-page'),
    });
  }
  return pages;
}

const iidsFrom = (first: number, last: number): number[] =>
  Array.from({ length: first - last + 1 }, (_, index) => first - index);
const headers = { total: `${issueCount}`, totalPages: '3' };
const consistentPages: ShownPage[] = [
  { iids: iidsFrom(24, 15), next: '2', ...headers },
  { iids: iidsFrom(14, 5), next: '3', ...headers },
  { iids: iidsFrom(4, 1), next: '', ...headers },
];
const [first, second, last] = consistentPages as [ShownPage, ShownPage, ShownPage];

describe('a false list', () => {
  test('without a fault has every row once', async () => {
    expect(await pagesWith()).toEqual(consistentPages);
  });

  test('with another total has the right rows', async () => {
    const withTotal = (total: number, totalPages: number) =>
      consistentPages.map((page) => ({ ...page, total: `${total}`, totalPages: `${totalPages}` }));
    expect(await pagesWith({ kind: 'false-list', as: 'total', by: 1 })).toEqual(withTotal(25, 3));
    expect(await pagesWith({ kind: 'false-list', as: 'total', by: -30 })).toEqual(withTotal(0, 1));
  });

  test('with a repeated page has the rows of the page before, under its own headers', async () => {
    expect(await pagesWith({ kind: 'false-list', as: 'repeated-page', page: 2 })).toEqual([
      first,
      { ...second, iids: first.iids },
      last,
    ]);
  });

  test('with an empty page keeps the next pages', async () => {
    expect(await pagesWith({ kind: 'false-list', as: 'empty-page', page: 2 })).toEqual([
      first,
      { ...second, iids: [] },
      last,
    ]);
  });

  test('with hidden rows still counts them', async () => {
    expect(await pagesWith({ kind: 'false-list', as: 'hidden-rows', count: 3 })).toEqual([
      first,
      second,
      { ...last, iids: [4] },
    ]);
  });

  test('is false only as often as its match says, and only for the matching list', async () => {
    const sandbox = await openSandbox();
    const calls = new SandboxCalls(sandbox);
    const action = { kind: 'false-list', as: 'total', by: 5 } as const;
    sandbox.faults.add({ match: { path: '/issues', times: 1 }, action });
    expect(await calls.total(`${projectUrl('atlas/compass')}/milestones`)).toBe(3);
    expect(await calls.total(issues)).toBe(issueCount + 5);
    expect(await calls.total(issues)).toBe(issueCount);
  });
});

test.each([
  [
    { as: 'shorter' },
    /^Fault 1 \(action\.as\): .*'total' \| 'repeated-page' \| 'empty-page' \| 'hidden-rows'/,
  ],
  [{}, /^Fault 1 \(action\.as\): /],
  [{ as: 'total' }, /^Fault 1 \(action\.by\): /],
  [{ as: 'total', by: 0 }, /^Fault 1 \(action\.by\): must not be 0\.$/],
  [{ as: 'total', by: 0.5 }, /^Fault 1 \(action\.by\): /],
  [{ as: 'total', by: 1, page: 2 }, /^Fault 1 \(action\): Unrecognized key: "page"\.$/],
  [{ as: 'repeated-page', page: 1 }, /^Fault 1 \(action\.page\): .*>=2/],
  [{ as: 'empty-page', page: 0 }, /^Fault 1 \(action\.page\): .*>=1/],
  [{ as: 'hidden-rows', count: 0 }, /^Fault 1 \(action\.count\): .*>=1/],
])('the fault %o is rejected with its field', (fields, message) => {
  const text = JSON.stringify([{ match: {}, action: { kind: 'false-list', ...fields } }]);
  expect(() => parseFaultText(text)).toThrow(message);
});

describe('a confidential issue', () => {
  test.each([
    ['administrator', 'listed'],
    ['developer', 'listed'],
    ['guest', 'hidden'],
  ] as const)('of somebody else is, for the account %s, %s', async (account, expected) => {
    const sandbox = await openSandbox();
    const { relations } = await sandbox.state.project('atlas/compass');
    const confidential = (relations['issues'] ?? []).filter((issue) => issue['confidential'] === true);
    expect(confidential.map(({ iid }) => iid)).toEqual([11, 22]);
    const calls = new SandboxCalls(sandbox, sandbox.tokens[account]);
    const isListed = expected === 'listed';
    expect(await calls.total(issues)).toBe(isListed ? issueCount : issueCount - 2);
    expect((await calls.fetch(`${issues}/11/notes`)).status).toBe(isListed ? 200 : 404);
  });

  test('is listed for its author', async () => {
    const sandbox = await openSandbox();
    const guest = new SandboxCalls(sandbox, sandbox.tokens.guest);
    const { id } = (await guest.get('/user')) as { id: number };
    sandbox.state.append('atlas/compass', 'issues', {
      iid: 99,
      title: 'Own',
      confidential: true,
      author_id: id,
    });
    expect(await guest.total(issues)).toBe(issueCount - 2 + 1);
  });
});
