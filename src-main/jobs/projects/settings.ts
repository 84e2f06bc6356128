/** @file Idempotent changes of a project: its attributes, the account's star, and whether it is archived. */
import type { Change } from '../../../src-contract/projects/change.ts';
import { ignoredAttributes } from '../../../src-contract/projects/project-attribute-answers.ts';
import { attributeNamed, type AttributeValues } from '../../../src-contract/projects/project-attributes.ts';
import { z } from '../../../src-contract/schema.ts';
import type { StepContext, WaitOutcome } from '../running/step.ts';
import {
  createPreparedChange,
  changeEffect,
  inputOf,
  projectIdOf,
  stateChange,
  type ChangeSteps,
} from './change-work.ts';

/** Returns the attributes to send, with the full address if the job keeps one in memory only. */
export function withImportUrl(context: StepContext, attributes: Record<string, unknown>): AttributeValues {
  const { secret } = inputOf(context);
  const fullAddress = secret === null ? {} : { import_url: context.ports.secrets.importUrl(secret) };
  return { ...attributes, ...fullAddress };
}

export const editChange = (change: Extract<Change, { kind: 'edit' }>): ChangeSteps => {
  const requested = change.attributes as AttributeValues;
  const findDiffering = async (context: StepContext): Promise<{ names: string[]; fullPath: string }> => {
    const { changes } = context.ports.instance;
    const { project, attributes } = await changes.details(projectIdOf(context), context.signal);
    const differingNames = new Set(
      ignoredAttributes(requested, attributes).map(({ attribute }) => attribute),
    );
    const names = Object.keys(requested).filter(
      (name) => differingNames.has(name) || attributeNamed(name)?.shownInReply !== undefined,
    );
    return { names, fullPath: project.fullPath };
  };
  return {
    requestName: 'request for an edit',
    async prepare(context) {
      const { names, fullPath } = await findDiffering(context);
      return {
        ...(await createPreparedChange(context, fullPath)),
        differing: names,
        already: names.length === 0,
      };
    },
    async send(context, prepared) {
      const attributes = withImportUrl(context, requested);
      const edited = await context.ports.instance.changes.edit(
        projectIdOf(context),
        attributes,
        context.signal,
      );
      const notTaken = new Set(edited.notTaken.map(({ attribute }) => attribute));
      const changed = prepared.differing.some((name) => !notTaken.has(name));
      return { ...changeEffect(edited.project.id, changed), notTaken: edited.notTaken };
    },
    // An attribute that the server does not report is set to the same value again.
    async findEffect(context) {
      return (await findDiffering(context)).names.length === 0 ? changeEffect(projectIdOf(context)) : null;
    },
  };
};

export const starChange = (starred: boolean): ChangeSteps =>
  stateChange({
    request: starred ? 'request for a star' : 'request to remove the star',
    async isReached(context) {
      const { changes } = context.ports.instance;
      return (await changes.isStarred(projectIdOf(context), context.signal)) === starred;
    },
    send: (context) => context.ports.instance.changes.setStar(projectIdOf(context), starred, context.signal),
  });

const recheckMemoSchema = z.object({ believedAt: z.number() });

/** Waits once before accepting that the state is reached, because an earlier request may still take effect. */
function waitIfInDoubt(context: StepContext): WaitOutcome | null {
  if (inputOf(context).inDoubt !== true) return null;
  const now = context.clock.now();
  const earlier = recheckMemoSchema.safeParse(context.memo).data;
  const { believedAt } = earlier ?? { believedAt: now + context.ports.instance.pace.lookAgainMs };
  if (now >= believedAt) return null;
  return {
    kind: 'wait',
    ms: believedAt - now,
    reason: 'answer-lost',
    text: 'The response to the previous request was lost, so that request may still take effect. Checking again.',
    memo: { believedAt } satisfies z.infer<typeof recheckMemoSchema>,
  };
}

export const archiveChange = ({ archived }: Extract<Change, { kind: 'set-archived' }>): ChangeSteps => {
  const work = stateChange({
    request: archived ? 'request to mark it as archived' : 'request to unmark it as archived',
    async isReached(context) {
      const { instance } = context.ports;
      return (await instance.project(projectIdOf(context), context.signal)).archived === archived;
    },
    send: (context) =>
      context.ports.instance.changes.setArchived(projectIdOf(context), archived, context.signal),
  });
  return {
    ...work,
    async prepare(context) {
      const prepared = await work.prepare(context);
      const isReached = 'already' in prepared && prepared.already;
      return (isReached ? waitIfInDoubt(context) : null) ?? prepared;
    },
  };
};
