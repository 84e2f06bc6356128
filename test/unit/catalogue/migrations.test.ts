import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { copiesOf } from '../../../src-main/catalogue/recovery/copies.ts';
import { openCatalogue } from '../../../src-main/catalogue/database.ts';
import { migrations } from '../../../src-main/catalogue/migrations.ts';
import type { Migration } from '../../../src-main/catalogue/migrations/migration.ts';
import { standings } from '../../../src-preload/contract/projects/project.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let path: string;
const clock = new SteppedClock();
const openAt = (list: readonly Migration[]) => openCatalogue({ path, clock, migrations: list });

beforeEach(() => {
  path = join(temporaryFolder(), 'catalogue.sqlite');
});

/** A row for every table, by the version that introduced it and as that version takes it. The next migration adds its own. */
const rowsOf: Record<number, string> = {
  1: `
    INSERT INTO runs (id, kind, request, created_at) VALUES ('r1', 'backup', '{}', 1);
    INSERT INTO jobs VALUES ('j1', 'r1', 'export', 'source', 'g/p', 'failed',
      '{"status":"failed","error":{"code":"internal","message":"m","retry":"never","details":{}}}', NULL, 2, 1, 2, 3, '{"a":1}', NULL);
    INSERT INTO run_jobs VALUES ('r1', 'j1');
    INSERT INTO job_steps VALUES ('j1', 'request', 2, 1, '{"memo":true}', 2, 'null');
    INSERT INTO job_events VALUES (7, 'j1', 1, 'queued', 'text');
    INSERT INTO lease VALUES (1, 'boot', 'host', 1, '5', 6);
    INSERT INTO archives (id, path, instance_name, instance_url, project_id, full_path, sha256, size_bytes, stored_at, verdict,
      proof, damaged, findings, pinned, manifest) VALUES ('a1', 'x.tar.gz', 'source', 'https://g', 1, 'g/p', 'ab', 3, '2026-01-01', 'sound', NULL, NULL, 0, 1, '{}');
    INSERT INTO projects VALUES ('source', 1, 'g/p', 'P', '{}', 1);
    INSERT INTO project_lists VALUES ('source', 1);
  `,
  2: `
    INSERT INTO project_rows (instance, id, url, path, path_key, name_key, archived, size, activity, may_export)
      VALUES ('target', 1, 'https://t', 'T/p', 't/p', 'p', 0, NULL, NULL, 1);
  `,
  3: `
    INSERT INTO runs (id, kind, request, created_at, plan_id, due_at, left_out) VALUES ('r3', 'export', '{}', 1, 'p1', 5, '{"count":0,"projects":[]}');
    INSERT INTO plan_failures VALUES ('p1', 5, '{"code":"timeout","message":"m","retry":"later","details":{}}');
  `,
  5: `
    INSERT INTO write_requests VALUES (3, 'source', 'j1', 1, 'POST', '/projects', 201);
  `,
  7: `
    INSERT INTO runs (id, kind, request, created_at, plan_id, due_at, skipped_why, notes) VALUES ('r7', 'export', '{}', 1, 'p1', 6, 'paused', '[]');
    INSERT INTO plan_projects VALUES ('p1', 4);
  `,
  8: `
    INSERT INTO runs (id, kind, request, created_at, plan_id, due_at, forecast) VALUES ('r8', 'export', '{}', 1, 'p1', 7, '{"endsAt":9,"count":1,"known":1}');
  `,
  9: `
    INSERT INTO migrations (id, name, draft, status, created_at) VALUES ('m1', 'Move', '{}', 'running', 1);
    INSERT INTO migration_projects (migration_id, source_id, source_path, wave, placement, import_job)
      VALUES ('m1', 4, 'g/p', 1, '{}', 'j1');
    INSERT INTO migration_comparisons (migration_id, source_id, reconciliation)
      VALUES ('m1', 4, '{"reconciled":true,"missingCount":0,"settings":[]}');
    INSERT INTO migration_retries (migration_id, source_id, job_id) VALUES ('m1', 4, 'j1');
    INSERT INTO migration_runs VALUES ('m1', 1, 'import', 'r1');
    INSERT INTO migration_checks (migration_id, at, blockers, missing_groups, report) VALUES ('m1', 1, '[]', '[]', '{}');
    INSERT INTO migration_groups (migration_id, path, visibility, place) VALUES ('m1', 'new/group', 'private', 0);
    INSERT INTO migration_finishes VALUES ('m1', 'r1');
    INSERT INTO migration_overrides VALUES ('m1', 'finding', 'why', 1);
    INSERT INTO import_failures (import_job, instance, project, project_id, server_id, created_at, exception_class, source,
      first_seen, changed_at) VALUES ('j1', 'target', 'g/p', 7, 8, '2026-11-20', 'RuntimeError', 'source', 1, 1);
    INSERT INTO import_failure_gaps VALUES ('j1', 8, NULL);
  `,
  10: `
    INSERT INTO plan_beginnings VALUES ('p1', 5, 'boot', 1, '5', 6, NULL);
  `,
  13: `
    INSERT INTO migration_acceptances (migration_id, source_id, difference, missing, note, at)
      VALUES ('m1', 4, '["uploads","on-import"]', 2, 'why', 1);
  `,
  17: `
    INSERT INTO absent_roots VALUES (3);
  `,
  18: `
    INSERT INTO awaited VALUES ('boot', 'host', 1, '5', 6, 'r1', NULL);
  `,
  21: `
    INSERT INTO dismissals VALUES ('job j1', 'item', 1);
  `,
};

