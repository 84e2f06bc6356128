/** @file Finds the named migration, and its projects page by page. */
import { Argument } from 'commander';
import type { CallReply } from '../../../../src-contract/calls.ts';
import type { MigratingState } from '../../../../src-contract/migrations/migration.ts';
import type { Session } from '../running/session.ts';

export const migrationArgument = (): Argument => new Argument('<migration>', 'its name or its id');

type Projects = CallReply<'migration.projects'>['projects'];

const pageSize = 500;

/** Returns all projects that match, up to `limit`, reading page by page. */
export async function projectsOf(
  { client }: Pick<Session, 'client'>,
  migration: string,
  {
    state = null,
    search = null,
    limit = Infinity,
  }: { state?: MigratingState | null; search?: string | null; limit?: number } = {},
): Promise<Projects> {
  const found: Projects = [];
  for (;;) {
    const { projects, total } = await client.call('migration.projects', {
      migration,
      state,
      search,
      offset: found.length,
      limit: Math.min(pageSize, Math.max(1, limit - found.length)),
    });
    found.push(...projects);
    if (found.length >= Math.min(total, limit) || projects.length === 0) return found;
  }
}
