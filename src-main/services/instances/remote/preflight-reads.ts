/** @file Adapts the client to the checks before a migration. Only reads. */
import { z } from '../../../../src-contract/schema.ts';
import type { ForecastNumbers, RecordList } from '../../../../src-contract/transfers/comparison-forecast.ts';
import { applicationSettings } from '../../../gitlab/instances/application-settings.ts';
import type { InstanceClient } from '../../../gitlab/http/client.ts';
import { valueOnError } from '../../../gitlab/http/value-on-error.ts';
import { getPage, perPage, reportedTotal } from '../../../gitlab/http/pages.ts';
import { exportStatus } from '../../../gitlab/transfers/exports.ts';
import { getGroup, groupAccessLevel } from '../../../gitlab/projects/groups.ts';
import { countMembers } from '../../../gitlab/instances/member-emails.ts';
import { projectPath } from '../../../gitlab/projects/project-wire.ts';
import { nullIfDenied } from '../../../gitlab/projects/relation-lists.ts';
import { projectDetails } from '../../../gitlab/projects/project-details.ts';
import { notExportedCounts } from '../../../gitlab/projects/not-exported-counts.ts';
import { getNamespace, getProject } from '../../../gitlab/projects/projects.ts';
import { currentUser, serverVersion, tokenInfo } from '../../../gitlab/instances/server.ts';
import { accessLevels } from '../../../jobs/migrations/access-levels.ts';
import type { NamespaceFacts, SideUser } from '../../../jobs/migrations/preflight/facts.ts';

const recordWire = z.object({
  state: z.string().nullish(),
  labels: z.array(z.unknown()).nullish(),
  milestone: z.unknown(),
});
const toHistories = ({ state, labels, milestone }: z.infer<typeof recordWire>) => ({
  histories:
    Number(state !== 'opened') + Number((labels ?? []).length > 0) + Number((milestone ?? null) !== null),
});

export type PreflightReads = ReturnType<typeof preflightReads>;

export function preflightReads(client: InstanceClient) {
  return {
    async instanceFacts(signal: AbortSignal) {
      const [{ version }, user, token, settings] = await Promise.all([
        serverVersion(client, { signal }),
        currentUser(client, { signal }),
        tokenInfo(client, { signal }),
        applicationSettings(client, { signal }),
      ]);
      return { version, user, token, settings };
    },
    /** `user` is the account whose role is read. */
    async namespaceFacts(fullPath: string, user: SideUser, signal: AbortSignal): Promise<NamespaceFacts> {
      const group = await valueOnError({ 'namespace-missing': null }, getGroup(client, fullPath, { signal }));
      if (group !== null) {
        const role = await groupAccessLevel(client, group.id, user.id, { signal });
        return { ...group, kind: 'group', role };
      }
      const namespace = await valueOnError(
        { 'namespace-missing': null },
        getNamespace(client, fullPath, { signal }),
      );
      return { ...noGroupFacts, fullPath, kind: namespace === null ? 'missing' : 'user' };
    },
    async sourceFacts(projectId: number, user: SideUser, signal: AbortSignal) {
      const request = projectDetails(client, projectId, { statistics: true, signal });
      const details = await valueOnError({ 'project-missing': null }, request);
      if (details === null) return null;
      const [extras, members, exportInfo] = await Promise.all([
        notExportedCounts(client, projectId, { signal }),
        countMembers(client, projectId, { signal }),
        valueOnError(
          { 'export-refused': null, 'role-too-low': null },
          exportStatus(client, projectId, { signal }),
        ),
      ]);
      const { project, attributes, statistics } = details;
      return {
        fullPath: project.fullPath,
        archived: project.archived,
        visibility: project.visibility,
        role: project.accessLevel,
        ownedByUser: isOwnedBy(attributes, user),
        markedForDeletionOn: project.markedForDeletionOn,
        sharedRunnersEnabled: booleanOrNull(attributes['shared_runners_enabled']),
        repositoryBytes: project.repositorySizeBytes,
        storageBytes: exportedBytes(statistics),
        exportState: exportInfo?.state ?? null,
        extras,
        members,
      };
    },
    /** Counts the records of a project, one list after another. Throws if the project cannot be read. */
    async comparedNumbers(projectId: number, signal: AbortSignal) {
      const startedAt = client.clock.monotonic();
      const options = { signal, details: { project: projectId } };
      const pathOf = (list: string): string => `${projectPath(projectId)}/${list}`;
      const totalOf = (list: string) => nullIfDenied(reportedTotal(client, pathOf(list), options));
      const recordList = async (list: string): Promise<RecordList> => {
        const page = await nullIfDenied(
          getPage(client, pathOf(list), {
            ...{ ...options, query: { scope: 'all', state: 'all' } },
            ...{ record: recordWire, toRecord: toHistories, page: { limit: perPage, signal } },
          }),
        );
        const { records = [], total = null } = page ?? {};
        const average = (count: (one: ReturnType<typeof toHistories>) => number): number =>
          records.reduce((sum, one) => sum + count(one), 0) / Math.max(1, records.length);
        return {
          total,
          historiesPerRecord: average(({ histories }) => histories),
        };
      };
      const numbers: ForecastNumbers = {
        issues: await recordList('issues'),
        mergeRequests: await recordList('merge_requests'),
        pipelines: await totalOf('pipelines'),
        branches: await totalOf('repository/branches'),
        tags: await totalOf('repository/tags'),
        snippets: await totalOf('snippets'),
        uploads: await totalOf('uploads'),
      };
      const msPerRequest = (client.clock.monotonic() - startedAt) / Object.keys(numbers).length;
      return { numbers, msPerRequest };
    },
    user: (signal: AbortSignal) => currentUser(client, { signal }),
    /**
     * Returns the facts that decide whether a project can be archived; `role` is null if unknown. Throws
     * `project-missing`. One request.
     */
    async archivedState(projectId: number, user: SideUser, signal: AbortSignal) {
      const { project, attributes } = await projectDetails(client, projectId, { signal });
      const isOwner = user.administrator || isOwnedBy(attributes, user);
      return { archived: project.archived, role: isOwner ? accessLevels.owner : project.accessLevel };
    },
    async existingProject(fullPath: string, signal: AbortSignal) {
      const found = await valueOnError({ 'project-missing': null }, getProject(client, fullPath, { signal }));
      if (found === null) return null;
      const { markedForDeletionOn, accessLevel: role } = found;
      return { fullPath: found.fullPath, markedForDeletionOn, role };
    },
  };
}

function isOwnedBy({ owner }: Record<string, unknown>, user: SideUser): boolean {
  return typeof owner === 'object' && owner !== null && 'id' in owner && owner.id === user.id;
}

const noGroupFacts = {
  visibility: null,
  projectCreation: null,
  subgroupCreation: null,
  sharedRunners: null,
  markedForDeletionOn: null,
  role: null,
};

/** The size that GitLab compares with its export limit: everything but artifacts and packages (gitlab-facts 4). */
function exportedBytes(statistics: Record<string, number> | null): number | null {
  const all = statistics?.['storage_size'];
  if (all === undefined) return null;
  const excludedBytes = (statistics?.['job_artifacts_size'] ?? 0) + (statistics?.['packages_size'] ?? 0);
  return Math.max(0, all - excludedBytes);
}

const booleanOrNull = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);