function tables(db: Database.Database): Record<string, unknown[]> {
  const names = db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
    .pluck()
    .all() as string[];
  return Object.fromEntries(names.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all()]));
}

function content(): Record<string, unknown[]> {
  const db = new Database(path, { readonly: true });
  const all = tables(db);
  db.close();
  return all;
}

/** Goes through the versions in order, and puts the rows of each into it. */
function fillThrough(list: readonly Migration[]): void {
  for (const { version } of list) {
    openAt(list.slice(0, version)).close();
    const db = new Database(path);
    db.exec(rowsOf[version] ?? '');
    db.close();
  }
}

/** Columns that a migration takes out of their table; its own test says where they are. */
const movedIn: Record<number, Record<string, string[]>> = {
  4: { archives: ['manifest'] },
  17: { project_rows: ['standing'] },
  20: { project_rows: ['standing'] },
};

/** What must still be there after the migration to `version`. */
function kept(version: number, table: string, row: unknown): unknown {
  const moved = movedIn[version]?.[table] ?? [];
  const stays = Object.entries(row as object).filter(([column]) => !moved.includes(column));
  return expect.objectContaining(Object.fromEntries(stays));
}

const addColumn: Migration = {
  version: migrations.length + 1,
  sql: `ALTER TABLE runs ADD COLUMN label TEXT NOT NULL DEFAULT 'none'`,
};

test('migrations are numbered without a gap and each is a file of its own', () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
  const files = readdirSync('src-main/catalogue/migrations')
    .filter((name) => /^\d{4}-/.test(name))
    .sort();
  expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(migrations.map(({ version }) => version));
});

test('every table of the newest version has a row in this test', () => {
  fillThrough(migrations);
  const empty = Object.entries(content()).filter(([, rows]) => rows.length === 0);
  expect(empty).toEqual([]);
});

test.for([...migrations.slice(1), addColumn])(
  'migration $version keeps every row of the version before',
  (next) => {
    const list = [...migrations, addColumn];
    fillThrough(list.slice(0, next.version - 1));
    const before = content();
    openAt(list.slice(0, next.version)).close();
    const after = content();
    for (const [table, rows] of Object.entries(before)) {
      expect(after[table], table).toEqual(rows.map((row) => kept(next.version, table, row)));
    }
  },
);

test('a catalogue is copied before it is migrated, and three copies are kept', async () => {
  fillThrough(migrations);
  const before = content();
  const list = [...migrations];
  for (let round = 0; round < 5; round++) {
    await clock.advance(1000);
    list.push({ version: list.length + 1, sql: `CREATE TABLE extra_${round} (id INTEGER) STRICT` });
    openAt(list).close();
  }
  const copies = copiesOf(path);
  expect(copies).toHaveLength(3);
  path = copies.at(-1) ?? '';
  expect(content()).toMatchObject(before);
  expect(Object.keys(content())).toEqual([...Object.keys(before), 'extra_0', 'extra_1']);
});

