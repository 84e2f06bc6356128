/** @file Recognises a catalogue by the version of its schema, creates a new one, and upgrades an older one. */
import type Database from 'better-sqlite3';
import { AppError } from '../../../src-contract/errors.ts';
import { refreshArchivesSql } from './project-status.ts';
import type { Schema } from './schema.ts';

/** "PkHr": distinguishes a catalogue from any other SQLite file. */
const applicationId = 0x506b4872;

/**
 * Returns the version of the schema in the file; 0 for an empty file. Throws `catalogue-newer`, and `catalogue-foreign`
 * for a file of another program and for a catalogue that is too old to be upgraded. Writes nothing.
 */
export function readSchemaVersion(db: Database.Database, schema: Schema): number {
  // One transaction: another process may be creating the catalogue right now.
  const { version, id, tables } = db.transaction(() => ({
    version: Number(db.pragma('user_version', { simple: true })),
    id: Number(db.pragma('application_id', { simple: true })),
    tables: db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get(),
  }))();
  if (id !== applicationId && (id !== 0 || version !== 0 || tables !== 0)) {
    throw new AppError(
      'catalogue-foreign',
      'The file at the path of the catalogue belongs to another program.',
    );
  }
  const newest = schema.version;
  if (version > newest) {
    const message = `The catalogue has version ${version}. This program knows versions up to ${newest}.`;
    throw new AppError('catalogue-newer', message, { details: { version, newest } });
  }
  if (version > 0 && version < newest && schema.upgrades[version] === undefined) {
    const oldest = Math.min(...Object.keys(schema.upgrades).map(Number), newest);
    const message = `The catalogue has version ${version}, which is older than the first release. This program opens version ${oldest} and later.`;
    throw new AppError('catalogue-foreign', message, { details: { version, oldest } });
  }
  return version;
}

/**
 * Creates the schema in an empty file, or upgrades an older one, in one transaction that changes nothing if it fails.
 */
export function upgradeSchema(db: Database.Database, schema: Schema): void {
  // Upgrades may replace tables that others refer to; references are checked before the commit.
  db.pragma('foreign_keys = OFF');
  db.transaction(() => {
    // Another process may have upgraded the file since the version was read; only now this process has the lock.
    const version = readSchemaVersion(db, schema);
    if (version === schema.version) return;
    if (version === 0) db.exec(schema.tables + schema.viewsAndTriggers);
    else upgrade(db, schema, version);
    const broken = db.prepare('PRAGMA foreign_key_check').all();
    if (broken.length > 0)
      throw new AppError('internal', 'An upgrade of the catalogue breaks references between tables.');
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${schema.version}`);
  }).immediate();
}

function upgrade(db: Database.Database, schema: Schema, from: number): void {
  const replaced = db.prepare(`SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'trigger')`).all();
  for (const { type, name } of replaced as { type: string; name: string }[])
    db.exec(`DROP ${type} "${name}"`);
  for (let version = from; version < schema.version; version++) db.exec(schema.upgrades[version] ?? '');
  db.exec(schema.viewsAndTriggers);
  // The views define the backup status, so all rows are updated.
  db.exec(refreshArchivesSql('SELECT row FROM project_rows'));
}
