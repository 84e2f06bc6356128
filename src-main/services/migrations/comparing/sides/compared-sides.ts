/** @file The three sides of a project, as far as a comparison knows them. */
import type { VisibilityLimits } from '../../../../jobs/migrations/imported-visibility.ts';
import type { UnlistedFailures } from '../../../../../src-contract/migrations/failure.ts';
import type { Inspection } from '../../../../../src-contract/archives/archive.ts';
import type { ChosenDepth } from '../../../../../src-contract/transfers/import.ts';
import type { RecordTotals } from '../../../../gitlab/projects/record-totals.ts';
import type { UnconfirmedCount } from '../../../../jobs/migrations/comparing/unknown/trusted-counts.ts';
import type { ComparisonHistory } from '../../../../jobs/migrations/comparing/comparison-history.ts';
import type { differingSettings } from '../../../../jobs/migrations/comparing/settings/differing-settings.ts';
import type { SourceSettings } from '../../../../jobs/migrations/comparing/settings/source-settings.ts';
import type { ChangedContents } from '../../../../jobs/migrations/comparing/contents/content-differences.ts';
import type { SourceSide, TargetSide, ArchiveSide } from './fetching-sides.ts';
import type { ExportMoment } from '../export-moment.ts';

export interface Sides extends ComparisonHistory {
  moment: ExportMoment;
  archiveRecords: ArchiveSide;
  archivedSettings: Parameters<typeof differingSettings>[0]['archive'];
  inspection: Pick<Inspection, 'bundles' | 'relations' | 'uploads' | 'lfsObjects' | 'lfsBytes'>;
  failures: readonly { relation: string | null; line: number | null }[];
  unlistedFailures: UnlistedFailures;
  /** Null if the source was not read: the import is outside a migration, or `noSourceReason` gives the reason. */
  source: SourceSide | null;
  noSourceReason: string | null;
  target: TargetSide;
  depth: ChosenDepth;
  /** The numbers of the target if only numbers are compared; null for a greater depth, which lists the records. */
  totals: RecordTotals['totals'] | null;
  /** Counts around the export that a comparison of numbers could not confirm. */
  unconfirmed?: readonly UnconfirmedCount[];
  /** Null if contents are not compared, or the records of the archive cannot be read one by one. */
  contents: ChangedContents | null;
  /** Values on the source of settings that earlier comparisons found to be lost on export. */
  sourceSettings: SourceSettings;
  /** The settings that the request replaced; null if they are not known. */
  overrides: Readonly<Record<string, string>> | null;
  /** True if somebody may have edited settings of the target, so that one that differs is not called lost. */
  settingsMayBeEdited: boolean;
  /** Null if the target is not less visible than its archive. */
  visibilityLimits: VisibilityLimits | null;
  /** The requested name of the target; null if none was requested. */
  requestedName: string | null;
  /** Whether a migration archived the source before its export, and unarchives the target. */
  isArchivedByUs: boolean;
}

/** Returns the uploads in the archive; null if the index does not name them. */
export const archivedUploads = ({ archiveRecords, inspection }: Sides) =>
  archiveRecords === null || (archiveRecords.uploads.length === 0 && inspection.uploads > 0)
    ? null
    : archiveRecords.uploads;
