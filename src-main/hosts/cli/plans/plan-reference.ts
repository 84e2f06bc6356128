/** @file Finds a plan by the reference that was typed. */
import { Argument } from 'commander';
import { AppError } from '../../../../src-contract/errors.ts';
import type { PlanStatus } from '../../../../src-contract/plans/plan.ts';
import type { Session } from '../running/session.ts';

export const planArgument = (): Argument =>
  new Argument('<plan>', 'its name, its id, or the beginning of its id');

/** Finds a plan by name, id, or a unique beginning of its id. Throws `plan-missing`, `invalid-input`. */
export async function findPlan({ client }: Pick<Session, 'client'>, reference: string): Promise<PlanStatus> {
  const { plans } = await client.call('plan.list', {});
  const exact = plans.find(
    ({ plan }) => plan.id === reference || foldCase(plan.name) === foldCase(reference),
  );
  if (exact !== undefined) return exact;
  const [found, second] = plans.filter(({ plan }) => reference !== '' && plan.id.startsWith(reference));
  if (second !== undefined) throw new AppError('invalid-input', `Several plans begin with "${reference}".`);
  if (found === undefined) {
    throw new AppError('plan-missing', `There is no plan "${reference}".`, { details: { plan: reference } });
  }
  return found;
}

const foldCase = (name: string): string => name.trim().normalize('NFC').toLowerCase();
