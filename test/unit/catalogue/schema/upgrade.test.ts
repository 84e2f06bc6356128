/** @file Older catalogues are upgraded with all their rows, or refused and left as they are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { openCatalogue } from '../../../../src-main/catalogue/database.ts';
import { copiesOf } from '../../../../src-main/catalogue/recovery/catalogue-copies.ts';
import { schema, type Schema } from '../../../../src-main/catalogue/schema/schema.ts';
import { backupStatuses } from '../../../../src-contract/projects/project.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let path: string;
const clock = new SteppedClock();
const openAs = (as: Schema) => openCatalogue({ path, clock, schema: as });
const open = () => openAs(schema);

beforeEach(() => {
  path = join(temporaryFolder(), 'catalogue.sqlite');
});

/** Inserts a row into every table. A column that is added later gets a value here, too. */
const rows = `
  INSERT INTO runs (id, kind, request, created_at) VALUES ('r1', 'backup', '{}', 1);
  INSERT INTO runs VALUES ('r2', 'export', '{}', 1, 'p1', 5, '{"count":0,"projects":[]}', NULL, '[]', '{"endsAt":9,"count":1,"known":1}');
  INSERT INTO runs VALUES ('r3', 'export', '{}', 1, 'p1', 6, NULL, 'paused', NULL, NULL);
  INSERT INTO jobs VALUES ('j1', 'r1', 'export', 'source', 'g/p', 'failed',
    '{"status":"failed","error":{"code":"internal","message":"m","retry":"never","details":{}}}', NULL, 2, 1, 2, 3, '{"a":1}', NULL);
  INSERT INTO run_jobs VALUES ('r1', 'j1');
  INSERT INTO job_steps VALUES ('j1', 'request', 2, 1, '{"memo":true}', 2, 'null');
  INSERT INTO job_events VALUES (7, 'j1', 1, 'queued', 'text');
  INSERT INTO write_requests VALUES (3, 'source', 'j1', 1, 'POST', '/projects', 201);
  INSERT INTO lease VALUES (1, 'boot', 'host', 1, '5', 6);
  INSERT INTO awaited VALUES ('boot', 'host', 1, '5', 6, 'r1', NULL);
  INSERT INTO dismissals VALUES ('job j1', 'item', 1);
  INSERT INTO plan_failures VALUES ('p1', 5, '{"code":"timeout","message":"m","retry":"later","details":{}}');
  INSERT INTO plan_projects VALUES ('p1', 4, 'g/p', 7, 'deleted', 'why');
  INSERT INTO plan_beginnings VALUES ('p1', 5, 'boot', 1, '5', 6, 'me');
  INSERT INTO absent_roots VALUES (3);
  INSERT INTO archives VALUES ('a1', 1, 'x.tar.gz', 'source', 'https://g', 1, 'g/p', 'ab', 3, '2026-01-01', 'sound',
    '{"level":"L2"}', NULL, 2, 1, '2025-12-31', 'g/p', 1, 1);
  INSERT INTO archive_manifests VALUES ('a1', '{"kept":true}');
  INSERT INTO project_rows (instance, id, url, path, path_key, name_key, archived, size, activity, may_export, standing)
    VALUES ('source', 1, 'https://g', 'g/p', 'g/p', 'p', 0, 5, '2026-01-02', 1, ${backupStatuses.indexOf('never')}),
      ('target', 1, 'https://t', 'T/p', 't/p', 'p', 1, NULL, NULL, 0, ${backupStatuses.indexOf('not-allowed')});
  INSERT INTO projects VALUES ('source', 1, 'g/p', 'P', '{}', 1), ('target', 1, 'T/p', 'P', '{}', 1);
  INSERT INTO project_lists VALUES ('source', 1);
  INSERT INTO migrations VALUES ('m1', 'Move', '{}', 'running', 1, 0);
  INSERT INTO migration_projects VALUES ('m1', 4, 'g/p', 1, '{}', 1, 'j1', 'j1', 'j1', 'j1', 'j1', 5, 1, 2, '{}');
  INSERT INTO migration_comparisons (migration_id, source_id, reconciliation)
    VALUES ('m1', 4, '{"reconciled":true,"missingCount":0,"settings":[]}');
  INSERT INTO migration_acceptances VALUES (9, 'm1', 4, '["uploads","on-import"]', 2, 'why', 1);
  INSERT INTO migration_retries VALUES ('m1', 4, 'j1', 1);
  INSERT INTO migration_runs VALUES ('m1', 1, 'import', 'r1');
  INSERT INTO migration_groups VALUES ('m1', 'new/group', 'private', 0, 'j1');
  INSERT INTO migration_finishes VALUES ('m1', 'r1');
  INSERT INTO migration_checks VALUES (3, 'm1', 1, '[]', '[]', '{}', 1);
  INSERT INTO migration_overrides VALUES (4, 'm1', 'finding', 'why', 1);
  INSERT INTO migration_project_checks VALUES ('m1', 4, 3, 4, 0);
  INSERT INTO import_failures VALUES (5, 'j1', 'target', 'g/p', 7, 'a1', 'x.tar.gz', 8, '2026-11-20', 'RuntimeError', 'm', 'source',
    'issues', 3, 1, 'accepted', 'note', 2, '{"iid":1}');
  INSERT INTO import_failure_gaps VALUES ('j1', 8, NULL);
  UPDATE migrations SET rests = 1;
`;

