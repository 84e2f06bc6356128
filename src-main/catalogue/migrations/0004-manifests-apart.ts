import type { Migration } from './migration.ts';

/**
 * Manifests stand in a table of their own. In the rows of `archives`, which is kept by key alone, each took a page of the
 * file beside its row; a table with row ids holds several in one page.
 */
export const manifestsApart: Migration = {
  version: 4,
  sql: `
    CREATE TABLE archive_manifests (
      archive TEXT PRIMARY KEY REFERENCES archives (id) ON DELETE CASCADE,
      manifest TEXT NOT NULL CHECK (json_valid(manifest))
    ) STRICT;
    INSERT INTO archive_manifests (archive, manifest) SELECT id, manifest FROM archives ORDER BY id;
    ALTER TABLE archives DROP COLUMN manifest;
  `,
};
