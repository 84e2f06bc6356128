/** @file Compares one import with its archive, like in a migration but without the source. */
import type { Reconciliation } from '../../../../../src-contract/transfers/import.ts';
import { AppError } from '../../../../../src-contract/errors.ts';
import { projectSettings } from '../../../../archive/records/project-attributes.ts';
import type { RecordIndex } from '../../../../archive/records/record-index.ts';
import type { ImportComparisonPort } from '../../../../jobs/ports.ts';
import { hasErrorTracking } from '../../../../jobs/migrations/comparing/settings/error-tracking.ts';
import { countsOfListed } from '../../../../jobs/migrations/comparing/three-way-comparison.ts';
import { withSmallHeap } from '../../../../platform/memory.ts';
import { parseTime, type Clock } from '../../../../platform/clock.ts';
import { readArchivedProject } from './archived-records.ts';
import { countingRequests, expectedRequests, requestCounter } from '../comparison-progress.ts';
import { visibilityLimitsOf } from '../visibility-limits.ts';
import { countTarget, countsOfTotals } from './counting-sides.ts';
import { fetchTarget } from './fetching-sides.ts';
import { sourceChange } from '../export-moment.ts';
import { compareContents } from './compare-contents.ts';
import { compareSides } from './compare-sides.ts';
import type { Sides } from './compared-sides.ts';
import type { RecordAccess } from '../../../archives/record-access.ts';
import type { Connections } from '../../../instances/connections.ts';

export function createImportComparison(
  connections: Connections,
  records: RecordAccess,
  clock: Clock,
): ImportComparisonPort {
  return {
    async compare(imported, report, signal): Promise<Reconciliation> {
      const { instance, projectId, depth, importedAt, history, failures, overrides, settingsMayBeEdited } =
        imported;
      const { path, inspection } = imported.archive;
      const compareByIndex = async (index: RecordIndex | null): Promise<Reconciliation> => {
        const archivedSettings = index === null ? null : await projectSettings(index);
        const archiveRecords =
          index === null || depth === 'counts' ? null : await readArchivedProject(index, signal);
        const onRequest = requestCounter(clock, expectedRequests(archiveRecords, depth, 'target'), report);
        const request = {
          ...{ instance, projectId, archive: archiveRecords, depth, signal },
          connect: (name: string) => countingRequests(connections.forInstance(name), onRequest),
        };
        const expected = { wiki: false, errorTracking: hasErrorTracking(archivedSettings, null) };
        const { target, counted } =
          depth === 'counts'
            ? await countTarget(request, importedAt)
            : { target: await fetchTarget(request, importedAt, expected), counted: null };
        const createdAt = parseTime(target.details.project.createdAt) ?? 0;
        const noCounts = { before: null, after: null };
        // Records on the target that are newer than the import were added later.
        const moment = { requestedAt: createdAt, countsAround: () => noCounts, newestLabelId: null };
        const change = sourceChange(null, moment, null);
        const remote = request.connect(instance);
        const sides: Sides = {
          ...{ ...history, depth, moment, archiveRecords, inspection, failures, target },
          ...{ source: null, noSourceReason: null, sourceSettings: {}, isArchivedByUs: false },
          // A listed failure prevents `reconciled`, so a full list needs no other sentence.
          unlistedFailures: { hasUnlisted: false, unlistedCount: null },
          ...{ archivedSettings, overrides, settingsMayBeEdited, requestedName: imported.name },
          visibilityLimits: await visibilityLimitsOf(remote, archivedSettings, target, signal),
          totals: counted?.totals ?? null,
          contents: compareContents(
            { source: null, archiveRecords, target, moment, inspection, depth },
            change,
            history,
          ),
        };
        const counts = counted === null ? countsOfListed(target.listed) : countsOfTotals(counted);
        return compareSides(await imported.compareCounts(counts), sides, change);
      };
      let isOpen = false;
      const comparison = await records
        .withFileIndex(path, signal, (index) => {
          isOpen = true;
          return withSmallHeap(() => compareByIndex(index));
        })
        .catch((thrown: unknown) => {
          // The records of a removed archive cannot be read, but its counts are still known.
          if (isOpen || signal.aborted) throw AppError.from(thrown);
          return null;
        });
      return comparison ?? compareByIndex(null);
    },
  };
}
