/**
 * @file Injects every fault of the sandbox into every request of a backup, for a whole run. The table below lists the
 * resulting state of each job. The test checks the stored state; then the faults end, and the next run stores
 * everything.
 */
import { expect, it } from 'vitest';
import { errorText } from '../../src-contract/error-messages.ts';
import type { Job } from '../../src-contract/runs/job.ts';
import { actionOf } from '../support/faults/fault-actions.ts';
import { FaultScene, type Cell, type Match } from '../support/faults/fault-scene.ts';
import { readStoredState } from '../support/faults/stored-truth.ts';

/** The requests of a backup of one project, in order. The last three follow the request for the export. */
const requests: Record<string, Match> = {
  project: { method: 'GET', path: '/projects/[^/]+$' },
  state: { method: 'GET', path: '/export$' },
  counts: { method: 'GET', path: '/issues\\?' },
  request: { method: 'POST', path: '/export$' },
  poll: { method: 'GET', path: '/export$', nth: 2, times: 1_000_000 },
  recount: { method: 'GET', path: '/issues\\?', nth: 2, times: 1_000_000 },
  download: { method: 'GET', path: '/export/download$' },
};

/**
 * A dash means that a request behaves like another one in the row. One function reads all JSON, and no fault ends an
 * export before it was requested. The requests that precede a job have their own table. A redirected download fails
 * with `not-gitlab`: the redirect is followed, without the token, to a sign-in page.
 */
const table = `
                    project              state                counts               request                    poll                 recount              download
no response         timeout              timeout              -                    timeout                    timeout              -                    timeout
stalls              timeout              -                    -                    stored                     -                    -                    timeout
drips               stored               -                    stored               stored                     -                    -                    stored
HTTP 401            token-invalid        -                    token-invalid        token-invalid              -                    -                    token-invalid
HTTP 403            forbidden            role-too-low         stored               role-too-low               role-too-low         stored               role-too-low
HTTP 404            project-missing      export-refused       stored               export-refused             export-refused       stored               export-gone
HTTP 429            waits: rate-limited  waits: rate-limited  waits: rate-limited  waits: rate-limited        waits: rate-limited  waits: rate-limited  waits: rate-limited
HTTP 500            server-error         server-error         server-error         server-error               server-error         server-error         server-error
HTTP 502            server-error         -                    -                    server-error               -                    -                    server-error
HTTP 503            server-error         -                    -                    server-error               -                    -                    server-error
web page            not-gitlab           -                    -                    not-gitlab                 not-gitlab           -                    not-gitlab
other origin        redirect-refused     -                    -                    redirect-refused           redirect-refused     -                    not-gitlab
reset               connection-lost      -                    -                    connection-lost            connection-lost      -                    connection-lost
response lost       connection-lost      -                    -                    stored                     connection-lost      -                    connection-lost
cut with length     connection-lost      -                    -                    stored                     -                    -                    connection-lost
cut in a chunk      -                    -                    -                    stored                     -                    -                    connection-lost
cut without length  unexpected-response  -                    -                    stored                     -                    -                    archive-corrupt
reset half-way      -                    -                    -                    stored                     -                    -                    connection-lost
length too large    -                    -                    -                    stored                     -                    -                    connection-lost
length too small    unexpected-response  -                    -                    stored                     -                    -                    unexpected-response
flipped byte        unexpected-response  -                    unexpected-response  stored                     -                    -                    archive-corrupt
token expires       token-expired        token-expired        token-expired        token-expired              token-expired        token-expired        token-expired
token is revoked    token-revoked        -                    -                    token-revoked              -                    -                    token-revoked
export fails        -                    -                    -                    export-failed              -                    -                    -
export is none      -                    -                    -                    export-failed              -                    -                    -
export is stuck     -                    -                    -                    deadline-passed            -                    -                    -
issues are missing  -                    -                    -                    stored: export-incomplete  -                    -                    -
`;

/**
 * Faults that need their own instance: a limit and the end of a token affect all projects of an instance, and a stuck
 * export needs another account.
 */
const needsOwnInstance = ['HTTP 429', 'token expires', 'token is revoked', 'export is stuck'];