/**
 * SQL that reverts the tables of the next version to those of this one, if an upgrade changes any: ALTER TABLE runs
 * DROP COLUMN label, for example. Views and triggers do not matter, because they are replaced.
 */
const downgrades: Record<number, string> = {
  22: '',
  23: 'ALTER TABLE migration_comparisons DROP COLUMN depth',
};

const oldVersions = Object.keys(schema.upgrades).map(Number);

function edit<T>(work: (db: Database.Database) => T): T {
  const db = new Database(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const names = (db: Database.Database, type: string): string[] =>
  db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = ? AND name NOT LIKE 'sqlite%'`)
    .pluck()
    .all(type) as string[];

function content(): Record<string, unknown[]> {
  return edit((db) =>
    Object.fromEntries(names(db, 'table').map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all()])),
  );
}

function fill(as: Schema = schema): void {
  openAs(as).close();
  edit((db) => db.exec(rows));
}

/** Creates a catalogue of that version with rows, and with its own triggers and views. */
function fillOld(version: number): void {
  fill();
  edit((db) => {
    for (const type of ['trigger', 'view'])
      for (const name of names(db, type)) db.exec(`DROP ${type} ${name}`);
    db.exec('CREATE VIEW project_facts AS SELECT row, NULL AS backup, 0 AS standing FROM project_rows');
    db.exec('CREATE TRIGGER old AFTER DELETE ON runs BEGIN UPDATE project_rows SET standing = 0; END');
    for (const next of oldVersions.filter((each) => each >= version).reverse())
      db.exec(downgrades[next] ?? '');
    db.pragma(`user_version = ${version}`);
  });
}

/** Returns everything that affects statements, ignoring the order of columns and the layout of the SQL. */
function shape(): unknown {
  return edit((db) => ({
    version: db.pragma('user_version', { simple: true }),
    application: db.pragma('application_id', { simple: true }),
    tables: db
      .prepare(
        `SELECT t.name, t.wr, t.strict, c.name AS column, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
           FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c WHERE t.schema = 'main' AND t.type = 'table'
           ORDER BY t.name, c.name`,
      )
      .all(),
    references: Object.fromEntries(
      names(db, 'table').map((name) => [name, db.pragma(`foreign_key_list(${name})`)]),
    ),
    others: db
      .prepare(
        `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL ORDER BY type, name`,
      )
      .all(),
  }));
}

test('every table has a row in this test', () => {
  fill();
  const empty = Object.entries(content()).filter(([, stored]) => stored.length === 0);
  expect(empty).toEqual([]);
});

test.for(oldVersions)('a catalogue of version %i is opened with all its rows', (version) => {
  fillOld(version);
  const before = content();
  open().close();
  const after = content();
  expect(Object.keys(before).length).toBeGreaterThan(30);
  for (const [table, stored] of Object.entries(before)) {
    expect(after[table], table).toEqual(stored.map((row): unknown => expect.objectContaining(row as object)));
  }
});

test.for(oldVersions)('a catalogue of version %i gets the schema of a new catalogue', (version) => {
  open().close();
  const created = shape();
  path = join(temporaryFolder(), 'catalogue.sqlite');
  fillOld(version);
  open().close();
  expect(shape()).toEqual(created);
});

test('comparisons of version 23 keep their depth and their ref, and those without a depth have compared names at most', () => {
  fillOld(23);
  const stored = { reconciled: true, missingCount: 0, settings: [] };
  edit((db) => {
    db.exec(`INSERT INTO migration_projects (migration_id, source_id, source_path, wave, placement)
      VALUES ('m1', 5, 'g/q', 1, '{}')`);
    db.prepare(
      `INSERT INTO migration_comparisons (ref, migration_id, source_id, reconciliation) VALUES (7, 'm1', 5, ?)`,
    ).run(JSON.stringify({ ...stored, depth: 'contents' }));
  });
  open().close();
  const kept = { reconciled: 1, missing: 0, settings: 0 };
  expect(content()['migration_comparisons']).toMatchObject([
    { ref: 1, source_id: 4, depth: 'names', ...kept },
    { ref: 7, source_id: 5, depth: 'contents', ...kept },
  ]);
});

test('a catalogue older than the oldest supported version is refused, and stays unchanged', () => {
  fill();
  const oldest = Math.min(...oldVersions);
  edit((db) => db.pragma(`user_version = ${oldest - 1}`));
  const [before, folder] = [readFileSync(path), readdirSync(join(path, '..'))];
  const details = { version: oldest - 1, oldest };
  expect(open).toThrow(expect.objectContaining({ code: 'catalogue-foreign', details }));
  expect(readFileSync(path)).toEqual(before);
  expect(readdirSync(join(path, '..'))).toEqual(folder);
});

/** Returns the schema with one more version after it. */
const next = (last: Schema, upgrade: string, changes: Partial<Schema> = {}): Schema => ({
  ...last,
  ...changes,
  version: last.version + 1,
  upgrades: { ...last.upgrades, [last.version]: upgrade },
});

const addLabel = next(schema, `ALTER TABLE runs ADD COLUMN label TEXT NOT NULL DEFAULT 'none'`);
const fillLabel = next(addLabel, `UPDATE runs SET label = label || ' ' || id`);

test.for([...oldVersions, schema.version, addLabel.version])(
  'a catalogue of version %i gets only the later upgrades, one after the other',
  (version) => {
    fillOld(Math.min(version, schema.version));
    if (version === addLabel.version) openAs(addLabel).close();
    openAs(fillLabel).close();
    expect(content()['runs']).toMatchObject(['none r1', 'none r2', 'none r3'].map((label) => ({ label })));
  },
);

test('an upgrade replaces views and triggers, and the backup status follows the new rule', () => {
  fill();
  expect(content()['project_rows']).toMatchObject([
    { newest: 'a1', standing: backupStatuses.indexOf('incomplete') },
    {},
  ]);
  const incompleteIsGood = schema.viewsAndTriggers.replace(/WHEN a\.incomplete = 1 THEN \d/, '');
  openAs(next(schema, '', { viewsAndTriggers: incompleteIsGood })).close();
  expect(content()['project_rows']).toMatchObject([
    { newest: 'a1', standing: backupStatuses.indexOf('changed') },
    {},
  ]);
});

test('a catalogue is copied before it is upgraded, and three copies are kept', async () => {
  fill();
  const before = content();
  let last = schema;
  for (let round = 0; round < 5; round++) {
    await clock.advance(1000);
    last = next(last, `CREATE TABLE extra_${round} (id INTEGER) STRICT`);
    openAs(last).close();
  }
  const copies = copiesOf(path);
  expect(copies).toHaveLength(3);
  path = copies.at(-1) ?? '';
  expect(content()).toMatchObject(before);
  expect(Object.keys(content())).toEqual([...Object.keys(before), 'extra_0', 'extra_1']);
});

test('a catalogue that is opened often is copied once a day', async () => {
  open().close();
  expect(copiesOf(path)).toEqual([]);
  for (let hour = 0; hour < 60; hour++) {
    open().close();
    await clock.advance(3_600_000);
  }
  expect(copiesOf(path)).toHaveLength(3);
  const [newest] = copiesOf(path);
  open().close();
  expect(copiesOf(path)[0]).toBe(newest);
});

test.for([
  ['fails', 'CREATE TABLE extra (id INTEGER) STRICT; this is not SQL'],
  ['breaks a reference', 'CREATE TABLE extra (id INTEGER) STRICT; DELETE FROM runs'],
])('an upgrade that %s changes nothing', ([, sql]) => {
  fill();
  const [before, shapeBefore] = [content(), shape()];
  expect(() => openAs(next(schema, sql ?? ''))).toThrow(expect.objectContaining({ code: 'internal' }));
  expect([content(), shape()]).toEqual([before, shapeBefore]);
  open().close();
});
