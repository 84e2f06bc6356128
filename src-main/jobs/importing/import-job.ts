/**
 * @file The job that imports one archive, exactly once, and compares the result.
 *
 * [Note: POST is not idempotent] If the outcome of the request is unknown, the target is checked (path, id watermark,
 * creator, time) before the request is sent again.
 */
import type { Finding, Inspection } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import {
  isArrivalUnknown,
  lacksOnlyContents,
  type ImportStatus,
} from '../../../src-contract/transfers/import.ts';
import { agreementText } from '../../../src-contract/words/depths.ts';
import type { ImportInput, ImportResult } from '../../../src-contract/runs/job.ts';
import { importResultSchema } from '../../../src-contract/runs/job-schema.ts';
import { assertLayoutAccepted } from '../../../src-contract/archives/legacy-layout.ts';
import type { Intent } from '../running/ambiguity.ts';
import { compare, explain, waitForImport } from './import-follow.ts';
import {
  comparedSchema,
  finishedSchema,
  inputOf,
  preparedOf,
  preparedSchema,
  sentSchema,
  type PreparedImport,
  type SentImport,
} from './import-outputs.ts';
import {
  isSameImport,
  findAmbiguousImport,
  findOrphanedImport,
  unknownImportError,
  waitForEarlierImport,
} from './lost-import.ts';
import {
  missingRecordText,
  settingDifferenceText,
  withLoss,
} from '../../../src-contract/words/differences.ts';
import { upperFirst } from '../../../src-contract/words/first-letter.ts';
import { unreadTargetText } from './unknown-sides.ts';
import { overrideWarnings } from './override-answers.ts';
import { projectAt, findImportedProject } from './new-project.ts';
import { readOrFail } from '../running/known-unreadable.ts';
import { sendOnce } from '../running/send-once.ts';
import {
  done,
  uploadProgress,
  warning,
  type JobDefinition,
  type Outcome,
  type StepContext,
} from '../running/step.ts';

const targetOf = (input: ImportInput): string => `${input.namespace}/${input.path}`;

/** Inspects the local archive. Returns null if there is none. Throws `archive-changed`. */
async function inspectArchive(context: StepContext, input: ImportInput): Promise<Inspection | null> {
  if (input.archivePath === null) return null;
  const inspection = await context.ports.archives.inspect(input.archivePath, context.signal);
  if (inspection.sha256 === input.sha256) return inspection;
  throw new AppError('archive-changed', `${input.archivePath} is no longer the file that was chosen.`);
}

async function prepare(context: StepContext): Promise<Outcome> {
  const { instance } = context.ports;
  const input = inputOf(context);
  const inspection = await inspectArchive(context, input);
  const server = await instance.serverInfo(context.signal);
  const layoutWarning = inspection === null ? null : assertLayoutAccepted(inspection, server.version);
  const readTarget = <T>(read: () => Promise<T>): Promise<T> =>
    readOrFail(context, input.knownUnreadable, read);
  if (!(await readTarget(() => instance.namespaceExists(input.namespace, context.signal)))) {
    throw new AppError('namespace-missing', `There is no namespace ${input.namespace}.`, {
      details: { namespace: input.namespace },
    });
  }
  const existing = await readTarget(() => projectAt(context, targetOf(input)));
  if (existing !== null && !input.overwrite) {
    const orphaned = findOrphanedImport(context, input, existing);
    if (orphaned !== null) {
      const { prepared, projectId, at } = orphaned;
      context.ports.failures.moveToImportJob(orphaned.jobId, context.job.id);
      return done(
        { ...prepared, inspection, lost: null, takenUp: { projectId, at } } satisfies PreparedImport,
        `The project at ${targetOf(input)} comes from an earlier import of the same archive. This job follows that import.`,
      );
    }
    throw new AppError('path-taken', `There is already a project at ${targetOf(input)}.`, {
      details: { project: targetOf(input), projectId: existing.id, replaceable: true },
    });
  }
  const ambiguous = input.overwrite ? findAmbiguousImport(context) : null;
  if (ambiguous !== null && isSameImport(ambiguous.input, input)) {
    return done(
      { ...ambiguous.prepared, inspection, lost: ambiguous.intent } satisfies PreparedImport,
      `An import of the same archive to ${targetOf(input)} was sent, but the response was lost. Checking whether it arrived.`,
    );
  }
  const wait = ambiguous === null ? null : await waitForEarlierImport(context, ambiguous);
  if (wait !== null) return wait;
  const target = `The target ${targetOf(input)} is ${existing === null ? 'free' : 'to be replaced'}.`;
  const prepared: PreparedImport = {
    watermark: await instance.highestProjectId(context.signal),
    userId: await instance.userId(context.signal),
    clockSkewMs: server.clockSkewMs ?? 0,
    inspection,
    replaces: existing?.id ?? null,
    lost: null,
    takenUp: null,
  };
  return done(prepared, layoutWarning === null ? target : `${target} ${layoutWarning}`);
}

