/** @file The steps after an import was accepted: waiting for its end, explaining failures, comparing. */
import type { RecordName } from '../../../src-contract/migrations/failure.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { ArchiveRecord, ProjectCounts } from '../../../src-contract/archives/archive.ts';
import type { FailureWithRecord, Reconciliation } from '../../../src-contract/transfers/import.ts';
import { z } from '../../../src-contract/schema.ts';
import { isoTime } from '../../platform/clock.ts';
import { provesArchive } from './archive-proof.ts';
import { comparisonHistory } from '../migrations/comparing/comparison-history.ts';
import { matchRecords } from './match-records.ts';
import type { comparedSchema } from './import-outputs.ts';
import { finishedSchema, importEnd, inputOf, preparedOf, sentSchema } from './import-outputs.ts';
import { hasOverrides, ignoredOverrides } from './override-answers.ts';
import { compareCounts } from './reconcile.ts';
import { needsToken } from '../running/retry.ts';
import { lacksOnlyContents } from '../../../src-contract/transfers/import.ts';
import { agreementText } from '../../../src-contract/words/depths.ts';
import { done, pollDelay, waitForServer, type Outcome, type StepContext } from '../running/step.ts';

/** `unfinishedAt` is the time of the last poll, at which the import was not finished. */
export const pollsSchema = z.object({ polls: z.number(), unfinishedAt: z.number().optional() });

/** Stores the failures at every poll, because the server lists only the newest hundred. */
export async function waitForImport(context: StepContext): Promise<Outcome> {
  const { instance } = context.ports;
  const sent = sentSchema.parse(context.outputs['send']);
  const { polls, unfinishedAt = sent.at } = pollsSchema.safeParse(context.memo).data ?? { polls: 0 };
  const polledAt = context.clock.now();
  const status = await instance.importStatus(sent.projectId, context.signal);
  const { archiveId, archivePath } = inputOf(context);
  const { id: importJob, instance: name, project } = context.job;
  const failures = context.ports.failures.addListed(
    { importJob, instance: name, project, projectId: sent.projectId, archiveId, archivePath },
    status.failures,
    context.clock.now(),
  );
  const elapsed = context.clock.now() - sent.at - context.unavailableMs;
  if (status.state === 'finished') {
    const { correlationId, fullPath } = status;
    return done(
      { correlationId, fullPath, failures, unfinishedAt } satisfies z.infer<typeof finishedSchema>,
      `The import is finished; ${failures.length === 1 ? '1 failed relation is' : `${failures.length} failed relations are`} listed.`,
    );
  }
  if (status.state === 'failed' || status.state === 'canceled') {
    throw new AppError(
      'import-failed',
      `The instance reports that the import ${status.state === 'failed' ? 'failed' : 'was canceled'}.`,
      {
        details: {
          serverMessage: status.error,
          project: status.fullPath,
          projectId: sent.projectId,
          correlationId: status.correlationId,
        },
      },
    );
  }
  if (status.state === 'none' && elapsed > instance.pace.graceMs) {
    throw new AppError('import-failed', 'The accepted import never started.', {
      details: { project: status.fullPath, projectId: sent.projectId },
    });
  }
  return waitForServer(context, {
    since: sent.at,
    ms: pollDelay(instance.pace, polls),
    text: `GitLab is importing (${status.state}).`,
    tooLate: `The import is still ${status.state} after its time limit.`,
    memo: { polls: polls + 1, unfinishedAt: polledAt } satisfies z.infer<typeof pollsSchema>,
  });
}

type CompareOutput = z.infer<typeof comparedSchema>;

/** Maximum number of comparison tries. After that the import is reported as not compared. */
const maxComparisons = 5;

