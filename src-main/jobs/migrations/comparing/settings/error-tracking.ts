/** @file The settings of error tracking, which a call of its own shows. Pure. */
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
