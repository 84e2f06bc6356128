/** @file The command line that lists the same projects as the view that finds projects on an instance. */
import type { projectListKinds, ProjectQuery } from '../../../src-contract/projects/project-details.ts';
import { commandOf } from '../../kit/content/command-of.ts';

interface ListedProjects {
  list: (typeof projectListKinds)[number];
  subject: string | null;
  query: ProjectQuery;
}

/** The option `--starred` already names a list. */
const flagOf = (name: string): string => (name === 'starred' ? 'starred-by-me' : name.replaceAll('_', '-'));

export function projectFindCommand(instance: string, { list, subject, query }: ListedProjects): string {
  const { custom_attributes: custom = {}, ...plain } = query;
  const filters = Object.entries(plain).map(([name, value]) =>
    value === false ? ([`no-${flagOf(name)}`, true] as const) : ([flagOf(name), value] as const),
  );
  const ofUser = list === 'user' || list === 'contributed' || list === 'starred';
  return commandOf(
    [
      'project',
      'find',
      ...Object.entries(custom).flatMap(([key, value]) => ['--custom-attribute', `${key}=${value}`]),
    ],
    {
      instance,
      user: ofUser ? subject : null,
      contributed: list === 'contributed',
      starred: list === 'starred',
      group: list === 'group' ? subject : null,
      'forks-of': list === 'forks' ? subject : null,
      ...Object.fromEntries(filters),
    },
  );
}
