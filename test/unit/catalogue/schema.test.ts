/** @file The schema of a new catalogue is what all migrations together make, statement by statement. */
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrations } from '../../../src-main/catalogue/migrations.ts';
import { schema } from '../../../src-main/catalogue/schema.ts';

interface Contents {
  statements: { name: string; sql: string }[];
  rows: Record<string, unknown[]>;
}

/** What a database holds once these statements have run. */
function contentsAfter(sql: readonly string[]): Contents {
  const database = new Database(':memory:');
  try {
    database.function('fold', { deterministic: true }, String);
    for (const one of sql) database.exec(one);
    const statements = database
      .prepare(
        `SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite@_%' ESCAPE '@' ORDER BY rowid`,
      )
      .all() as Contents['statements'];
    const tables = database
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'`)
      .pluck()
      .all() as string[];
    const rows = Object.fromEntries(
      tables.map((table) => [table, database.prepare(`SELECT * FROM "${table}"`).all()]),
    );
    return { statements, rows };
  } finally {
    database.close();
  }
}

const migrated = contentsAfter(migrations.map(({ sql }) => sql));

test('the file of the schema is the one that the migrations make; "npx vitest run -u --project unit schema" writes it', async () => {
  const text = migrated.statements.map(({ sql }) => `${sql};`).join('\n');
  expect(text).not.toMatch(/[`\\]|\$\{/);
  await expect(
    `/** @file The schema of a new catalogue: what all migrations make. Written by its test, never by hand. */\n` +
      `export const schema = \`\n${text}\n\`;\n`,
  ).toMatchFileSnapshot('../../../src-main/catalogue/schema.ts');
});

test('a new catalogue has the tables, indexes, triggers, views and rows of one that took every step', () => {
  expect(contentsAfter([schema])).toEqual(migrated);
});
