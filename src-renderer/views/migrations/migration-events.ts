/** @file The events after which the data of a migration is requested again. */

export const migrationEvents = {
  reloadOn: ['migration.changed', 'job.changed'],
  minIntervalMs: 1000,
} as const;
