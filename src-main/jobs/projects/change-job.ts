/** @file The job that makes one change on an instance, exactly once, and reports the project afterwards. */
import { dayMs } from '../../../src-contract/bounds.ts';
import type { Finding } from '../../../src-contract/archives/archive.ts';
import {
  defaultDeletionDelayDays,
  type Change,
  type ChangeResult,
} from '../../../src-contract/projects/change.ts';
import { changeResultSchema } from '../../../src-contract/projects/change-schema.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { projectSchema } from '../../../src-contract/projects/project-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import { isoTime } from '../../platform/clock.ts';
import {
  changeEffect,
  inputOf,
  preparedChangeSchema,
  changeEffectSchema,
  type ChangeSteps,
} from './change-work.ts';
import { deleteChange, detailsOf, restoreChange } from './deletion.ts';
import { exportChange, uploadChange } from './files.ts';
import { groupChange } from './group.ts';
import { creationWork, forkWork } from './making.ts';
import { markAsMovedChange } from './moved.ts';
import { repairChange } from './repairs.ts';
import { archiveChange, editChange, starChange } from './settings.ts';
import { readOrFail } from '../running/known-unreadable.ts';
import { sendOnce } from '../running/send-once.ts';
import {
  done,
  pollDelay,
  waitForServer,
  warning,
  type JobDefinition,
  type Outcome,
  type StepContext,
} from '../running/step.ts';

const followMemoSchema = z.object({ polls: z.number(), since: z.number() });
const followedSchema = z.object({
  project: projectSchema.nullable(),
  deletion: changeResultSchema.shape.deletion,
});

function workOf(change: Change): ChangeSteps {
  switch (change.kind) {
    case 'create':
      return creationWork(change);
    case 'fork':
      return forkWork(change);
    case 'edit':
      return editChange(change);
    case 'star':
    case 'unstar':
      return starChange(change.kind === 'star');
    case 'set-archived':
      return archiveChange(change);
    case 'delete':
      return deleteChange(change);
    case 'restore':
      return restoreChange();
    case 'upload':
      return uploadChange(change);
    case 'export':
      return exportChange(change);
    case 'create-group':
      return groupChange(change);
    case 'mark-as-moved':
      return markAsMovedChange(change);
    case 'repair':
      return repairChange(change);
  }
}

async function prepare(context: StepContext): Promise<Outcome> {
  const { change, knownUnreadable } = inputOf(context);
  const prepared = await readOrFail(context, knownUnreadable, () => workOf(change).prepare(context));
  if ('kind' in prepared) return prepared;
  const message = prepared.already
    ? 'The project is already in the wanted state.'
    : `Read ${prepared.fullPath}.`;
  return done(prepared, message);
}

async function send(context: StepContext): Promise<Outcome> {
  const { change, projectId } = inputOf(context);
  const prepared = preparedChangeSchema.parse(context.outputs['prepare']);
  if (prepared.already) {
    return done(changeEffect(projectId, false), 'Nothing needs to be sent.');
  }
  const work = workOf(change);
  if (work.findEffect === undefined) {
    return done(await work.send(context, prepared), `Sent each ${work.requestName}.`);
  }
  const unknownOutcomeError = work.getUnknownOutcomeError?.(prepared) ?? null;
  return sendOnce(context, {
    requestName: work.requestName,
    action: work.action ?? null,
    send: () => work.send(context, prepared),
    find: async (intent) => (await work.findEffect?.(context, prepared, intent)) ?? null,
    getUnknownOutcomeError: unknownOutcomeError === null ? undefined : () => unknownOutcomeError,
  });
}

/** Waits until a copy is complete, then reads the project. */
async function follow(context: StepContext): Promise<Outcome> {
  const { projectId } = changeEffectSchema.parse(context.outputs['send']);
  const details = projectId === null ? null : await detailsOf(context, projectId);
  const copyState = details?.project.importStatus ?? 'finished';
  const wait =
    workOf(inputOf(context).change).copiesRepository === true ? waitForCopy(context, copyState) : null;
  if (wait !== null) return wait;
  const markedOn = details?.markedForDeletionOn ?? null;
  const output: z.infer<typeof followedSchema> = {
    project: details?.project ?? null,
    deletion: markedOn === null ? null : { markedOn, finalOn: finalDay(markedOn) },
  };
  return done(
    output,
    details === null ? noProjectText(inputOf(context).change) : `Read ${details.project.fullPath}.`,
  );
}

const noProjectText = ({ kind }: Change): string =>
  kind === 'create-group' ? 'The group exists.' : 'The project is gone.';

/** Returns null once the copy is complete, or when nothing is copied, for example from an empty repository. */
function waitForCopy(context: StepContext, state: string): Outcome | null {
  if (state === 'finished' || state === 'none') return null;
  const memo = followMemoSchema.safeParse(context.memo).data;
  const { polls, since } = memo ?? { polls: 0, since: context.clock.now() };
  if (state === 'failed' || state === 'canceled') {
    throw new AppError(
      'fork-failed',
      `The instance reports the state "${state}" for the copy of the repository.`,
    );
  }
  if (state !== 'scheduled' && state !== 'started') {
    throw new AppError('unknown-state', `The instance reports the import state "${state}".`, {
      details: { state },
    });
  }
  return waitForServer(context, {
    since,
    ms: pollDelay(context.ports.instance.pace, polls),
    text: `GitLab is copying the repository (${state}).`,
    tooLate: `The copy is still ${state} after its time limit.`,
    memo: { polls: polls + 1, since } satisfies z.infer<typeof followMemoSchema>,
  });
}

const finalDay = (markedOn: string): string =>
  isoTime(Date.parse(markedOn) + defaultDeletionDelayDays * dayMs).slice(0, 10);

export const changeJob: JobDefinition = {
  kind: 'change',
  steps: [
    { name: 'prepare', run: prepare },
    { name: 'send', run: send },
    { name: 'follow', run: follow },
  ],
  toResult(outputs) {
    const { changed, notTaken, uploaded, notRepaired } = changeEffectSchema.parse(outputs['send']);
    const { project, deletion } = followedSchema.parse(outputs['follow']);
    const result: ChangeResult = { changed, project, notTaken, deletion, uploaded };
    const warnings = [
      ...notTaken.map(({ attribute }) => notTakenWarning(attribute)),
      ...notRepaired.map(({ what, why }) =>
        warning('not-repaired', `${what} was not repaired: ${why}`, what),
      ),
    ];
    return { result, warnings };
  },
};

const notTakenWarning = (attribute: string): Finding =>
  warning(
    'not-taken',
    `The instance accepted "${attribute}" but did not apply it; it may require another GitLab tier.`,
    attribute,
  );
