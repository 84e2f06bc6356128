/** @file The argument that names a migration, and the list of the migration's projects. */
import { Argument } from 'commander';
import { collectByOffset } from '../../reply-pages.ts';
import type { MigratingProject, MigratingState } from '../../../../src-contract/migrations/migration.ts';
import type { Session } from '../running/session.ts';

export const migrationArgument = (): Argument => new Argument('<migration>', 'its name or its id');

export interface ProjectFilter {
  state?: MigratingState;
  search?: string;
  limit?: number;
}

/** Returns all projects that match, up to `limit`. */
export async function listMigrationProjects(
  { client }: Pick<Session, 'client'>,
  migration: string,
  options: ProjectFilter = {},
): Promise<MigratingProject[]> {
  const { state = null, search = null, limit = Infinity } = options;
  const { projects } = await collectByOffset(limit, 'projects', (range) =>
    client.call('migration.projects', { migration, state, search, ...range }),
  );
  return projects;
}
