/**
 * @file The job that imports one archive into an instance, exactly once, and compares what arrived.
 *
 * [Note: POST is not idempotent] The intent is stored before the request; after any ambiguity the target is asked (path,
 * id watermark, creator, time) before anything is sent again (reliability: exactly-once import).
 */
import { z } from '../../src-preload/contract/schema.ts';
import { inspectionSchema, type Finding } from '../../src-preload/contract/archive.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import {
  failureSchema,
  reconciliationSchema,
  type ExplainedFailure,
  type Failure,
  type Reconciliation,
} from '../../src-preload/contract/import.ts';
import {
  importInputSchema,
  importResultSchema,
  type ImportInput,
  type ImportResult,
} from '../../src-preload/contract/job.ts';
import type { Project } from '../../src-preload/contract/project.ts';
import { isoTime, parseTime } from '../platform/clock.ts';
import {
  intentOf,
  isAmbiguous,
  lookAgain,
  notYet,
  recordIntent,
  refuseManySends,
  type Intent,
} from './ambiguity.ts';
import { explainFailures } from './explain.ts';
import { reconcile } from './reconcile.ts';
import { needsToken } from './retry.ts';
import { pollDelay, type JobDefinition, type Outcome, type StepContext } from './step.ts';

const preparedSchema = z.object({
  watermark: z.number(),
  userId: z.number(),
  clockSkewMs: z.number(),
  /** What the archive holds, kept so that it can be compared even when the file is gone by then. */
  inspection: inspectionSchema,
  /** Id of the project that an overwriting import replaces; null when the path was free. */
  replaces: z.number().nullable(),
});

/** An overwriting import is looked for so often before somebody is asked. */
const mostLooks = 5;

const sentSchema = z.object({ projectId: z.number(), at: z.number() });

const waitMemoSchema = z.object({ polls: z.number(), failures: z.array(failureSchema) });

const finishedSchema = z.object({
  correlationId: z.string().nullable(),
  fullPath: z.string(),
  failures: z.array(failureSchema),
});

const comparedSchema = z.object({ webUrl: z.string(), reconciliation: reconciliationSchema });

const inputOf = (context: StepContext): ImportInput => importInputSchema.parse(context.job.input);
const preparedOf = (context: StepContext) => preparedSchema.parse(context.outputs['prepare']);
const targetOf = (input: ImportInput): string => `${input.namespace}/${input.path}`;

async function findTarget(context: StepContext): Promise<Project | null> {
  const target = targetOf(inputOf(context));
  try {
    const project = await context.ports.instance.project(target, context.signal);
    // A moved project answers under its old path too; that path is then free.
    return project.fullPath.toLowerCase() === target.toLowerCase() ? project : null;
  } catch (thrown) {
    if (AppError.from(thrown).code === 'project-missing') return null;
    throw thrown;
  }
}

async function prepare(context: StepContext): Promise<Outcome> {
  const { instance, archives } = context.ports;
  const input = inputOf(context);
  const inspection = await archives.inspect(input.archivePath, context.signal);
  if (inspection.sha256 !== input.sha256) {
    throw new AppError('archive-changed', `${input.archivePath} is not the file that was chosen any more.`);
  }
  if (!(await instance.namespaceExists(input.namespace, context.signal))) {
    throw new AppError('namespace-missing', `There is no namespace ${input.namespace}.`, {
      details: { namespace: input.namespace },
    });
  }
  const existing = await findTarget(context);
  if (existing !== null && !input.overwrite) {
    throw new AppError('path-taken', `There is already a project at ${targetOf(input)}.`, {
      details: { project: targetOf(input) },
    });
  }
  const server = await instance.server(context.signal);
  return {
    kind: 'done',
    output: {
      watermark: await instance.highestProjectId(context.signal),
      userId: await instance.userId(context.signal),
      clockSkewMs: server.clockSkewMs ?? 0,
      inspection,
      replaces: existing?.id ?? null,
    } satisfies z.infer<typeof preparedSchema>,
    says: `The target ${targetOf(input)} is ${existing === null ? 'free' : 'to be replaced'}.`,
  };
}

