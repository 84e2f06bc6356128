/** @file What each kind of change does in the steps of its job. Outputs are stored, so they are schemas. */
import type { ChangeInput } from '../../../src-contract/projects/change.ts';
import { changeInputSchema, uploadedFileSchema } from '../../../src-contract/projects/change-schema.ts';
import { notTakenSchema } from '../../../src-contract/projects/not-taken-schema.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { Intent } from '../running/ambiguity.ts';
import type { LimitedAction } from '../running/rate-limiter.ts';
import type { StepContext, Waiting } from '../running/step.ts';

/** What there was before the request. */
export const preparedSchema = z.object({
  /** Full path, or where it will be. */
  fullPath: z.string(),
  /** It is so already; nothing is sent. */
  already: z.boolean(),
  clockSkewMs: z.number(),
  /** Of who is named as the maker of what is new. */
  userId: z.number(),
  username: z.string().nullable(),
  /** Highest id of its kind before, where something new is made; null where that could not be found out. */
  watermark: z.number().nullable(),
  /** Attributes that are to change, as far as the server tells them. */
  differing: z.array(z.string()),
  /** A finished export was there. */
  exported: z.boolean(),
});
export type Prepared = z.infer<typeof preparedSchema>;

/** What came of the request. */
export const sentSchema = z.object({
  changed: z.boolean(),
  /** Null where there is no project any more. */
  projectId: z.number().nullable(),
  notTaken: z.array(notTakenSchema),
  uploaded: uploadedFileSchema.nullable(),
});
export type Sent = z.infer<typeof sentSchema>;

export interface ChangeWork {
  /** What its request is called in a sentence. */
  request: string;
  action?: LimitedAction;
  /** Asks what there is; throws what makes the change impossible. */
  prepare(context: StepContext): Promise<Prepared | Waiting>;
  send(context: StepContext, prepared: Prepared): Promise<Sent>;
  /** What an earlier sending did; null where it did nothing. */
  find(context: StepContext, prepared: Prepared, intent: Intent): Promise<Sent | null>;
  /** Why it must not be sent again although nothing was found; null: it may. */
  unknowable?(prepared: Prepared): AppError | null;
  /** Copies repositories after its answer. */
  copies?: true;
}

export const inputOf = (context: StepContext): ChangeInput => changeInputSchema.parse(context.job.input);

/** The project that is changed; every change but a creation has one. */
export function projectIdOf(context: StepContext): number {
  const { projectId } = inputOf(context);
  if (projectId === null) throw new AppError('internal', 'The change has no project.');
  return projectId;
}

/** What is known of the server and the account before anything is changed. */
export async function before(context: StepContext, fullPath: string): Promise<Prepared> {
  const { instance } = context.ports;
  const { clockSkewMs } = await instance.server(context.signal);
  return {
    fullPath,
    already: false,
    clockSkewMs: clockSkewMs ?? 0,
    userId: await instance.userId(context.signal),
    username: instance.username,
    watermark: null,
    differing: [],
    exported: false,
  };
}

/** The change was made on this project, or (`changed` false) it was so already. */
export const done = (projectId: number | null, changed = true): Sent => ({
  changed,
  projectId,
  notTaken: [],
  uploaded: null,
});