async function request(context: StepContext, input: ImportInput): Promise<ImportStatus> {
  const { instance, secrets } = context.ports;
  const { source, namespace, path, name, overwrite, overrideParams, archivePath, sha256, sizeBytes } = input;
  const target = { namespace, path, name, overwrite, overrideParams };
  switch (source.kind) {
    case 'url': {
      const from = { url: secrets.importUrl(source.secret) };
      return instance.importRemote({ ...target, from }, context.signal);
    }
    case 's3': {
      const from = { ...(await secrets.storage(source.storage)), key: source.key };
      return instance.importRemote({ ...target, from }, context.signal);
    }
    case 'file': {
      if (archivePath === null || sha256 === null || sizeBytes === null) {
        throw new AppError('internal', 'The import has no archive.');
      }
      const upload = { ...target, archivePath, sha256, sizeBytes };
      return instance.importFile(upload, uploadProgress(context, sizeBytes), context.signal);
    }
  }
}

async function send(context: StepContext): Promise<Outcome> {
  const input = inputOf(context);
  const { takenUp } = preparedOf(context);
  if (takenUp !== null) {
    const output = { ...takenUp, at: context.clock.now() } satisfies SentImport;
    return done(output, 'Nothing was sent: this job follows the earlier import.');
  }
  return sendOnce<SentImport>(context, {
    requestName: 'import request',
    action: 'import',
    async send() {
      const { projectId } = await request(context, input);
      return { projectId, at: context.clock.now() };
    },
    find: (intent) => findSentImport(context, input, intent),
    inheritedIntent: preparedOf(context).lost,
    // GitLab would accept a second request and replace the project that the first request created.
    getUnknownOutcomeError: input.overwrite ? () => unknownImportError(input, context.job.id) : undefined,
  });
}

/** Returns the project that the request created, or null. Throws if only some of path, id, creator and time match. */
async function findSentImport(
  context: StepContext,
  input: ImportInput,
  { intentAt }: Intent,
): Promise<SentImport | null> {
  const found = await findImportedProject(context, input, preparedOf(context), intentAt);
  return found === null ? null : { projectId: found.id, at: context.clock.now() };
}

export const importJob: JobDefinition = {
  kind: 'import',
  steps: [
    { name: 'prepare', run: prepare },
    { name: 'send', run: send },
    { name: 'wait', run: waitForImport },
    { name: 'explain', run: explain },
    { name: 'compare', run: compare },
  ],
  toResult(outputs) {
    const sent = sentSchema.parse(outputs['send']);
    const finished = finishedSchema.parse(outputs['wait']);
    const compared = comparedSchema.parse(outputs['compare']);
    const result: ImportResult = importResultSchema.parse({
      projectId: sent.projectId,
      fullPath: finished.fullPath,
      webUrl: compared.webUrl,
      correlationId: finished.correlationId,
      failures: outputs['explain'],
      reconciliation: compared.reconciliation,
      notTaken: compared.notTaken,
    });
    return {
      result,
      warnings: warningsOf(result, {
        ...compared,
        withoutArchive: preparedSchema.parse(outputs['prepare']).inspection === null,
      }),
    };
  },
};

interface ComparisonLimits {
  withoutArchive: boolean;
  isTargetUnread: boolean;
  comparedLater: boolean;
}

function warningsOf(
  result: ImportResult,
  { withoutArchive, isTargetUnread, comparedLater }: ComparisonLimits,
): Finding[] {
  const failed = result.failures.map(({ failure }): Finding => {
    const { relation, line, exceptionClass } = failure;
    const where = relation === null ? null : `${relation}:${line ?? '?'}`;
    return warning('relation-failed', `${relation ?? 'A relation'} failed: ${exceptionClass}.`, where);
  });
  const lost = result.reconciliation.rows.flatMap((row): Finding[] => {
    const { relation, verdict } = row;
    const counts = [row.source, row.archive, row.target].map((count) => count ?? '?').join(', ');
    const countsText = `${relation}: the counts of source, archive and target are ${counts}.`;
    if (!verdict.startsWith('lost'))
      return isArrivalUnknown(row) ? [warning('not-counted', countsText, relation)] : [];
    const notCounted = `${relation}: the target could not be counted.`;
    return [
      warning(verdict, countsText, relation),
      ...(isArrivalUnknown(row) ? [warning('not-counted', notCounted, relation)] : []),
    ];
  });
  const { missing, settings } = result.reconciliation;
  const missingRecords = missing
    .filter(({ relation }) => !lost.some(({ where }) => where === relation))
    .map((record): Finding => {
      const message = `${withLoss(missingRecordText(record), record.lost)}.`;
      return warning(`lost-${record.lost}`, message, record.relation);
    });
  const overridden = new Set(result.notTaken?.map(({ attribute }) => attribute));
  const differingSettings = settings
    .filter(({ attribute }) => !overridden.has(attribute))
    .map((setting): Finding => {
      const message = `${upperFirst(withLoss(settingDifferenceText(setting), setting.lost))}.`;
      return warning('setting-differs', message, setting.attribute);
    });
  const overrides = overrideWarnings(result.notTaken);
  const unread = isTargetUnread ? [warning('not-compared', unreadTargetText, null)] : [];
  // Otherwise the migration compares the contents afterwards.
  const leftOut =
    !comparedLater && lacksOnlyContents(result.reconciliation, result.failures.length)
      ? [warning('contents-not-compared', agreementText[result.reconciliation.depth].text, null)]
      : [];
  if (!withoutArchive)
    return [...failed, ...unread, ...lost, ...missingRecords, ...differingSettings, ...leftOut, ...overrides];
  const message = 'No archive was available, so the imported project was not compared.';
  return [...failed, warning('not-compared', message, null), ...overrides];
}
