/** @file Gives issues epics and iterations, which GitLab plans for a group. */
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';

const cadence = 'Weeks';
const startDates = ['2026-01-05', '2031-01-06'];
const ofCadence = { iterations_cadence: { title: cadence } };
/** The iterations of a group, as archives contain them. */
const plannedIteration = { ...ofCadence, iid: 1, start_date: '2026-01-05', due_date: '2026-01-11' };
export const otherIteration = { ...ofCadence, iid: 2, start_date: '2031-01-06', due_date: '2031-01-12' };

/** Gives the group of a project its iterations, unless it has them. */
export function addIterations({ state }: Pick<Sandbox, 'state'>, path: string): void {
  const group = path.slice(0, path.lastIndexOf('/'));
  if (state.hasIterations(group)) return;
  for (const startDate of startDates) state.addIteration(group, cadence, startDate);
}

/** Gives each issue of the project an epic, and the first iteration of its group with the change that added it. */
export function addEpicsAndIterations(source: Pick<Sandbox, 'state'>, path: string): void {
  addIterations(source, path);
  const edits = source.state.edits(path);
  for (const [index, { created_at: createdAt }] of edits.records('issues').entries()) {
    const added = { user_id: 1, action: 'add', created_at: createdAt, iteration: plannedIteration };
    edits.change('issues', index, {
      epic_issue: { relative_position: 1, epic: { iid: 1, title: 'Crossing' } },
      ...{ iteration: plannedIteration, resource_iteration_events: [added], updated_at: createdAt },
    });
  }
}
