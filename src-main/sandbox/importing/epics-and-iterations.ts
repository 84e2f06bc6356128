/**
 * @file The epics and iterations of imported issues, which belong to the groups of the project (gitlab-facts 5.7). An import uses only
 * iterations that a group has. Pure.
 */
import { isObject, type JsonRecord } from '../content/project-content.ts';
import { selfAndAncestors, type Iteration, type Namespace } from '../sandbox-database.ts';

const eventsColumn = 'resource_iteration_events';

/** Returns the iterations of the groups of a project in the namespace; null for a project without a group. */
export const iterationsOfGroups = (namespace: Namespace): readonly Iteration[] | null =>
  namespace.kind === 'group' ? selfAndAncestors(namespace).flatMap(({ iterations }) => iterations) : null;

/**
 * Returns the issue without what no group has; the same object if everything is kept. `lost` has the names of these fields.
 * @param iterations those of the project's groups; null for a project without a group.
 */
export function withKnownIterations(issue: JsonRecord, iterations: readonly Iteration[] | null) {
  const isKnown = (iteration: unknown): boolean =>
    isObject(iteration) && iterations?.some((each) => isSame(iteration, each)) === true;
  const { iteration, epic_issue: epic, [eventsColumn]: events } = issue;
  const changes = Array.isArray(events) ? events.filter(isObject) : [];
  const keptChanges = changes.filter((change) => isKnown(change['iteration']));
  const kept: JsonRecord = {
    ...(isObject(iteration) && !isKnown(iteration) && { iteration: null }),
    ...(isObject(epic) && iterations === null && { epic_issue: null }),
    ...(keptChanges.length < changes.length && { [eventsColumn]: keptChanges }),
  };
  const lost = Object.keys(kept);
  return { record: lost.length === 0 ? issue : { ...issue, ...kept }, lost };
}

function isSame(archived: JsonRecord, { iid, startDate, dueDate, cadence }: Iteration): boolean {
  const { iterations_cadence: archivedCadence } = archived;
  return (
    archived['iid'] === iid &&
    archived['start_date'] === startDate &&
    archived['due_date'] === dueDate &&
    isObject(archivedCadence) &&
    archivedCadence['title'] === cadence
  );
}
