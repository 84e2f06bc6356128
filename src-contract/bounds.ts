/** @file Durations and number bounds that schemas, rules, the command line and the window share. */

/** The smallest and the largest allowed number. */
export interface Bounds {
  min: number;
  max: number;
}

/** Returns whether the value is an integer within the bounds. */
export const isIntegerWithin = (value: number | null, { min, max }: Bounds): value is number =>
  value !== null && Number.isInteger(value) && value >= min && value <= max;

export const dayMs = 86_400_000;

/** How many days an archive in the trash folder can be restored. */
export const trashDays = 7;

/** The allowed numbers in a plan's schedule and rule. */
export const planBounds = {
  minute: { min: 0, max: 59 },
  dayOfMonth: { min: 1, max: 31 },
  activeWithinDays: { min: 1, max: 3650 },
} as const;

/** How many projects one wave of a migration may have. */
export const waveSizeBounds = { min: 1, max: 5000 } as const;

/** How many jobs may run at once, over all instances. */
export const jobsAtOnceBounds = { min: 1, max: 8 } as const;

/** The longest name of a plan or a migration, in characters. */
export const maxNameLength = 60;

/** GitLab lists only this many of the newest failures of an import (gitlab-facts 5.5). */
export const maxListedFailures = 100;

/** The maximum number of failures whose state one call may change. */
export const maxSettledFailures = 5000;