async function send(context: StepContext): Promise<Outcome> {
  const { instance } = context.ports;
  const input = inputOf(context);
  const earlier = intentOf(context);
  if (earlier !== null) {
    if (!earlier.ambiguous) return lookAgain(context, earlier, 'import request');
    const early = notYet(context, earlier, 'import request');
    if (early !== null) return early;
    const adopted = await adopt(context, earlier);
    if (adopted !== null) return adopted;
    // An overwriting import runs under a temporary path, so a free path proves nothing: it is never sent again.
    if (earlier.looks < (input.overwrite ? mostLooks : 2)) {
      return lookAgain(context, earlier, 'import request');
    }
    if (input.overwrite) {
      throw new AppError('import-ambiguous', 'What became of the import request could not be found out.', {
        details: { project: targetOf(input) },
      });
    }
    refuseManySends(earlier);
  }
  const wait = context.turn('import');
  if (wait > 0) {
    const text = 'Keeping to the import limit.';
    return { kind: 'wait', ms: wait, reason: 'pace', text, memo: earlier };
  }
  if (earlier !== null) context.log('The target knows nothing of the import; sending it again.');
  // The first intent counts: a project made by any sending since then is ours.
  const intent = recordIntent(context, earlier?.intentAt ?? context.clock.now(), earlier);
  try {
    const status = await instance.importFile(
      {
        archivePath: input.archivePath,
        sha256: input.sha256,
        sizeBytes: input.sizeBytes,
        namespace: input.namespace,
        path: input.path,
        name: input.name,
        overwrite: input.overwrite,
        overrideParams: input.overrideParams,
      },
      (done) => {
        context.progress({ unit: 'bytes', done, total: input.sizeBytes });
      },
      context.signal,
    );
    return accepted(status.projectId, context.clock.now(), 'The target accepted the archive.');
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (isAmbiguous(error))
      return lookAgain(context, { ...intent, problem: error.toData() }, 'import request');
    // After a second sending the first may have arrived late and taken the path.
    if (error.code === 'path-taken' && earlier !== null) {
      const adopted = await adopt(context, earlier);
      if (adopted !== null) return adopted;
    }
    if (error.code === 'cancelled' && error.details['sentAll'] !== false) {
      context.log(`Cancelled while it was being sent; a project may have appeared at ${targetOf(input)}.`);
    }
    context.remember(earlier);
    throw error;
  }
}

function accepted(projectId: number, at: number, says: string): Outcome {
  return { kind: 'done', output: { projectId, at } satisfies z.infer<typeof sentSchema>, says };
}

/** Takes the project at the target path for ours when all its marks say so; stops when only some do. */
async function adopt(context: StepContext, intent: Intent): Promise<Outcome | null> {
  const prepared = preparedOf(context);
  const found = await findTarget(context);
  if (found === null || found.id === prepared.replaces) return null;
  const createdAt = parseTime(found.createdAt);
  const ours =
    found.id > prepared.watermark &&
    found.importType === 'gitlab_project' &&
    found.creatorId === prepared.userId &&
    createdAt !== null &&
    createdAt >= intent.intentAt + prepared.clockSkewMs - 5_000;
  if (!ours) {
    throw new AppError(
      'import-ambiguous',
      `A project appeared at ${found.fullPath} that may not be this import.`,
      { details: { project: found.fullPath, projectId: found.id } },
    );
  }
  return accepted(found.id, context.clock.now(), 'The request had arrived; its answer was lost.');
}

