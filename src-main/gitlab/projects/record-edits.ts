/** @file Reads, adds and edits single records of a project: what repairs of a migrated project send (gitlab-facts 14.6). */
import { AppError } from '../../../src-contract/errors.ts';
import type { RepairableRelation } from '../../../src-contract/migrations/repair.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import { valueOnError } from '../http/value-on-error.ts';
import type { Cancellable } from '../http/exchange.ts';
import { encodeId, projectPath } from './project-wire.ts';

export type RecordRow = Readonly<Record<string, unknown>>;
export type EditableRelation = Exclude<RepairableRelation, 'settings'>;

const recordWire = z.record(z.string(), z.unknown());

/** The relations whose lists find a record by its number. GitLab finds the others by their name in the path. */
const isNumbered = (relation: EditableRelation): boolean =>
  relation === 'issues' || relation === 'merge_requests' || relation === 'milestones';

/**
 * Returns a record as GitLab's lists show it; null if the project has none. `key` is the number of an issue, a merge request or a
 * milestone, otherwise a name. `GET /projects/:id/issues?iids[]=`, Guest, or `GET /projects/:id/labels/:name`, Guest, and
 * `GET /projects/:id/protected_branches/:name`, Maintainer, 200.
 */
export async function readRecord(
  client: InstanceClient,
  projectId: number,
  relation: EditableRelation,
  key: string,
  { signal }: Cancellable = {},
): Promise<RecordRow | null> {
  const call = { signal, details: { project: projectId } };
  const path = `${projectPath(projectId)}/${relation}`;
  if (isNumbered(relation)) {
    const { data } = await client.getJson(
      `${path}?iids[]=${encodeURIComponent(key)}`,
      z.array(recordWire),
      call,
    );
    return data[0] ?? null;
  }
  const found = client.getJson(`${path}/${encodeId(key)}`, recordWire, call).then(({ data }) => data);
  const record = await valueOnError({ 'not-found': null }, found);
  // GitLab takes the name of a label that begins with a number for an id.
  return record?.['name'] === key ? record : null;
}

/** Adds a record. `POST /projects/:id/labels` and the like, 201; 400 or 409 if the name is taken. Sent once. */
export async function addRecord(
  client: InstanceClient,
  projectId: number,
  relation: EditableRelation,
  body: RecordRow,
  { signal }: Cancellable = {},
): Promise<void> {
  const call = { signal, details: { project: projectId } };
  await client.postJson(`${projectPath(projectId)}/${relation}`, body, recordWire, call);
}

/** Edits the record that `readRecord` returned; `milestone` is the title of one. `PUT /projects/:id/issues/:iid` and the like, 200; 400, 403. Sent once. */
export async function editRecord(
  client: InstanceClient,
  projectId: number,
  relation: EditableRelation,
  { iid, id, name }: RecordRow,
  body: RecordRow,
  { signal }: Cancellable = {},
): Promise<RecordRow> {
  const key = relation === 'milestones' || relation === 'labels' ? id : isNumbered(relation) ? iid : name;
  const path = `${projectPath(projectId)}/${relation}/${encodeId(String(key))}`;
  const parameters = await withMilestoneId(client, projectId, body, { signal });
  const call = { signal, details: { project: projectId } };
  const { data } = await client.putJson(path, parameters, recordWire, call);
  return data;
}

/**
 * Returns the parameters with the id of the milestone in place of its title; 0 for none. Throws `not-found` if neither the project
 * nor a group above has it. `GET /projects/:id/milestones?title=`, Guest, 200.
 */
async function withMilestoneId(
  client: InstanceClient,
  projectId: number,
  body: RecordRow,
  { signal }: Cancellable,
): Promise<RecordRow> {
  const { milestone: title, ...others } = body;
  if (typeof title !== 'string') return body;
  if (title === '') return { ...others, milestone_id: 0 };
  const path = `${projectPath(projectId)}/milestones?include_ancestors=true&title=${encodeURIComponent(title)}`;
  const { data } = await client.getJson(path, z.array(recordWire), {
    signal,
    details: { project: projectId },
  });
  const found = data.find((each) => each['title'] === title);
  if (found === undefined) {
    throw new AppError('not-found', `The target has no milestone "${title}".`);
  }
  return { ...others, milestone_id: found['id'] };
}
