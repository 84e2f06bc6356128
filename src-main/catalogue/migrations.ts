/**
 * @file The static list of migrations, oldest first. A migration that was released is never edited; a column is a new
 * one. All pending ones run in a single transaction with foreign keys off and checked before it commits.
 */
import { firstTables } from './migrations/0001-first-tables.ts';

export interface Migration {
  /** The catalogue's `user_version` afterwards: one more than that of the migration before. */
  version: number;
  sql: string;
}

export const migrations: readonly Migration[] = [firstTables];
