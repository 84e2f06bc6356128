/** @file Combines projects from an instance with their local backups. */
import type { Result } from '../../../src-contract/calls.ts';
import type { ProjectBackupSummary, Project, ProjectRow } from '../../../src-contract/projects/project.ts';
import { call } from '../../client.ts';

/** The maximum number of projects that one call accepts. */
const maxProjects = 500;

/** Returns a row for each project, in the same order. Sends no request to an instance. */
export async function withBackups(
  instance: string,
  projects: readonly Project[],
  signal?: AbortSignal,
): Promise<Result<ProjectRow[]>> {
  const summaries: ProjectBackupSummary[] = [];
  for (let from = 0; from < projects.length; from += maxProjects) {
    const batch = projects
      .slice(from, from + maxProjects)
      .map(({ id, fullPath, lastActivityAt, accessLevel }) => ({
        id,
        fullPath,
        lastActivityAt,
        accessLevel,
      }));
    const options = signal === undefined ? {} : { signal };
    const result = await call('project.held', { instance, projects: batch }, options);
    if (!result.ok) return result;
    summaries.push(...result.value.projects);
  }
  const rows = projects.flatMap((project, index) => {
    const summary = summaries[index];
    return summary === undefined ? [] : [{ ...project, instance, ...summary }];
  });
  return { ok: true, value: rows };
}
