/** @file Compares one import with its archive, like in a migration but without the source. */
import type { Reconciliation } from '../../../../../src-contract/transfers/import.ts';
import { AppError } from '../../../../../src-contract/errors.ts';
import type { RecordIndex } from '../../../../archive/records/record-index.ts';
import type { ImportComparisonPort } from '../../../../jobs/ports.ts';
import { historyDuringImport } from '../../../../jobs/migrations/comparing/comparison-history.ts';
import { countsOfListed } from '../../../../jobs/migrations/comparing/three-way-comparison.ts';
import { withSmallHeap } from '../../../../platform/memory.ts';
import { parseTime, type Clock } from '../../../../platform/clock.ts';
import { readArchivedProject } from './archived-records.ts';
import { countingRequests, expectedRequests, requestCounter } from '../comparison-progress.ts';
import { countTarget, countsOfTotals } from './counting-sides.ts';
import { fetchTarget } from './fetching-sides.ts';
import { compareContents } from './compare-contents.ts';
import { compareSides } from './compare-sides.ts';
import type { RecordAccess } from '../../../archives/record-access.ts';
import type { Connections } from '../../../instances/connections.ts';

export function createImportComparison(
  connections: Connections,
  records: RecordAccess,
  clock: Clock,
): ImportComparisonPort {
  return {
    async compare(
      { instance, projectId, archive, name, depth, failures, reconcileCounts },
      report,
      signal,
    ): Promise<Reconciliation> {
      const { path, inspection } = archive;
      const compareByIndex = async (index: RecordIndex | null): Promise<Reconciliation> => {
        const archiveRecords = index === null ? null : await readArchivedProject(index, signal);
        const onRequest = requestCounter(clock, expectedRequests(archiveRecords, depth, 'target'), report);
        const request = {
          ...{ instance, projectId, archive: archiveRecords, depth, signal },
          connect: (name: string) => countingRequests(connections.forInstance(name), onRequest),
        };
        const { target, counted } =
          depth === 'counts'
            ? await countTarget(request, null)
            : { target: await fetchTarget(request, null), counted: null };
        const createdAt = parseTime(target.details.project.createdAt) ?? 0;
        const noCounts = { before: null, after: null };
        // Records on the target that are newer than the import were added later.
        const moment = { requestedAt: createdAt, countsAround: () => noCounts, newestLabelId: null };
        const contents = compareContents(
          { source: null, archiveRecords, target, moment, inspection, depth },
          historyDuringImport,
        );
        return compareSides(
          await reconcileCounts(counted === null ? countsOfListed(target.listed) : countsOfTotals(counted)),
          {
            ...{
              archiveRecords,
              inspection,
              failures,
              target,
              requestedName: name,
              overrides: {},
              sourceSettings: {},
              visibilityLimits: null,
              isArchivedByUs: false,
            },
            ...{ ...historyDuringImport, depth, totals: counted?.totals ?? null },
            ...{ moment, contents, source: null, noSourceReason: null, archivedSettings: null },
          },
          null,
          [],
        );
      };
      if (depth === 'counts') return compareByIndex(null);
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