test('a catalogue that is opened often is copied once a day', async () => {
  openAt(migrations).close();
  expect(copiesOf(path)).toEqual([]);
  for (let hour = 0; hour < 60; hour++) {
    openAt(migrations).close();
    await clock.advance(3_600_000);
  }
  expect(copiesOf(path)).toHaveLength(3);
  const [newest] = copiesOf(path);
  openAt(migrations).close();
  expect(copiesOf(path)[0]).toBe(newest);
});

test.for([
  ['fails', 'CREATE TABLE extra (id INTEGER) STRICT; this is not SQL'],
  ['breaks a reference', 'CREATE TABLE extra (id INTEGER) STRICT; DELETE FROM runs'],
])('a migration that %s changes nothing', ([, sql]) => {
  fillThrough(migrations);
  const before = content();
  const bad = { version: migrations.length + 1, sql: sql ?? '' };
  expect(() => openAt([...migrations, bad])).toThrow(expect.objectContaining({ code: 'internal' }));
  expect(content()).toEqual(before);
  openAt(migrations).close();
});

test('projects listed before there were rows to sort them by get theirs, and what is held of them', () => {
  openAt(migrations.slice(0, 1)).close();
  const project = {
    webUrl: 'https://g.example/base/Grp/Żółw',
    archived: true,
    accessLevel: 30,
    lastActivityAt: '2026-01-01T02:00:00.000+01:00',
    repositorySizeBytes: 5,
  };
  const db = new Database(path);
  db.prepare(
    "INSERT INTO projects VALUES ('source', 7, 'Grp/Żółw', 'ŻÓŁW', ?, 1), ('source', 8, 'bare', 'b', '{}', 1)",
  ).run(JSON.stringify(project));
  const manifest = { sourceCounts: { before: { lastActivityAt: '2026-01-01T00:30:00Z' } } };
  db.prepare(
    `INSERT INTO archives VALUES ('a1', 'x.tar.gz', 'source', 'https://g.example/base', 7, 'Grp/Żółw', 'ab', 3,
       '2026-02-01T00:00:00.000Z', 'sound', NULL, NULL, 0, 1, ?)`,
  ).run(JSON.stringify(manifest));
  db.close();
  openAt(migrations).close();
  const { project_rows: rows, archives } = content();
  expect(rows).toMatchObject([
    {
      id: 7,
      url: 'https://g.example/base',
      path_key: 'grp/żółw',
      name_key: 'żółw',
      archived: 1,
      size: 5,
      activity: '2026-01-01T01:00:00.000Z',
      may_export: 0,
      archives: 1,
      newest: 'a1',
      standing: standings.indexOf('changed'),
    },
    { id: 8, url: '', archived: 0, may_export: 1, standing: standings.indexOf('never') },
  ]);
  expect(archives).toMatchObject([{ id: 'a1', root: 0, source_activity: '2026-01-01T00:30:00.000Z' }]);
});

test('manifests move to a table of their own, and what follows from an archive still follows', () => {
  fillThrough(migrations.slice(0, 3));
  const db = new Database(path);
  db.exec(`UPDATE archives SET manifest = '{"kept":true}'; UPDATE project_rows SET url = 'https://g'`);
  const parts = "SELECT type, name, sql FROM sqlite_schema WHERE type <> 'table' ORDER BY type, name";
  const before = db.prepare(parts).all();
  db.close();
  const catalogue = openAt(migrations.slice(0, 4));
  expect(catalogue.all('SELECT * FROM archive_manifests')).toEqual([
    { archive: 'a1', manifest: '{"kept":true}' },
  ]);
  const after = catalogue.all(parts);
  expect(after).toEqual(expect.arrayContaining(before));
  expect(before.length).toBeGreaterThan(30);
  catalogue.run("UPDATE archives SET damaged = '{}'");
  expect(catalogue.get("SELECT newest, standing FROM project_rows WHERE instance = 'source'")).toEqual({
    newest: 'a1',
    standing: 0,
  });
  catalogue.run('DELETE FROM archives');
  expect(catalogue.get('SELECT newest, standing FROM project_rows')).toEqual({ newest: null, standing: 1 });
  expect(catalogue.all('SELECT * FROM archive_manifests')).toEqual([]);
  catalogue.close();
});

