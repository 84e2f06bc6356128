import type { Migration } from './migration.ts';

/** What was expected of the run of a plan when it began. */
export const runForecasts: Migration = {
  version: 8,
  sql: `
    -- {"endsAt", "count", "known"}; NULL where nothing was known, and for a run that somebody asked for.
    ALTER TABLE runs ADD COLUMN forecast TEXT CHECK (json_valid(forecast));
  `,
};
