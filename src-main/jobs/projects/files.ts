/** @file Changes that transfer files: an upload for a project's texts, and a requested export. */
import { basename } from 'node:path';
import type { Change } from '../../../src-contract/projects/change.ts';
import { AppError, isReadDenied } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import { parseTime } from '../../platform/clock.ts';
import type { ExportState } from '../ports.ts';
import type { StepContext } from '../running/step.ts';
import { readStateBefore, changeResult, inputOf, projectIdOf, type ChangeWork } from './change-work.ts';

/** Returns the id of the newest upload; 0 if there is none, null if uploads cannot be listed. */
async function newestUpload(context: StepContext): Promise<number | null> {
  try {
    for await (const { id } of context.ports.instance.changes.uploads(projectIdOf(context), context.signal)) {
      return id;
    }
    return 0;
  } catch (thrown) {
    if (isReadDenied(thrown)) return null;
    throw thrown;
  }
}

/** GitLab stores a file name with every other character replaced by `_`. */
const keptName = (name: string): string => name.replace(/[^\p{L}\p{N}_.+-]/gu, '_');

export const upload = ({ file, sizeBytes }: Extract<Change, { kind: 'upload' }>): ChangeWork => ({
  request: 'upload',
  async prepare(context) {
    return {
      ...(await readStateBefore(context, context.job.project)),
      watermark: await newestUpload(context),
    };
  },
  async send(context) {
    const progress = (bytes: number): void => {
      context.progress({ unit: 'bytes', done: Math.min(bytes, sizeBytes), total: sizeBytes });
    };
    const { changes } = context.ports.instance;
    const id = projectIdOf(context);
    const uploaded = await changes.upload(id, { path: file, sizeBytes }, progress, context.signal);
    return { ...changeResult(id), uploaded };
  },
  async find(context, { watermark, clockSkewMs, username }, { intentAt }) {
    if (watermark === null) return null;
    const id = projectIdOf(context);
    const since = intentAt + clockSkewMs - 5_000;
    let oldest: { id: number; name: string } | null = null;
    for await (const one of context.ports.instance.changes.uploads(id, context.signal)) {
      if ((parseTime(one.createdAt) ?? 0) < since) break;
      const isOurs =
        one.id > watermark &&
        one.sizeBytes === sizeBytes &&
        one.fileName === keptName(basename(file)) &&
        (username === null || one.uploadedBy === username);
      if (isOurs) oldest = { id: one.id, name: one.fileName };
    }
    return oldest === null
      ? null
      : { ...changeResult(id), uploaded: { ...oldest, url: null, markdown: null } };
  },
  unknowable: ({ watermark }) =>
    watermark === null ? new AppError('change-ambiguous', 'The upload could not be confirmed.') : null,
});

const isRunning = (state: ExportState): boolean =>
  state === 'queued' || state === 'started' || state === 'regeneration_in_progress';
const waitingSchema = z.object({ since: z.number() });

/**
 * Requests an export that is not downloaded here: the account downloads it later, or the instance pushes it to an
 * address.
 */
export const exporting = (change: Extract<Change, { kind: 'export' }>): ChangeWork => ({
  request: 'export request',
  action: 'export',
  async prepare(context) {
    const { instance } = context.ports;
    const state = await instance.exportState(projectIdOf(context), context.signal);
    if (!isRunning(state)) {
      return { ...(await readStateBefore(context, context.job.project)), exported: state === 'finished' };
    }
    const memo = waitingSchema.safeParse(context.memo);
    const since = memo.success ? memo.data.since : context.clock.now();
    if (context.clock.now() - since - context.awayMs > instance.pace.deadlineMs) {
      throw new AppError('deadline-passed', `Another export of this project is still ${state}.`);
    }
    return {
      kind: 'wait',
      ms: instance.pace.maxPollMs,
      reason: 'server-working',
      text: 'Another export of this project is running; waiting for it to end.',
      memo: { since },
    };
  },
  async send(context) {
    const { secret } = inputOf(context);
    const { description, pushTo } = change;
    const push =
      pushTo === null
        ? null
        : {
            url: secret === null ? pushTo.address : context.ports.secrets.address(secret),
            method: pushTo.method,
          };
    await context.ports.instance.requestExport(projectIdOf(context), context.signal, { description, push });
    return changeResult(projectIdOf(context));
  },
  async find(context, { exported }) {
    const state = await context.ports.instance.exportState(projectIdOf(context), context.signal);
    // A finished export can only be ours if none existed before the request.
    return isRunning(state) || (state === 'finished' && !exported)
      ? changeResult(projectIdOf(context))
      : null;
  },
});
