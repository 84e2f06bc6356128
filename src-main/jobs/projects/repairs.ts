/**
 * @file The change that repairs a migrated project. Each request sets a value or adds a record with a unique name, so that a
 * repeated one changes nothing. A value that somebody changed after the comparison is left alone.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { Repair } from '../../../src-contract/migrations/repair.ts';
import type { Change } from '../../../src-contract/projects/change.ts';
import { repairedPartText } from '../../../src-contract/words/repairs.ts';
import { isProtection, repairStateOf, type RepairState } from '../migrations/repairing/repair-state.ts';
import type { StepContext } from '../running/step.ts';
import {
  changeEffect,
  createPreparedChange,
  projectIdOf,
  type ChangeEffect,
  type ChangeSteps,
} from './change-work.ts';

type NotRepaired = ChangeEffect['notRepaired'][number];

/** Refusals of one request. The other repairs are still sent. */
const refusals: readonly string[] = [
  'request-refused',
  'forbidden',
  'not-found',
  'conflict',
  'invalid-input',
];

const whyNot: Record<Exclude<RepairState, 'open' | 'done'>, string> = {
  changed: 'The target has another value than at the time of the comparison.',
  gone: 'The target does not show it.',
};

export function repairChange({ repairs }: Extract<Change, { kind: 'repair' }>): ChangeSteps {
  return {
    requestName: 'repair',
    prepare: async (context) => createPreparedChange(context, context.job.project),
    async send(context) {
      const notRepaired: NotRepaired[] = [];
      let sentCount = 0;
      for (const [index, repair] of repairs.entries()) {
        context.reportProgress({ done: index, total: repairs.length, unit: 'requests' });
        const why = await repairOnce(context, repair, () => {
          sentCount += 1;
        });
        if (why !== null) notRepaired.push({ what: repairedPartText(repair), why });
      }
      return { ...changeEffect(projectIdOf(context), sentCount > 0), notRepaired };
    },
    async findEffect(context) {
      for (const repair of repairs) {
        if (repairStateOf(repair, await currentOf(context, repair)) === 'open') return null;
      }
      return changeEffect(projectIdOf(context));
    },
  };
}

/** Sends a repair if the target still lacks it. Returns why it was not repaired; null if the target has the value. */
async function repairOnce(context: StepContext, repair: Repair, onSent: () => void): Promise<string | null> {
  const current = await currentOf(context, repair);
  const state = repairStateOf(repair, current);
  if (state === 'done') return null;
  if (state !== 'open') return whyNot[state];
  try {
    const repaired = await sendRepair(context, repair, current);
    onSent();
    return repairStateOf(repair, repaired) === 'done'
      ? null
      : 'The instance accepted the request, but did not apply it.';
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (!refusals.includes(error.code)) throw error;
    return error.message;
  }
}

/** Returns the record, or the attributes of the project, with the new values. */
async function sendRepair(
  context: StepContext,
  repair: Repair,
  current: Readonly<Record<string, unknown>> | null,
): Promise<Readonly<Record<string, unknown>> | null> {
  const { changes } = context.ports.instance;
  const { signal } = context;
  const { relation, body } = repair;
  const projectId = projectIdOf(context);
  if (relation === 'settings') {
    await changes.edit(projectId, body, signal);
  } else if (current === null) {
    await changes.addRecord(projectId, relation, body, signal);
  } else if (isProtection(repair)) {
    await changes.removeRecord(projectId, relation, repair.key, signal);
    await changes.addRecord(projectId, relation, body, signal);
  } else {
    return changes.editRecord(projectId, relation, current, body, signal);
  }
  return currentOf(context, repair);
}

async function currentOf(
  context: StepContext,
  { relation, key }: Repair,
): Promise<Readonly<Record<string, unknown>> | null> {
  const { changes } = context.ports.instance;
  const projectId = projectIdOf(context);
  if (relation === 'settings') return (await changes.details(projectId, context.signal)).attributes;
  return changes.record(projectId, relation, key, context.signal);
}
