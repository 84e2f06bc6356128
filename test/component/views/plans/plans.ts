/** @file Opens the view of plans for component tests. */
import { page } from 'vitest/browser';
import type { PlanDay, PlanStatus } from '../../../../src-contract/plans/plan.ts';
import PlansView from '../../../../src-renderer/views/plans/PlansView.svelte';
import type { RouteParameters } from '../../../../src-renderer/data/places/router.svelte.ts';
import { exampleProjectRow } from '../../support/examples.ts';
import { exampleInstance, examplePlan } from '../../support/overview-examples.ts';
import { scriptWindow, type Script, type ScriptedWindow } from '../../support/window.ts';
import { showView } from '../show-view.ts';

/** The card of a plan, by its name. */
export const card = (name: string) => page.getByRole('article', { name });
/** The button with exactly this name. */
export const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Thirty days up to 20 November. The last ones are `last`, the others have no run. */
export function exampleDays(...last: Pick<PlanDay, 'outcome' | 'runId'>[]): PlanDay[] {
  return Array.from({ length: 30 }, (_, at) => {
    const date = new Date(Date.UTC(2026, 9, 22 + at)).toISOString().slice(0, 10);
    const day = last[at - 30 + last.length];
    return { date, outcome: day?.outcome ?? null, runId: day?.runId ?? null };
  });
}

/** The plan `nightly` that the tests share, with these changes. */
export function examplePlanStatus(
  change: Partial<PlanStatus> = {},
  plan: Partial<PlanStatus['plan']> = {},
): PlanStatus {
  return { ...examplePlan({ name: 'nightly', ...plan }), ...change };
}

const filled: Script = {
  'instance.list': { instances: [exampleInstance(), exampleInstance({ name: 'lab' })] },
  'plan.list': { plans: [examplePlanStatus()] },
  'plan.history': { plans: [] },
  'run.forecast': { forecast: null },
  'plan.dueTimes': {
    times: ['2026-11-21T01:30:00.000Z', '2026-11-22T01:30:00.000Z'],
    timeZone: 'Europe/Berlin',
  },
  'project.page': {
    projects: [exampleProjectRow(), exampleProjectRow({ id: 2, fullPath: 'group/web' })],
    total: 2,
    lists: [],
  },
};

export async function openPlans(
  script: Script = {},
  at: { parameters?: RouteParameters; width?: number; height?: number } = {},
): Promise<ScriptedWindow> {
  const bridge = scriptWindow({ ...filled, ...script });
  await showView(PlansView, 'plans', at);
  return bridge;
}
