import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { Difference } from '../../../../src-contract/migrations/difference.ts';
import type { FailureWithRecord, Reconciliation } from '../../../../src-contract/transfers/import.ts';
import FailureTable from '../../../../src-renderer/views/shared/records/FailureTable.svelte';
import ReconciliationTable from '../../../../src-renderer/views/shared/records/ReconciliationTable.svelte';
import RecordView from '../../../../src-renderer/views/shared/records/RecordView.svelte';
import { expectAccessible, scriptWindow } from '../../support/window.ts';

const payload = '<img src=x onerror="document.title=\'ran\'">';

function explained(id: number, change: Partial<FailureWithRecord['failure']> = {}): FailureWithRecord {
  const relation = change.relation === undefined ? 'issues' : change.relation;
  const value = { title: `${payload} ${id}`, iid: id, state: 'opened', author_id: 7, notes: [{}, {}] };
  const line = change.line === undefined ? id : change.line;
  return {
    failure: {
      id,
      createdAt: `2026-11-20T08:00:${String(id % 60).padStart(2, '0')}.000Z`,
      exceptionClass: 'ActiveRecord::RecordInvalid',
      exceptionMessage: null,
      source: 'process_relation_item!',
      relation,
      line,
      ...change,
    },
    record:
      relation === null || line === null
        ? null
        : { relation, line, text: JSON.stringify(value), truncated: false, value },
  };
}

test('a failure shows the failed record as text, never as markup', async () => {
  scriptWindow({});
  const failures = [
    explained(1),
    explained(2),
    explained(3, { relation: 'labels', exceptionMessage: 'Title is taken' }),
  ];
  const screen = await render(FailureTable, { failures, hasArchive: true });
  const record = screen.getByRole('region', { name: 'The failed record' });
  await expect.element(record.getByRole('heading', { name: `#1 ${payload} 1` })).toBeVisible();
  await expect.element(record.getByText('GitLab hides the reason')).toBeVisible();

  screen.getByRole('grid').element().focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.element(record.getByRole('heading', { name: `#3 ${payload} 3` })).toBeVisible();
  await expect.element(record.getByText('Title is taken')).toBeVisible();
  await expectAccessible();
  expect(document.title).not.toBe('ran');
});

