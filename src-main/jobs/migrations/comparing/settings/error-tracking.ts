/** @file Whether a project has settings of error tracking, which a call of their own shows. Pure. */
import { isFields } from '../contents/field-readers.ts';
import type { ArchivedSettings, Attributes } from './setting-table.ts';

const isSet = (settings: unknown): boolean =>
  isFields(settings) && Object.values(settings).some((value) => typeof value === 'string');

/** Returns whether the archive has settings of error tracking, or the source shows some. */
export const hasErrorTracking = (archive: ArchivedSettings | null, source: Attributes | null): boolean =>
  isSet(archive?.error_tracking_setting) || isSet(source?.['error_tracking']);