function cellsOf(elsewhere: string): Cell[] {
  const [head = '', ...rows] = table.trim().split('\n');
  const columns = head.trim().split(/ {2,}/);
  expect(columns).toEqual(Object.keys(requests));
  return rows.flatMap((line) => {
    const [row = '', ...outcomes] = line.split(/ {2,}/);
    return columns.flatMap((column, at) => {
      const expected = outcomes[at] ?? '';
      if (expected === '-') return [];
      const ownInstance = needsOwnInstance.includes(row);
      // A plan of one project requests the project before the job does.
      const later = ownInstance && column === 'project' ? { nth: 2, times: 1_000_000 } : {};
      const match = { ...requests[column], ...later };
      return [
        {
          row,
          column,
          expected,
          match,
          // A download breaks before its first byte; resumed downloads have their own test.
          action: actionOf(row, column === 'download' ? 0 : 90, elsewhere),
          ownInstance,
          newToken: ownInstance && row !== 'HTTP 429',
        },
      ];
    });
  });
}

function outcomeOf({ state }: Job): string {
  if (state.status === 'failed') return state.error.code;
  if (state.status === 'waiting') return `waits: ${state.reason}`;
  if (state.status !== 'succeeded') return state.status;
  return ['stored', ...state.warnings.map(({ code }) => code)].join(': ');
}

/**
 * Only these errors leave open whether the server started an export. The server then reports none, so the request is
 * sent three times.
 */
const ambiguousErrors = ['timeout', 'server-error', 'not-gitlab', 'redirect-refused', 'connection-lost'];

/** Returns how often the first run requests an export. */
function expectedExportRequests({ row, column, expected }: Cell): number {
  if (['project', 'state', 'counts'].includes(column) && expected !== 'stored') return 0;
  if (column === 'request' && ambiguousErrors.includes(expected)) return 3;
  // A finished export that is gone is requested again.
  return row === 'HTTP 404' && column === 'download' ? 2 : 1;
}

it('a server fault is reported with its own error code, damages nothing, and the next run repairs its effect', async () => {
  const scene = await FaultScene.open();
  const cells = await scene.prepare(cellsOf(scene.otherOrigin.url));
  const first = await scene.run('rate-limited');

  expect(cells.map(({ row, column, project }) => [row, column, outcomeOf(first.jobOf(project))])).toEqual(
    cells.map(({ row, column, expected }) => [row, column, expected]),
  );
  for (const { row, column, project } of cells) {
    const { state } = first.jobOf(project);
    if (state.status !== 'failed') continue;
    const { what, todo } = errorText(state.error);
    expect(`${what} ${todo}`, `${row} / ${column}`).not.toMatch(/undefined|null|"\?"|NaN/);
    if (state.error.code === 'project-missing') expect(what).toContain(project);
  }

  const before = readStoredState(scene.world.dataDir);
  const paths = (matches: (cell: Cell) => boolean): string[] =>
    cells
      .filter(matches)
      .map(({ project }) => project)
      .sort();
  expect(before.manifests.map(({ project }) => project.fullPath).sort()).toEqual(
    paths(({ expected }) => expected.startsWith('stored')),
  );
  expect(before.parts).toEqual([]);
  // Only unusable downloads are kept, for inspection.
  const trashedProjects = new Set(before.trash.map((file) => file.split('/').slice(2, -1).join('/')));
  expect([...trashedProjects].sort()).toEqual(paths(({ expected }) => expected === 'archive-corrupt'));

  // The sandbox refuses a second export while one runs.
  const exportRequests = cells.map((cell) => ({
    ...cell,
    statuses: scene.exportRequestStatuses(cell.project),
  }));
  expect(exportRequests.filter(({ statuses }) => statuses.includes(400))).toEqual([]);
  const counted = exportRequests.filter(({ row }) => row !== 'HTTP 429');
  expect(counted.map(({ row, column, statuses }) => [row, column, statuses.length])).toEqual(
    counted.map((cell) => [cell.row, cell.column, expectedExportRequests(cell)]),
  );
  expect(new Set(scene.otherOrigin.sent.map(({ url }) => url.split('/').slice(-2).join('/')))).toEqual(
    new Set(['export/download']),
  );
  expect(JSON.stringify(scene.otherOrigin.sent)).not.toMatch(/private-token|authorization|glpat/i);

  await scene.removeFaults();
  const second = await scene.run(null);
  const failed = cells.filter(({ project }) => second.jobOf(project).state.status !== 'succeeded');
  expect(failed.map(({ row, column, project }) => [row, column, second.jobOf(project).state])).toEqual([]);
  const after = readStoredState(scene.world.dataDir);
  expect(after.parts).toEqual([]);
  expect(after.archives).toEqual(expect.arrayContaining(before.archives));
  // A job that waited for a limit may have resumed before the next run: then two jobs stored an archive.
  const stored = after.jobs.filter(({ state }) => state.status === 'succeeded').map(({ id }) => id);
  expect(after.manifests.map(({ jobId }) => jobId).sort()).toEqual(stored.sort());
});
