/**
 * @file The change that repairs a migrated project. Each request sets a value or adds a record with a unique name, and the record
 * is read before, so that a second attempt repeats nothing. A value that somebody changed after the comparison is left alone.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { Repair } from '../../../src-contract/migrations/repair.ts';
import type { Change } from '../../../src-contract/projects/change.ts';
import { repairedPartText } from '../../../src-contract/words/repairs.ts';
import { repairStateOf, type RepairState } from '../migrations/repairing/repair-state.ts';
import type { RecordRow } from '../../gitlab/projects/record-edits.ts';
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
  ...['request-refused', 'forbidden', 'role-too-low', 'not-found', 'already-exists'],
  ...['name-taken', 'invalid-input', 'feature-off'],
];

const whyNot: Record<Exclude<RepairState, 'open' | 'done'>, string> = {
  changed: 'The target has another value than at the time of the comparison.',
  gone: 'The target does not show it.',
};

export const repairChange = ({ repairs }: Extract<Change, { kind: 'repair' }>): ChangeSteps => ({
  requestName: 'repair',
  prepare: async (context) => createPreparedChange(context, context.job.project),
  async send(context) {
    const notRepaired: NotRepaired[] = [];
    const openIssues = new Set<string>();
    let sentCount = 0;
    for (const [index, repair] of repairs.entries()) {
      context.reportProgress({ done: index, total: repairs.length, unit: 'requests' });
      // The text of a confidential issue is not sent to one that everybody reads.
      const why = openIssues.has(repair.key)
        ? 'The issue is not confidential.'
        : await repairOnce(context, repair, () => {
            sentCount += 1;
          });
      if (why === null) continue;
      notRepaired.push({ what: repairedPartText(repair), why });
      if (repair.relation === 'issues' && repair.field === 'confidential') openIssues.add(repair.key);
    }
    // An earlier attempt may have sent some.
    return { ...changeEffect(projectIdOf(context), sentCount > 0 || context.attempt > 1), notRepaired };
  },
});

/** Sends a repair if the target still lacks it. Returns why it was not repaired; null if the target has the value. */
async function repairOnce(context: StepContext, repair: Repair, onSent: () => void): Promise<string | null> {
  try {
    const current = await currentOf(context, repair);
    const state = repairStateOf(repair, current);
    if (state === 'done') return null;
    if (state !== 'open') return whyNot[state];
    await sendRepair(context, repair, current);
    onSent();
    const repaired = await currentOf(context, repair);
    return repairStateOf(repair, repaired) === 'done'
      ? null
      : 'The instance accepted the request, but did not apply it.';
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (!refusals.includes(error.code)) throw error;
    return error.message;
  }
}

async function sendRepair(
  context: StepContext,
  { relation, body }: Repair,
  current: RecordRow | null,
): Promise<void> {
  const { changes } = context.ports.instance;
  const { signal } = context;
  const projectId = projectIdOf(context);
  if (relation === 'settings') await changes.edit(projectId, body, signal);
  else if (current === null) await changes.addRecord(projectId, relation, body, signal);
  else await changes.editRecord(projectId, relation, current, body, signal);
}

async function currentOf(context: StepContext, { relation, key }: Repair): Promise<RecordRow | null> {
  const { changes } = context.ports.instance;
  const projectId = projectIdOf(context);
  if (relation === 'settings') return (await changes.details(projectId, context.signal)).attributes;
  return changes.record(projectId, relation, key, context.signal);
}
