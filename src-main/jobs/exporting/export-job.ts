/**
 * @file The job that backs up one project.
 *
 * [Note: POST is not idempotent] A request for an export first removes the caller's previous file (gitlab-facts 6), so
 * it is sent once. After a lost response, the job checks on the server whether the export exists.
 */
import { conditionOf, lacksRecords } from '../../../src-contract/archives/archive-quality.ts';
import { mayExport, type Project } from '../../../src-contract/projects/project.ts';
import { z } from '../../../src-contract/schema.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { exportResultSchema } from '../../../src-contract/runs/job-schema.ts';
import { isoTime } from '../../platform/clock.ts';
import { intentOf } from '../running/ambiguity.ts';
import { download } from './export-download.ts';
import {
  inputOf,
  preparedOf,
  requestedSchema,
  type CountOutput,
  type PrepareOutput,
  type RequestOutput,
} from './export-outputs.ts';
import { prune, pruneOutputSchema } from './prune.ts';
import { readOrFail } from '../running/known-unreadable.ts';
import { isRunning, waitForOtherExport } from './running-exports.ts';
import { unchangedReason } from './unchanged.ts';
import { sendAgain, sendOnce } from '../running/send-once.ts';
import {
  done,
  pollDelay,
  waitForServer,
  reserveOrWait,
  type JobDefinition,
  type Outcome,
  type StepContext,
} from '../running/step.ts';

/** The memo of `prepare` after it reserved a read. `since`: when the wait for another export began, in epoch ms. */
const prepareMemoSchema = z.object({ since: z.number().nullable() });
const waitMemoSchema = z.object({ polls: z.number(), seenRunning: z.boolean() });
/** The output of `store` if it restarted the job from `prepare`. */
const startedOverSchema = z.object({ startedOver: z.literal(true) });

/** Reads the project from the instance. Its errors contain the path of the project. */
async function readProject(context: StepContext): Promise<Project> {
  const { projectId, fullPath } = inputOf(context);
  try {
    return await context.ports.instance.project(projectId, context.signal);
  } catch (thrown) {
    throw AppError.from(thrown).withDetails({ project: fullPath });
  }
}

async function count(context: StepContext): Promise<CountOutput> {
  const { instance } = context.ports;
  const { projectId } = inputOf(context);
  const project = await readProject(context);
  let newestLabelId = 0;
  const counts = await instance.counts(projectId, context.signal, (id) => {
    newestLabelId = Math.max(newestLabelId, id);
  });
  const { lastActivityAt } = project;
  return { at: isoTime(context.clock.now()), counts, lastActivityAt, newestLabelId };
}

async function prepare(context: StepContext): Promise<Outcome> {
  const { instance } = context.ports;
  const input = inputOf(context);
  const prepareMemo = prepareMemoSchema.safeParse(context.memo).data ?? null;
  // Spreads out the reads when many projects are due at once. A job that resumes after another wait has already
  // reserved its read.
  const readWait = prepareMemo === null ? reserveOrWait(context, 'read', null) : null;
  if (readWait !== null) return readWait;
  const project = await readOrFail(context, input.knownUnreadable, () => readProject(context));
  if (!mayExport(project.accessLevel)) {
    throw new AppError('role-too-low', `An export of ${project.fullPath} needs the role Maintainer.`, {
      details: { project: project.fullPath },
    });
  }
  const unchanged = await unchangedReason(context, input, project);
  if (unchanged !== null) return { kind: 'skip', why: unchanged };
  const state = await instance.exportState(input.projectId, context.signal);
  if (isRunning(state)) return waitForOtherExport(context, state, prepareMemo?.since ?? null);
  // The export is reserved before counting, so that the count is fresh when the export begins.
  const wait = reserveOrWait(context, 'export', { since: null } satisfies z.infer<typeof prepareMemoSchema>);
  if (wait !== null) return wait;
  const server = await instance.serverInfo(context.signal);
  const prepared: PrepareOutput = {
    projectName: project.name,
    fullPath: project.fullPath,
    serverVersion: server.version,
    clockSkewMs: server.clockSkewMs ?? 0,
    foreignExport: state === 'finished',
    before: await count(context),
  };
  return done(prepared, 'Counted the records of the source.');
}

async function keepExisting(context: StepContext): Promise<Outcome> {
  const prepared = preparedOf(context);
  if (!inputOf(context).keepExisting || !prepared.foreignExport) {
    return done(null, 'No earlier export to keep.');
  }
  try {
    const stored = await download(context, null);
    return stored.kind === 'wait' ? stored : done(stored.ref.id, 'Stored the earlier export.');
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
    return done(null, 'The earlier export is gone; nothing to keep.');
  }
}