test('failures can be filtered by their kind', async () => {
  scriptWindow({});
  const failures = [
    ...[1, 2, 3].map((id) => explained(id)),
    explained(4, { relation: 'labels', exceptionClass: 'ActiveRecord::RecordNotUnique' }),
  ];
  const screen = await render(FailureTable, { failures, hasArchive: true });
  const grid = screen.getByRole('grid', { name: 'Failed records, as GitLab lists them' });
  await expect.element(grid).toHaveAttribute('aria-rowcount', '5');
  await screen.getByLabelText('Show').selectOptions('Labels · ActiveRecord::RecordNotUnique (1)');
  await expect.element(grid).toHaveAttribute('aria-rowcount', '2');
  await expect.element(screen.getByRole('region', { name: 'The failed record' })).toMatchTextContent(/#4/);
});

test('a failure whose record cannot be read states the reason', async () => {
  scriptWindow({});
  const withoutRecord = { ...explained(1), record: null };
  const screen = await render(FailureTable, { failures: [withoutRecord], hasArchive: false });
  await expect.element(screen.getByText(/once the archive of this import is available/)).toBeVisible();
  await screen.rerender({ failures: [withoutRecord], hasArchive: true });
  await expect.element(screen.getByText(/The archive has no line 1 in issues/)).toBeVisible();
  await screen.rerender({ failures: [explained(1, { line: null })], hasArchive: true });
  await expect.element(screen.getByText(/did not report the line/)).toBeVisible();
});

test('a list of 100 failures states that there may be others', async () => {
  scriptWindow({});
  const failures = Array.from({ length: 100 }, (_, index) => explained(index + 1));
  const screen = await render(FailureTable, { failures, hasArchive: true });
  await expect.element(screen.getByText(/lists at most 100 failures at once/)).toBeVisible();
  await screen.rerender({ failures: failures.slice(1), hasArchive: true });
  await expect.element(screen.getByText(/lists at most 100 failures at once/)).not.toBeInTheDocument();
});

test('a record is shown by its fields, with the raw record below', async () => {
  scriptWindow({});
  const { record } = explained(12);
  if (record === null) throw new Error('no record');
  const screen = await render(RecordView, { record });
  await expect.element(screen.getByText('issues, line 12')).toBeVisible();
  await expect.element(screen.getByText('2 entries')).toBeVisible();
  await screen.getByText('Raw record').click();
  await expect
    .element(screen.getByRole('region', { name: 'JSON of the record' }))
    .toMatchTextContent(/<img src=x onerror=/);
  await expectAccessible();
});

test('a line that is not JSON or was truncated is shown unchanged', async () => {
  scriptWindow({});
  const record = { relation: 'issues', line: 0, text: `{"title": ${payload}`, truncated: false, value: null };
  const screen = await render(RecordView, { record });
  await expect.element(screen.getByText(/This line is not JSON/)).toBeVisible();
  await expect
    .element(screen.getByRole('region', { name: 'JSON of the record' }))
    .toMatchTextContent(/<img src=x onerror=/);
  await screen.rerender({ record: { ...record, truncated: true } });
  await expect.element(screen.getByText(/longer than 1 MiB/)).toBeVisible();
});

const reconciliation = (rows: Reconciliation['rows'], reconciled = false): Reconciliation => ({
  at: '2026-11-20T09:00:00.000Z',
  depth: 'fields',
  reconciled,
  rows,
  missing: [],
  missingCount: 0,
  settings: [],
  declared: [],
  notCompared: [],
});

test('each verdict of a comparison is shown in words, with the number of missing records', async () => {
  scriptWindow({});
  const rows: Reconciliation['rows'] = [
    { relation: 'issues', source: 10, archive: 10, target: 8, verdict: 'lost-on-import' },
    { relation: 'merge_requests', source: 5, archive: 4, target: 4, verdict: 'lost-on-export' },
    { relation: 'milestones', source: 5, archive: 4, target: 2, verdict: 'lost-on-both' },
    { relation: 'labels', source: 3, archive: 3, target: 3, verdict: 'equal' },
    { relation: 'tags', source: null, archive: 1, target: 2, verdict: 'more' },
    { relation: 'branches', source: 1, archive: 1, target: null, verdict: 'unknown' },
    { relation: 'releases', source: 0, archive: 0, target: 0, verdict: 'equal' },
  ];
  const screen = await render(ReconciliationTable, { reconciliation: reconciliation(rows), failureCount: 2 });
  const expectedWords = {
    Issues: '2 lost on import',
    'Merge requests': '1 lost on export',
    Milestones: '1 lost on export, 2 on import',
    Labels: 'Complete',
    Tags: '1 more than archived',
    Branches: 'Could not be counted',
  };
  for (const [relation, words] of Object.entries(expectedWords)) {
    await expect
      .element(screen.getByRole('row', { name: new RegExp(`^${relation} `) }))
      .toMatchTextContent(new RegExp(words));
  }
  await expect.element(screen.getByText('Not everything arrived')).toBeVisible();
  await expect.element(screen.getByText(/No records on any side: Releases/)).toBeVisible();
  await expectAccessible();
});

test('accepted losses do not hide that a relation was not counted, or that contents were not compared', async () => {
  scriptWindow({});
  const lostOnExport = (target: number | null): Reconciliation['rows'] => [
    { relation: 'issues', source: 10, archive: 8, target, verdict: 'lost-on-export' },
  ];
  const accepted: Difference = {
    ...{ ref: 'd1', kind: 'number', what: '2 of issues', relation: 'issues', lost: 'on-export' },
    ...{
      isGrave: false,
      missing: 2,
      open: 0,
      places: [],
      accepted: { note: 'Known', at: '2026-11-20T10:00:00.000Z' },
    },
  };
  const shown = { failureCount: 0, differences: [accepted] };
  const screen = await render(ReconciliationTable, {
    ...{ ...shown, reconciliation: reconciliation(lostOnExport(8)) },
  });
  await expect.element(screen.getByText('Not everything arrived, and that was accepted')).toBeVisible();
  await screen.rerender({ ...shown, reconciliation: reconciliation(lostOnExport(null)) });
  await expect.element(screen.getByText('Not proven')).toBeVisible();
  await expect
    .element(screen.getByText(/accepted, but these could not be counted on the target: Issues/))
    .toBeVisible();
  for (const depth of ['numbers', 'names'] as const) {
    await screen.rerender({ ...shown, reconciliation: { ...reconciliation(lostOnExport(8)), depth } });
    await expect.element(screen.getByText('Not proven')).toBeVisible();
    await expect
      .element(
        screen.getByText('Each known loss was accepted, but the contents of records were not compared.'),
      )
      .toBeVisible();
  }
});

test('an import is reported as arrived only if that is proven', async () => {
  scriptWindow({});
  const equal: Reconciliation['rows'] = [
    { relation: 'issues', source: 1, archive: 1, target: 1, verdict: 'equal' },
  ];
  const screen = await render(ReconciliationTable, {
    reconciliation: reconciliation(equal, true),
    failureCount: 0,
  });
  await expect.element(screen.getByText('Arrived, contents compared in part', { exact: true })).toBeVisible();
  await screen.rerender({ reconciliation: reconciliation(equal), failureCount: 1 });
  await expect.element(screen.getByText('Not proven')).toBeVisible();
  await expect.element(screen.getByText(/GitLab lists 1 failure/)).toBeVisible();
  const setting = { attribute: 'wiki_access_level', expected: 'private', found: 'enabled', lost: null };
  await screen.rerender({
    reconciliation: { ...reconciliation(equal), settings: [setting] },
    failureCount: 0,
  });
  await expect.element(screen.getByText('Not everything arrived')).toBeVisible();
  await expect.element(screen.getByText(/1 setting differs/)).toBeVisible();
});