/** The server lists only the newest hundred failures, so the lists of all polls are united by id. */
function unite(known: Failure[], seen: Failure[]): Failure[] {
  const byId = new Map([...known, ...seen].map((failure) => [failure.id, failure]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

async function waitForImport(context: StepContext): Promise<Outcome> {
  const { instance } = context.ports;
  const sent = sentSchema.parse(context.outputs['send']);
  const parsed = waitMemoSchema.safeParse(context.memo);
  const memo = parsed.success ? parsed.data : { polls: 0, failures: [] };
  const status = await instance.importStatus(sent.projectId, context.signal);
  const failures = unite(memo.failures, status.failures);
  const elapsed = context.clock.now() - sent.at;
  if (status.state === 'finished') {
    return {
      kind: 'done',
      output: {
        correlationId: status.correlationId,
        fullPath: status.fullPath,
        failures,
      } satisfies z.infer<typeof finishedSchema>,
      says: `The import is finished; ${failures.length === 1 ? '1 failed relation is' : `${failures.length} failed relations are`} listed.`,
    };
  }
  if (status.state === 'failed' || status.state === 'canceled') {
    throw new AppError('import-failed', `The instance reports that the import ${status.state}.`, {
      details: {
        serverMessage: status.error,
        project: status.fullPath,
        projectId: sent.projectId,
        correlationId: status.correlationId,
      },
    });
  }
  if (status.state === 'none' && elapsed > instance.pace.graceMs) {
    throw new AppError('import-failed', 'The accepted import never started.', {
      details: { project: status.fullPath, projectId: sent.projectId },
    });
  }
  if (elapsed > instance.pace.deadlineMs) {
    throw new AppError('deadline-passed', `The import is still ${status.state} after its time limit.`);
  }
  return {
    kind: 'wait',
    ms: pollDelay(instance.pace, memo.polls),
    reason: 'server-working',
    text: `GitLab is importing (${status.state}).`,
    memo: { polls: memo.polls + 1, failures } satisfies z.infer<typeof waitMemoSchema>,
  };
}

/** How often a comparison is tried; after that the import is reported as it is, not compared. */
const mostComparisons = 5;

async function compare(context: StepContext): Promise<Outcome> {
  const { instance, archives } = context.ports;
  const input = inputOf(context);
  const { projectId } = sentSchema.parse(context.outputs['send']);
  const { inspection } = preparedOf(context);
  const { fullPath, failures } = finishedSchema.parse(context.outputs['wait']);
  const manifest = await archives.manifestOf(input.archivePath, input.sha256).catch(() => null);
  const source = manifest?.sourceCounts ?? null;
  const at = isoTime(context.clock.now());
  try {
    const project = await instance.project(projectId, context.signal);
    const counts = await instance.counts(projectId, context.signal);
    const reconciliation = reconcile(source, inspection, counts, failures.length, at);
    if (reconciliation.reconciled && source !== null && input.archiveId !== null) {
      const detail = `Imported as ${project.webUrl} and compared.`;
      await archives.addProof(input.archiveId, { level: 'L3', at, detail });
    }
    return compared(project.webUrl, reconciliation);
  } catch (thrown) {
    const error = AppError.from(thrown);
    const mayHelp = error.retry !== 'never' && context.attempt < mostComparisons;
    if (context.signal.aborted || needsToken(error) || mayHelp) throw thrown;
    // The import is finished whatever happens here; what could not be compared is said, row by row.
    context.log(`The target could not be counted: ${error.message}`);
    return compared(`${instance.url}/${fullPath}`, reconcile(source, inspection, null, failures.length, at));
  }
}

function compared(webUrl: string, reconciliation: Reconciliation): Outcome {
  const output = { webUrl, reconciliation } satisfies z.infer<typeof comparedSchema>;
  const agree = 'Nothing is missing that can be counted.';
  return {
    kind: 'done',
    output,
    says: reconciliation.reconciled ? agree : 'Not all of it is proven to be there.',
  };
}

/** Failures with the records behind them, read out of the local archive. A failure without a line has none. */
async function explain(context: StepContext): Promise<Outcome> {
  const { failures } = finishedSchema.parse(context.outputs['wait']);
  const { archivePath } = inputOf(context);
  try {
    const explained = await explainFailures(context.ports.archives, archivePath, failures, context.signal);
    return {
      kind: 'done',
      output: explained,
      says: `Read ${explained.length === 1 ? 'the record behind 1 failure' : `the records behind ${explained.length} failures`}.`,
    };
  } catch (thrown) {
    if (context.signal.aborted) throw thrown;
    // The archive may be gone by now; the failures are known all the same.
    const unread = failures.map((failure): ExplainedFailure => ({ failure, record: null }));
    return {
      kind: 'done',
      output: unread,
      says: `The archive cannot be read: ${AppError.from(thrown).message}`,
    };
  }
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
  end(outputs) {
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
    });
    return { result, warnings: warningsOf(result) };
  },
};

function warningsOf(result: ImportResult): Finding[] {
  const failed = result.failures.map(({ failure }): Finding => {
    const where = failure.relation === null ? null : `${failure.relation}:${failure.line ?? '?'}`;
    return {
      code: 'relation-failed',
      severity: 'warning',
      message: `${failure.relation ?? 'A relation'} failed: ${failure.exceptionClass}.`,
      where,
    };
  });
  const lost = result.reconciliation.rows
    .filter((row) => row.verdict.startsWith('lost') || (row.verdict === 'unknown' && row.archive !== 0))
    .map((row): Finding => {
      const counts = [row.source, row.archive, row.target].map((count) => count ?? '?').join(', ');
      return {
        code: row.verdict === 'unknown' ? 'not-counted' : row.verdict,
        severity: 'warning',
        message: `${row.relation}: source, archive, target hold ${counts}.`,
        where: row.relation,
      };
    });
  return [...failed, ...lost];
}
