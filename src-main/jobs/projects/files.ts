/** @file Changes that transfer files: an upload for use in a project's Markdown, and an export request. */
import { basename } from 'node:path';
import type { Change } from '../../../src-contract/projects/change.ts';
import { AppError, isReadDenied } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import { parseTime } from '../../platform/clock.ts';
import { isRunning, waitForOtherExport } from '../exporting/running-exports.ts';
import { uploadProgress, type StepContext } from '../running/step.ts';
import { createPreparedChange, changeEffect, inputOf, projectIdOf, type ChangeSteps } from './change-work.ts';

async function newestUploadId(context: StepContext): Promise<number | null> {
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

/** GitLab keeps letters, digits and `_.+-` of a file name, and replaces any other character by `_`. */
const sanitizedFileName = (name: string): string => name.replace(/[^\p{L}\p{N}_.+-]/gu, '_');

export const uploadChange = ({ file, sizeBytes }: Extract<Change, { kind: 'upload' }>): ChangeSteps => ({
  requestName: 'upload',
  async prepare(context) {
    return {
      ...(await createPreparedChange(context, context.job.project)),
      watermark: await newestUploadId(context),
    };
  },
  async send(context) {
    const { changes } = context.ports.instance;
    const id = projectIdOf(context);
    const progress = uploadProgress(context, sizeBytes);
    const uploaded = await changes.upload(id, { path: file, sizeBytes }, progress, context.signal);
    return { ...changeEffect(id), uploaded };
  },
  async findEffect(context, { watermark, clockSkewMs, username }, { intentAt }) {
    if (watermark === null) return null;
    const id = projectIdOf(context);
    const since = intentAt + clockSkewMs - 5_000;
    let oldest: { id: number; name: string } | null = null;
    for await (const upload of context.ports.instance.changes.uploads(id, context.signal)) {
      if ((parseTime(upload.createdAt) ?? 0) < since) break;
      const isOurs =
        upload.id > watermark &&
        upload.sizeBytes === sizeBytes &&
        upload.fileName === sanitizedFileName(basename(file)) &&
        (username === null || upload.uploadedBy === username);
      if (isOurs) oldest = { id: upload.id, name: upload.fileName };
    }
    return oldest === null
      ? null
      : { ...changeEffect(id), uploaded: { ...oldest, url: null, markdown: null } };
  },
  getUnknownOutcomeError: ({ watermark }) =>
    watermark === null ? new AppError('change-ambiguous', 'The upload could not be confirmed.') : null,
});

const waitingSchema = z.object({ since: z.number() });

/** Requests an export that this job does not download. The file is downloaded later, or pushed to an address. */
export const exportChange = (change: Extract<Change, { kind: 'export' }>): ChangeSteps => ({
  requestName: 'export request',
  action: 'export',
  async prepare(context) {
    const { instance } = context.ports;
    const state = await instance.exportState(projectIdOf(context), context.signal);
    if (!isRunning(state)) {
      return {
        ...(await createPreparedChange(context, context.job.project)),
        exported: state === 'finished',
      };
    }
    return waitForOtherExport(context, state, waitingSchema.safeParse(context.memo).data?.since ?? null);
  },
  async send(context) {
    const { secret } = inputOf(context);
    const { description, pushTo } = change;
    const url = secret === null ? pushTo?.address : context.ports.secrets.importUrl(secret);
    const push = pushTo === null || url === undefined ? null : { url, method: pushTo.method };
    await context.ports.instance.requestExport(projectIdOf(context), context.signal, { description, push });
    return changeEffect(projectIdOf(context));
  },
  async findEffect(context, { exported }) {
    const state = await context.ports.instance.exportState(projectIdOf(context), context.signal);
    return isRunning(state) || (state === 'finished' && !exported)
      ? changeEffect(projectIdOf(context))
      : null;
  },
});
