/** @file The words for the retention of a plan, and for why an archive is kept or removed. */
import type { Retention, RetentionReason } from '../../plans/plan.ts';
import { mapPeriods, retentionPeriods, unitOf } from '../../plans/retention-periods.ts';
import { pluralize } from '../counted.ts';

/** Returns for example "keeps the newest 7 and one per month for 12 months". */
export function retentionText(retention: Retention): string {
  const { keepLast, withinDays } = retention;
  const kept = [
    ...(keepLast === null ? [] : [keepLast === 1 ? 'the newest' : `the newest ${keepLast}`]),
    ...(withinDays === null ? [] : [`everything of the last ${pluralize(withinDays, 'day')}`]),
    ...retentionPeriods.flatMap((period) => {
      const limit = retention[period];
      return limit === null ? [] : [`one per ${unitOf(period)} for ${pluralize(limit, unitOf(period))}`];
    }),
  ];
  const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });
  return kept.length === 0 ? 'keeps all archives' : `keeps ${list.format(kept)}`;
}

/** Returns the retention in a few words for a table, for example "newest 7, 12 monthly". */
export function retentionSummary(retention: Retention): string {
  const { keepLast, withinDays } = retention;
  const kept = [
    ...(keepLast === null ? [] : [`newest ${keepLast}`]),
    ...(withinDays === null ? [] : [pluralize(withinDays, 'day')]),
    ...retentionPeriods.flatMap((period) =>
      retention[period] === null ? [] : [`${retention[period]} ${period}`],
    ),
  ];
  return kept.length === 0 ? 'all' : kept.join(', ');
}

/** Why an archive is kept or removed. */
export const retentionReasonText: Record<RetentionReason, string> = {
  'among-newest': 'One of the newest',
  recent: 'Stored within the days for which everything is kept',
  ...mapPeriods((period) => `The last one of its ${unitOf(period)}`),
  'more-complete': 'Its contents are better than those of the newer archives that would replace it',
  'more-proven': 'It has a stronger proof than the newer archives that would replace it',
  'no-limit': 'The plan keeps all archives',
  pinned: 'It is pinned',
  'in-use': 'A job is using it',
  'dated-ahead': 'Its date is in the future, so its age is unknown',
  'taken-in': 'It was adopted, or found on the instance, less than 30 days ago',
  elsewhere: 'It is in another folder than the archives of this plan',
  'other-plan': 'Another plan for this project keeps it',
  'newest-readable': 'The newest readable archive is always kept',
  'newest-not-readable': 'The newest archive cannot be read, so no archive of the project is removed',
  'newest-damaged': 'The newest archive is damaged, so no archive of the project is removed',
  'newest-shrank': 'The newest archive is suspiciously small, so no archive of the project is removed',
  'beyond-limits': 'No limit keeps it',
};
