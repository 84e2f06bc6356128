/** @file Reads all attributes of one project, and its languages. */
import { AppError } from '../../../src-contract/errors.ts';
import type { ProjectDetails } from '../../../src-contract/projects/project-details.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import {
  projectCallOptions,
  optionalFieldsWire,
  type IdOrPath,
  projectPath,
  projectWire,
  statisticsOf,
  toProject,
} from './project-wire.ts';

/** The full view (gitlab-facts 14.1). Any field may be absent, depending on role, tier and release. */
export const projectDetailsWire = z.looseObject({
  ...projectWire.shape,
  star_count: z.number().int().nullish(),
  forks_count: z.number().int().nullish(),
  open_issues_count: z.number().int().nullish(),
  topics: z.array(z.string()).nullish(),
  tag_list: z.array(z.string()).nullish(),
  forked_from_project: z.object({ path_with_namespace: z.string(), web_url: z.string() }).nullish(),
  owner: z.object({ name: z.string() }).nullish(),
  license: z.object({ key: z.string(), name: z.string(), html_url: z.string().nullish() }).nullish(),
  ...optionalFieldsWire.shape,
});
export type ProjectDetailsWire = z.infer<typeof projectDetailsWire>;

interface DetailOptions extends Cancellable {
  license?: boolean;
  /** Requires an account, and at least the role Reporter for a result. */
  statistics?: boolean;
  /** Administrators only. */
  customAttributes?: boolean;
}

/**
 * `GET /projects/:id`, anyone if it is public, 200, 301 for a moved project, 404 `project-missing` (gitlab-facts 14.2).
 */
export async function projectDetails(
  client: InstanceClient,
  idOrPath: IdOrPath,
  { license, statistics, customAttributes, signal }: DetailOptions = {},
): Promise<ProjectDetails> {
  for (const [parameter, isRequested] of Object.entries({
    statistics,
    with_custom_attributes: customAttributes,
  })) {
    if (!client.anonymous || isRequested !== true) continue;
    const message = `"${parameter}" needs an account; this instance is used without one.`;
    throw new AppError('invalid-input', message, { details: { parameter } });
  }
  const { data } = await client.getJson(projectPath(idOrPath), projectDetailsWire, {
    ...projectCallOptions(idOrPath),
    query: { license, statistics, with_custom_attributes: customAttributes },
    signal,
  });
  return toDetails(data);
}

/** Returns percentages. `GET /projects/:id/languages`, any reader, 200, 404 `project-missing` (gitlab-facts 14.2). */
export async function projectLanguages(
  client: InstanceClient,
  idOrPath: IdOrPath,
  { signal }: Cancellable = {},
): Promise<Record<string, number>> {
  const shares = z.record(z.string(), z.number());
  const call = { ...projectCallOptions(idOrPath), signal };
  return (await client.getJson(`${projectPath(idOrPath)}/languages`, shares, call)).data;
}

function toDetails(wire: ProjectDetailsWire): ProjectDetails {
  const { forked_from_project: forkSource, license } = wire;
  const project = toProject(wire);
  return {
    project,
    attributes: attributesOf(wire),
    starCount: wire.star_count ?? null,
    forksCount: wire.forks_count ?? null,
    openIssuesCount: wire.open_issues_count ?? null,
    topics: wire.topics ?? wire.tag_list ?? [],
    forkedFrom: forkSource ? { fullPath: forkSource.path_with_namespace, webUrl: forkSource.web_url } : null,
    owner: wire.owner?.name ?? null,
    license: license ? { key: license.key, name: license.name, url: license.html_url ?? null } : null,
    statistics: statisticsOf(wire),
    customAttributes: wire.custom_attributes ?? null,
    markedForDeletionOn: project.markedForDeletionOn,
  };
}

/** Returns all fields except secrets: tokens, and the user name and password of an address. */
function attributesOf(wire: ProjectDetailsWire): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(wire)
      .filter(([name]) => !/(^|_)token$/.test(name))
      .map(([name, value]) => [name, typeof value === 'string' ? withoutCredentials(value) : value]),
  );
}

const withoutCredentials = (text: string): string =>
  text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#\s]*@/i, '$1');
