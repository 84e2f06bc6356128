/** @file Creates projects and changes their attributes, which the contract's `project-attributes.ts` lists. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '../../../src-contract/errors.ts';
import type { IgnoredAttribute } from '../../../src-contract/projects/ignored-attribute.ts';
import { ignoredAttributes } from '../../../src-contract/projects/project-attribute-answers.ts';
import { checkAttributes } from '../../../src-contract/projects/project-attribute-values.ts';
import type { AttributeUse, AttributeValues } from '../../../src-contract/projects/project-attributes.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import { isCapability } from '../instances/capabilities.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { multipartBody } from '../transfers/multipart.ts';
import { secretsOf } from '../transfers/presigned.ts';
import { type ProjectDetailsWire, projectDetailsWire } from './project-details.ts';
import { type IdOrPath, projectPath, toProject } from './project-wire.ts';

/**
 * `notTaken` has the attributes that the instance accepted but did not apply, for example because its tier lacks them.
 */
export interface ProjectEditResult {
  project: Project;
  notTaken: IgnoredAttribute[];
}

/**
 * Attributes by their names in GitLab's API. Invalid attributes are refused together, with all reasons. `avatar`
 * is the absolute path of a file; in an edit, the empty text removes the current one.
 */
type Attributes = Readonly<Record<string, unknown>>;

/**
 * Creates a project owned by the caller. `POST /projects`, anyone signed in who may create there, 201; 400 `path-taken`
 * or `request-refused`, 403 `forbidden` beyond a limit, 422 (gitlab-facts 14.3). Sent once.
 */
export const createProject = (
  client: InstanceClient,
  attributes: Attributes,
  call: Cancellable = {},
): Promise<ProjectEditResult> => send(client, 'POST', 'projects', 'create', attributes, call);

/**
 * Creates a project owned by another user. `POST /projects/user/:user_id`, administrators, 201; 403 `forbidden`, 404
 * `not-found` for an unknown user, otherwise like `createProject` (gitlab-facts 14.3). Sent once.
 */
export const createProjectForUser = (
  client: InstanceClient,
  userId: number,
  attributes: Attributes,
  call: Cancellable = {},
): Promise<ProjectEditResult> =>
  send(client, 'POST', `projects/user/${userId}`, 'createFor', attributes, call);

/**
 * `PUT /projects/:id`, Maintainer or Owner, 200; 400 `path-taken` or `request-refused`, 403 `forbidden`, 404
 * `project-missing`, 405 `project-moved` (gitlab-facts 14.3). Sent once.
 */
export const editProject = (
  client: InstanceClient,
  idOrPath: IdOrPath,
  attributes: Attributes,
  call: Cancellable = {},
): Promise<ProjectEditResult> =>
  send(client, 'PUT', projectPath(idOrPath), 'edit', attributes, { ...call, project: String(idOrPath) });

async function send(
  client: InstanceClient,
  method: 'POST' | 'PUT',
  path: string,
  use: AttributeUse,
  attributes: Attributes,
  { signal, project }: Cancellable & { project?: string },
): Promise<ProjectEditResult> {
  const checked = checkAttributes(use, attributes);
  const { avatar, ...plain } = checked;
  const importUrl = typeof plain['import_url'] === 'string' ? plain['import_url'] : '';
  const call = {
    signal,
    subject: 'project' as const,
    details: { project: project ?? nameOf(checked) },
    needs: Object.keys(checked).filter(isCapability),
    // The address may contain a user name and password.
    secrets: importUrl === '' ? [] : secretsOf(importUrl),
  };
  let response: ProjectDetailsWire;
  if (typeof avatar === 'string' && avatar !== '') {
    const body = await buildForm(avatar, plain);
    response = (await client.upload(method, path, body, projectDetailsWire, call)).data;
  } else {
    const sendJson = method === 'POST' ? client.postJson : client.putJson;
    response = (await sendJson(path, checked, projectDetailsWire, call)).data;
  }
  return { project: toProject(response), notTaken: ignoredAttributes(checked, response) };
}

const nameOf = ({ path, name }: AttributeValues): string =>
  [path, name].find((text) => typeof text === 'string') ?? '';

async function buildForm(avatar: string, attributes: AttributeValues) {
  const { size } = await stat(avatar).catch((error: unknown) => {
    const reason = (error as NodeJS.ErrnoException).code ?? null;
    const details = { path: avatar, reason };
    throw new AppError('invalid-input', `The file ${avatar} cannot be read.`, { details });
  });
  const fields = Object.entries(attributes).flatMap(([name, value]) => formFields(name, value));
  const file = { field: 'avatar', path: avatar, fileName: basename(avatar), sizeBytes: size, sha256: null };
  return multipartBody(fields, file);
}

/** A list such as `topics` becomes one `topics[]` per value; a hash becomes `name[key]`. */
function formFields(name: string, value: AttributeValues[string]): (readonly [string, string])[] {
  if (typeof value !== 'object') return [[name, String(value)]];
  if (Array.isArray(value)) return value.map((one: unknown) => [`${name}[]`, String(one)] as const);
  return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, String(one)] as const);
}