export async function compare(context: StepContext): Promise<Outcome> {
  const { instance, archives } = context.ports;
  const input = inputOf(context);
  const { projectId, at } = sentSchema.parse(context.outputs['send']);
  const { inspection } = preparedOf(context);
  const { fullPath, failures, unfinishedAt = at } = finishedSchema.parse(context.outputs['wait']);
  const { archivePath, sha256 } = input;
  const manifest =
    archivePath === null || sha256 === null
      ? null
      : await archives.manifestOf(archivePath, sha256).catch(() => null);
  const source = manifest?.sourceCounts ?? null;
  const comparedAt = isoTime(context.clock.now());
  const comparedLater = input.comparedLater === true;
  try {
    const project = await instance.project(projectId, context.signal);
    const notTaken = await ignoredOverrides(context, projectId);
    const compareWithTarget = (counts: ProjectCounts): Reconciliation =>
      compareCounts(source, inspection, counts, comparedAt);
    const isCountsOnly = inspection === null || archivePath === null || comparedLater;
    const reconciliation = isCountsOnly
      ? compareWithTarget(await instance.counts(projectId, context.signal))
      : await context.ports.importComparison.compare(
          {
            ...{ instance: context.job.instance, projectId, failures, compareCounts: compareWithTarget },
            ...{
              archive: { path: archivePath, inspection },
              name: input.name,
              overrides: input.overrideParams,
              settingsMayBeEdited: false,
            },
            importedAt: importEnd(context.outputs),
            history: comparisonHistory(null, unfinishedAt, context.clock.now()),
            depth: input.compare ?? 'contents',
          },
          (count) => {
            context.reportProgress({ unit: 'requests', ...count });
          },
          context.signal,
        );
    // If GitLab fetched the file itself, it may differ from the local archive.
    const wasSent = input.source.kind === 'file';
    const canProve = wasSent && !comparedLater;
    if (provesArchive(reconciliation) && input.archiveId !== null && canProve) {
      const detail = `Imported as ${project.webUrl} and compared.`;
      await archives.addProof(input.archiveId, {
        level: 'L3',
        at: comparedAt,
        detail,
        contentsCompared: true,
      });
    }
    return compareOutcome(
      { webUrl: project.webUrl, reconciliation, notTaken, isTargetUnread: false, comparedLater },
      failures.length,
    );
  } catch (thrown) {
    const error = AppError.from(thrown);
    const canRetry = error.retry !== 'never' && context.attempt < maxComparisons;
    if (context.signal.aborted || needsToken(error) || canRetry) throw thrown;
    // The import is finished regardless of this failure. Relations that could not be compared are reported row by row.
    context.log(`The target could not be counted: ${error.message}`);
    const uncompared = compareCounts(source, inspection, null, comparedAt);
    const notTaken = hasOverrides(input) ? null : [];
    const webUrl = `${instance.url}/${fullPath}`;
    return compareOutcome(
      { webUrl, reconciliation: uncompared, notTaken, isTargetUnread: true, comparedLater },
      failures.length,
    );
  }
}

function compareOutcome(output: CompareOutput, failureCount: number): Outcome {
  const { reconciliation } = output;
  return done(
    output,
    reconciliation.reconciled || lacksOnlyContents(reconciliation, failureCount)
      ? agreementText[reconciliation.depth].text
      : 'The comparison found differences, or could not compare everything.',
  );
}

/** Reads the records behind the failures from the local archive. A failure without a line has no record. */
export async function explain(context: StepContext): Promise<Outcome> {
  const { failures } = finishedSchema.parse(context.outputs['wait']);
  const { archivePath } = inputOf(context);
  const withoutRecords = failures.map((failure): FailureWithRecord => ({ failure, record: null }));
  if (archivePath === null)
    return done(withoutRecords, 'No archive is available to read the failed records from.');
  try {
    const explained = await matchRecords(context.ports.archives, archivePath, failures, context.signal);
    const names = explained.flatMap(({ failure, record }) =>
      record === null ? [] : [[failure.id, nameOf(record)] as const],
    );
    context.ports.failures.setRecordNames(context.job.id, new Map(names));
    const recordsText =
      explained.length === 1
        ? 'the record behind 1 failure'
        : `the records behind ${explained.length} failures`;
    return done(explained, `Read ${recordsText}.`);
  } catch (thrown) {
    if (context.signal.aborted) throw thrown;
    // The archive may be gone by now; the failures are known without it.
    return done(withoutRecords, `The archive cannot be read: ${AppError.from(thrown).message}`);
  }
}

const maxNameLength = 255;

/** Returns the name of a record; null fields if the record is no object, or too long to be read completely. */
function nameOf({ value }: ArchiveRecord): RecordName {
  const fields =
    typeof value === 'object' && value !== null ? (value as Partial<Record<string, unknown>>) : {};
  const { iid, title, name, tag, ref } = fields;
  const found = [title, name, tag, ref].find((text) => typeof text === 'string');
  return {
    iid: typeof iid === 'number' && Number.isInteger(iid) ? iid : null,
    title: found?.slice(0, maxNameLength) ?? null,
  };
}
