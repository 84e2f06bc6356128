/** @file The settings of error tracking and approvals, which calls of their own show. Pure. */
import { isFields } from '../contents/field-readers.ts';
import type { ArchivedSettings, Attributes } from './setting-table.ts';

const isSet = (settings: unknown): boolean =>
  isFields(settings) && Object.values(settings).some((value) => typeof value === 'string');

/** Returns whether the archive has settings of error tracking, or the source shows some. */
export const hasErrorTracking = (archive: ArchivedSettings | null, source: Attributes | null): boolean =>
  isSet(archive?.error_tracking_setting) || isSet(source?.['error_tracking']);

/** Returns a sentence if the target does not show the archived settings of error tracking. */
export const describeErrorTracking = (archive: ArchivedSettings | null, target: Attributes): string[] =>
  hasErrorTracking(archive, null) && target['error_tracking'] === undefined
    ? [
        'Error tracking was not compared, because the target was not asked for it, or does not show it to the account.',
      ]
    : [];

/** Columns of `tree/project.json`, with the value in new projects. */
const approvalDefaults = {
  reset_approvals_on_push: true,
  disable_overriding_approvers_per_merge_request: false,
  merge_requests_author_approval: false,
  merge_requests_disable_committers_approval: false,
  require_password_to_approve: false,
};

/** Returns a sentence if the archive has settings of approvals that the target does not show. */
export const describeApprovals = (archive: ArchivedSettings | null, target: Attributes): string[] =>
  target['approvals'] === undefined &&
  Object.entries(approvalDefaults).some(([name, value]) => (archive?.project?.[name] ?? value) !== value)
    ? [
        'The settings of approvals were not compared, because the target was not asked for them, or shows them on Premium to Maintainers only.',
      ]
    : [];
