import type { Migration } from './migration.ts';

/** Each request that may have changed something on an instance. Rows outlive their job and their instance, and never change. */
export const writeRequests: Migration = {
  version: 5,
  sql: `
    CREATE TABLE write_requests (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      instance TEXT NOT NULL,
      job TEXT,
      at INTEGER NOT NULL,
      method TEXT NOT NULL,
      path TEXT NOT NULL,
      status INTEGER
    ) STRICT;
    CREATE INDEX write_requests_by_instance ON write_requests (instance, id);
    CREATE INDEX write_requests_by_job ON write_requests (job, id) WHERE job IS NOT NULL;
  `,
};