test('a new row is still judged by what is held of its id or path, and by the backups of its path', () => {
  fillThrough(migrations.slice(0, 5));
  const db = new Database(path);
  db.exec(
    `DELETE FROM project_rows; UPDATE jobs SET instance = 'new';
     UPDATE archives SET instance_url = 'https://t', project_id = -1, full_path = 'x/a'`,
  );
  db.close();
  const catalogue = openAt(migrations);
  const add = (id: number, place: string): void => {
    catalogue.run(
      `INSERT INTO project_rows (instance, id, standing, url, path, path_key, name_key, archived, size, activity, may_export)
         VALUES ('new', ?, ?, 'https://t', ?, '', '', 0, NULL, NULL, 1)`,
      id,
      standings.indexOf('never'),
      place,
    );
    catalogue.run("INSERT INTO projects VALUES ('new', ?, ?, '', '{}', 1)", id, place);
  };
  add(1, 'x/nothing');
  add(2, 'X/A');
  add(3, 'G/P');
  const rows = (): unknown => catalogue.all('SELECT id, newest, standing FROM project_rows ORDER BY id');
  const [nothing, byPath, failed] = [
    { id: 1, newest: null, standing: standings.indexOf('never') },
    { id: 2, newest: 'a1', standing: standings.indexOf('current') },
    { id: 3, newest: null, standing: standings.indexOf('failed') },
  ];
  expect(rows()).toEqual([nothing, byPath, failed]);
  catalogue.run('UPDATE archives SET project_id = 7');
  add(7, 'x/elsewhere');
  expect(rows()).toEqual([
    nothing,
    { id: 2, newest: null, standing: standings.indexOf('never') },
    failed,
    { id: 7, newest: 'a1', standing: standings.indexOf('current') },
  ]);
  catalogue.close();
});

test('archives that lack what their source had are marked, and their projects are incomplete from then on', () => {
  openAt(migrations.slice(0, 16)).close();
  const db = new Database(path);
  const add = (id: string, project: number, findings: { code: string }[]): void => {
    db.prepare(
      `INSERT INTO archives (id, path, instance_name, instance_url, project_id, full_path, sha256, size_bytes, stored_at,
         verdict, findings, pinned) VALUES (?, ?, 'source', 'https://g', ?, 'g/' || ?, 'ab', 3, '2026-01-01', 'sound', 0, 0)`,
    ).run(id, id, project, project);
    db.prepare('INSERT INTO archive_manifests VALUES (?, ?)').run(id, JSON.stringify({ findings }));
    db.prepare(
      `INSERT INTO project_rows (instance, id, url, path, path_key, name_key, archived, may_export)
         VALUES ('source', ?, 'https://g', 'g/' || ?, '', '', 0, 1)`,
    ).run(project, project);
    db.prepare("INSERT INTO projects VALUES ('source', ?, 'g/' || ?, '', '{}', 1)").run(project, project);
  };
  db.function('fold', (text) => String(text));
  add('whole', 1, [{ code: 'source-moved' }]);
  add('lacking', 2, [{ code: 'source-moved' }, { code: 'export-incomplete' }]);
  expect(db.prepare('SELECT standing FROM project_rows').pluck().all()).toEqual([4, 4]);
  db.close();
  openAt(migrations).close();
  const { project_rows: rows, archives } = content();
  expect(archives).toMatchObject([
    { id: 'lacking', incomplete: 1 },
    { id: 'whole', incomplete: 0 },
  ]);
  expect(rows).toMatchObject([
    { id: 1, standing: standings.indexOf('current') },
    { id: 2, standing: standings.indexOf('incomplete') },
  ]);
});