/**
 * Returns whether a finished export no longer exists. The job waits for an export that does not exist yet (gitlab-facts
 * 12).
 */
function isGone(thrown: unknown): boolean {
  const { code, retry } = AppError.from(thrown);
  return code === 'export-gone' && retry === 'never';
}

async function request(context: StepContext): Promise<Outcome> {
  const { instance } = context.ports;
  const { projectId } = inputOf(context);
  const { foreignExport } = preparedOf(context);
  const isFirst = intentOf(context) === null;
  try {
    return await sendOnce<RequestOutput>(context, {
      requestName: 'export request',
      action: 'export',
      // `prepare` reserved the export before it counted the source.
      isReserved: true,
      async send() {
        const at = context.clock.now();
        await instance.requestExport(projectId, context.signal);
        return { at };
      },
      async find({ intentAt }) {
        const state = await instance.exportState(projectId, context.signal);
        // A finished export can only be ours if none existed before the request.
        if (isRunning(state) || (state === 'finished' && !foreignExport)) return { at: intentAt };
        return state === 'finished' ? sendAgain : null;
      },
    });
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (!isFirst || error.code !== 'export-refused' || error.retry === 'never') throw error;
    // Another user started an export first. The job waits for it like for any other running export.
    return { kind: 'done', output: null, goTo: 'prepare', message: 'Another export has just started.' };
  }
}

async function waitForExport(context: StepContext): Promise<Outcome> {
  const { instance } = context.ports;
  const { at } = requestedSchema.parse(context.outputs['request']);
  const memo = waitMemoSchema.safeParse(context.memo).data ?? { polls: 0, seenRunning: false };
  const elapsed = context.clock.now() - at - context.unavailableMs;
  const state = await instance.exportState(inputOf(context).projectId, context.signal);
  if (state === 'finished') return done({ state }, 'The export is finished.');
  const running = isRunning(state);
  // Right after the request, `none` or `failed` may still describe the state before it (gitlab-facts 6).
  if (!running && (memo.seenRunning || elapsed > instance.pace.graceMs)) {
    const ended = memo.seenRunning ? 'The export ended without a file.' : 'The export never started.';
    const why = state === 'failed' ? 'The instance reports that the export failed.' : ended;
    throw new AppError('export-failed', why, { details: { state } });
  }
  return waitForServer(context, {
    since: at,
    ms: pollDelay(instance.pace, memo.polls),
    text: running ? `GitLab is exporting (${state}).` : `GitLab has not started the export yet (${state}).`,
    tooLate: `The export is still ${state} after its time limit.`,
    memo: { polls: memo.polls + 1, seenRunning: memo.seenRunning || running },
  });
}

async function countAfter(context: StepContext): Promise<Outcome> {
  return done(await count(context), 'Counted the records of the source again.');
}

async function store(context: StepContext): Promise<Outcome> {
  const { at } = requestedSchema.parse(context.outputs['request']);
  const startedOver = startedOverSchema.safeParse(context.outputs['store']).success;
  try {
    const stored = await download(context, at);
    if (stored.kind === 'wait') return stored;
    const { ref, findings } = stored;
    const { sha256, sizeBytes, inspection } = ref.manifest;
    const condition = conditionOf({
      verdict: inspection.verdict,
      incomplete: lacksRecords(findings),
      damaged: false,
    });
    const output = { archiveId: ref.id, archivePath: ref.path, sha256, sizeBytes, findings, condition };
    return done(
      output satisfies z.input<typeof exportResultSchema>,
      `Stored ${sizeBytes} bytes. The archive was read to its end.`,
    );
  } catch (thrown) {
    if (!isGone(thrown) || startedOver) throw thrown;
    return {
      kind: 'done',
      output: { startedOver: true } satisfies z.infer<typeof startedOverSchema>,
      goTo: 'prepare',
      message: 'The finished export is gone; requesting another.',
    };
  }
}

export const exportJob: JobDefinition = {
  kind: 'export',
  steps: [
    { name: 'prepare', run: prepare },
    { name: 'keep-existing', run: keepExisting },
    { name: 'request', run: request },
    { name: 'wait', run: waitForExport },
    { name: 'count', run: countAfter },
    { name: 'store', run: store },
    { name: 'prune', run: prune },
  ],
  toResult(outputs) {
    const result = exportResultSchema.parse(outputs['store']);
    const pruned = pruneOutputSchema.parse(outputs['prune']);
    const findings = [...result.findings, ...pruned.findings];
    return {
      result: { ...result, prunedCount: pruned.movedCount },
      warnings: findings.filter((finding) => finding.severity !== 'info'),
    };
  },
};
