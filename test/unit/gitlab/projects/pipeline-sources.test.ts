/** @file The number of exported pipelines in a list of more than 100, which some versions of GitLab cannot filter. */
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import type { InstanceClient } from '../../../../src-main/gitlab/http/client.ts';
import { countExportedPipelines } from '../../../../src-main/gitlab/projects/pipeline-sources.ts';

type Row = { id: number; source?: string };
type Listed = { rows: Row[]; total: number | null };
type Answer = Listed | 'refused';

/** The 105 pipelines of a project. The newest four are of the Web IDE. */
const pipelines: Row[] = Array.from({ length: 105 }, (_, index) => ({
  id: 105 - index,
  source: index < 4 ? 'webide' : 'push',
}));
const filtered = (source: string): Listed => {
  const rows = pipelines.filter((row) => row.source === source);
  return { rows, total: rows.length };
};

/** @param answer the pipelines that a version of GitLab lists for a source. */
function countWith(answer: (source: string) => Answer, list: Row[] = pipelines) {
  const requested: string[] = [];
  const getJson = (_path: string, _schema: unknown, { query }: { query: Record<string, unknown> }) => {
    const { source, page, per_page: size } = query;
    requested.push(typeof source === 'string' ? source : `page ${String(page)}`);
    const found = typeof source === 'string' ? answer(source) : { rows: list, total: list.length };
    if (found === 'refused') return Promise.reject(new AppError('request-refused', 'Not a valid value.'));
    const first = (Number(page ?? 1) - 1) * Number(size);
    const data = found.rows.slice(first, first + Number(size));
    const isLast = first + data.length === found.rows.length;
    const headers = {
      'x-next-page': isLast ? '' : String(Number(page ?? 1) + 1),
      ...(found.total !== null && { 'x-total': String(found.total) }),
    };
    return Promise.resolve({ data, headers });
  };
  const count = countExportedPipelines({ getJson } as unknown as InstanceClient, 'pipelines', {});
  return count.then((counted) => ({ counted, requested }));
}

test.each<[string, (source: string) => Answer]>([
  ['filters by source', filtered],
  ['does not know later sources', (source) => (source === 'webide' ? filtered(source) : 'refused')],
  ['ignores the filter', () => ({ rows: pipelines, total: 105 })],
  ['refuses the filter', () => 'refused'],
  ['shows another source', () => ({ rows: [{ id: 1, source: 'push' }], total: 4 })],
  ['shows no source', () => ({ rows: [{ id: 1 }], total: 4 })],
  ['does not report the total of a filtered list', (source) => ({ ...filtered(source), total: null })],
  ['reports filtered pipelines that it does not list', () => ({ rows: [], total: 4 })],
])('a version that %s counts no pipelines of the Web IDE', async (_, answer) => {
  expect((await countWith(answer)).counted).toBe(101);
});

test('a version that ignores the filter counts unexported pipelines that are not the newest ones', async () => {
  const list = pipelines.toReversed();
  expect((await countWith(() => ({ rows: list, total: 105 }), list)).counted).toBe(101);
});

test('the list is read in full only if the filter is not proven', async () => {
  const pages = ['page 1', 'page 2'];
  const proven = await countWith((source) => (source === 'webide' ? filtered(source) : 'refused'));
  expect(proven.requested).toEqual([...pages, 'webide', 'ondemand_dast_scan']);
  expect((await countWith(() => 'refused')).requested).toEqual([...pages, 'webide', ...pages]);
});
