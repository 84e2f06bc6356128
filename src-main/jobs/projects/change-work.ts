/** @file The steps of each kind of change. Outputs are stored, so they have schemas. */
import { changeInputSchema, uploadedFileSchema } from '../../../src-contract/projects/change-schema.ts';
import type { ChangeInput } from '../../../src-contract/projects/change.ts';
import { ignoredAttributeSchema } from '../../../src-contract/projects/ignored-attribute-schema.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { Intent } from '../running/ambiguity.ts';
import type { LimitedAction } from '../running/rate-limiter.ts';
import type { StepContext, WaitOutcome } from '../running/step.ts';

export const preparedChangeSchema = z.object({
  /** The full path of the project, or the path it will have. */
  fullPath: z.string(),
  /** True if the project is already in the wanted state; nothing is then sent. */
  already: z.boolean(),
  clockSkewMs: z.number(),
  /** Id of the user whom GitLab will name as the creator of anything new. */
  userId: z.number(),
  username: z.string().nullable(),
  /** Highest existing id of the kind that is created; null if nothing is created or the id could not be read. */
  watermark: z.number().nullable(),
  differing: z.array(z.string()),
  /** True if a finished export already existed. */
  exported: z.boolean(),
});
export type PreparedChange = z.infer<typeof preparedChangeSchema>;

export const changeEffectSchema = z.object({
  changed: z.boolean(),
  /** Null if the project no longer exists. */
  projectId: z.number().nullable(),
  notTaken: z.array(ignoredAttributeSchema),
  uploaded: uploadedFileSchema.nullable(),
  /** Repairs that were not made: what each is about, and why. */
  notRepaired: z.array(z.object({ what: z.string(), why: z.string() })).default([]),
});
export type ChangeEffect = z.infer<typeof changeEffectSchema>;

export interface ChangeSteps {
  requestName: string;
  action?: LimitedAction;
  /** Reads the current state. Throws if the change is impossible. */
  prepare(context: StepContext): Promise<PreparedChange | WaitOutcome>;
  send(context: StepContext, prepared: PreparedChange): Promise<ChangeEffect>;
  /** Absent if `send` reads the state before each of its requests, so that it may be repeated. */
  findEffect?(context: StepContext, prepared: PreparedChange, intent: Intent): Promise<ChangeEffect | null>;
  /** Returns an error if the request must not be sent again after an unknown outcome; otherwise null. */
  getUnknownOutcomeError?(prepared: PreparedChange): AppError | null;
  /** Set if GitLab continues to copy the repository after its response. */
  copiesRepository?: true;
}

export const inputOf = (context: StepContext): ChangeInput => changeInputSchema.parse(context.job.input);

/** Returns the id of the project to change. Every change except a creation has one. */
export function projectIdOf(context: StepContext): number {
  const { projectId } = inputOf(context);
  if (projectId === null) throw new AppError('internal', 'The change has no project.');
  return projectId;
}

export async function createPreparedChange(context: StepContext, fullPath: string): Promise<PreparedChange> {
  const { instance } = context.ports;
  const { clockSkewMs } = await instance.serverInfo(context.signal);
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

/** Returns the steps that bring a project to a state. They send nothing if the instance already reports that state. */
export const stateChange = (parts: {
  request: string;
  isReached(context: StepContext): Promise<boolean>;
  /** Resolves to false if the project was already in that state. */
  send(context: StepContext): Promise<unknown>;
}): ChangeSteps => ({
  requestName: parts.request,
  async prepare(context) {
    const already = await parts.isReached(context);
    return { ...(await createPreparedChange(context, context.job.project)), already };
  },
  async send(context) {
    return changeEffect(projectIdOf(context), (await parts.send(context)) !== false);
  },
  findEffect: async (context) =>
    (await parts.isReached(context)) ? changeEffect(projectIdOf(context)) : null,
});

export const changeEffect = (projectId: number | null, changed = true): ChangeEffect => ({
  changed,
  projectId,
  notTaken: [],
  uploaded: null,
  notRepaired: [],
});
