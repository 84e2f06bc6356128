import type { Migration } from './migration.ts';

/** Migrations of projects that have come to rest, so that looks for what is to be done do not read all of their projects again. */
export const migrationsAtRest: Migration = {
  version: 11,
  sql: `
    -- Nothing was left to do, and nothing of it changed since: whatever changes takes that back, in any process.
    ALTER TABLE migrations ADD COLUMN rests INTEGER NOT NULL DEFAULT 0 CHECK (rests IN (0, 1));
    CREATE INDEX migrations_tended ON migrations (id) WHERE status <> 'draft' AND rests = 0;

    CREATE TRIGGER migrations_status AFTER UPDATE OF status ON migrations BEGIN
      UPDATE migrations SET rests = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER migration_projects_added AFTER INSERT ON migration_projects BEGIN
      UPDATE migrations SET rests = 0 WHERE id = NEW.migration_id AND rests = 1;
    END;
    CREATE TRIGGER migration_projects_changed AFTER UPDATE ON migration_projects BEGIN
      UPDATE migrations SET rests = 0 WHERE id = NEW.migration_id AND rests = 1;
    END;
    CREATE TRIGGER migration_retries_added AFTER INSERT ON migration_retries BEGIN
      UPDATE migrations SET rests = 0 WHERE id = NEW.migration_id AND rests = 1;
    END;
    CREATE TRIGGER migration_groups_added AFTER INSERT ON migration_groups BEGIN
      UPDATE migrations SET rests = 0 WHERE id = NEW.migration_id AND rests = 1;
    END;
    CREATE TRIGGER migration_groups_changed AFTER UPDATE ON migration_groups BEGIN
      UPDATE migrations SET rests = 0 WHERE id = NEW.migration_id AND rests = 1;
    END;
  `,
};
