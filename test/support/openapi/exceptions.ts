/**
 * @file The differences between the sandbox and GitLab's own description of its API, each with the reason. The
 * specification takes precedence over the description. A test fails on an unlisted difference, and on a line without a
 * difference.
 */

export type Difference =
  /** A described field that the reply lacks. */
  | 'missing'
  /** A field that is not described. */
  | 'extra'
  /** A field of another type. */
  | 'wrong type'
  /** Another success status. */
  | 'status'
  /** A described value or parameter that is refused. */
  | 'refused'
  /** A described parameter without effect. */
  | 'ignored'
  /** A wrong value that is accepted. */
  | 'wrong value';

export interface Exception {
  difference: Difference;
  /** Names of operations, or prefixes followed by `*`. */
  operations: readonly string[];
  /** Names of fields or parameters, or prefixes followed by `*`. */
  names: readonly string[];
  reason: string;
}

const everywhere = ['*'];
const lists = [
  'GET /projects',
  'GET /users/{user_id}/projects',
  'GET /users/{user_id}/contributed_projects',
  'GET /users/{user_id}/starred_projects',
  'GET /projects/{id}/forks',
];
const uploads = ['POST /projects/import', 'POST /projects/import-relation'];

export const exceptions: readonly Exception[] = [
  {
    difference: 'missing',
    operations: ['*'],
    names: ['owner.avatar_path', 'owner.custom_attributes', 'avatar_path', 'custom_attributes'],
    reason: 'GitLab adds them only for parameters of the users interface, which these operations do not have',
  },
  {
    difference: 'missing',
    operations: [...lists, 'P*'],
    names: ['license', 'license_url', 'statistics'],
    reason: 'shown only if requested; these operations have no parameter for it',
  },
  {
    difference: 'missing',
    operations: ['P*', 'GET /projects/{id}/forks'],
    names: ['import_error'],
    reason: 'GitLab shows it in a single read only',
  },
  {
    difference: 'missing',
    operations: ['POST /projects', 'POST /projects/user/{user_id}'],
    names: ['forked_from_project', 'mr_default_target_self'],
    reason: 'only forks have them; a new project is no fork',
  },
  {
    difference: 'missing',
    operations: everywhere,
    names: ['forked_from_project.custom_attributes'],
    reason: 'the source of a fork is shown in the simple view of gitlab-facts 14.1',
  },
  {
    difference: 'missing',
    operations: ['POST /projects/import-relation'],
    names: ['created_at', 'updated_at'],
    reason: 'gitlab-facts 15.3 gives the times only in the list',
  },
  {
    difference: 'missing',
    operations: ['GET /projects/{id}/share_locations'],
    names: ['*'],
    reason: 'the description names the shape of a single group; gitlab-facts 14.1 gives six fields',
  },
  {
    difference: 'missing',
    operations: ['GET /projects/{id}/starrers'],
    names: ['*'],
    reason:
      'the description names the shape of a user; gitlab-facts 14.1 puts that below `user`, beside `starred_since`',
  },
  {
    difference: 'extra',
    operations: ['GET /projects/{id}/starrers'],
    names: ['starred_since', 'user'],
    reason: 'gitlab-facts 14.1',
  },
  {
    difference: 'missing',
    operations: ['GET /projects/{id}/relation-imports'],
    names: ['*'],
    reason:
      'the description names the shape of an import status; gitlab-facts 15.3 gives that of a relation import',
  },
  {
    difference: 'extra',
    operations: ['GET /projects/{id}/relation-imports'],
    names: ['project_path', 'relation', 'status', 'updated_at'],
    reason: 'gitlab-facts 15.3',
  },
  {
    difference: 'extra',
    operations: everywhere,
    names: ['owner.created_at', 'container_expiration_policy.name_regex_delete'],
    reason: 'gitlab-facts 14.1 has them',
  },
  {
    difference: 'extra',
    operations: everywhere,
    names: ['show_default_award_emojis'],
    reason: 'a setting of gitlab-facts 14.3; real answers have it',
  },
  {
    difference: 'extra',
    operations: lists,
    names: ['permissions'],
    reason: 'gitlab-facts 14.1 has them in every full view; the description has the simple view for lists',
  },
  {
    difference: 'status',
    operations: ['POST /personal_access_tokens/{id}/rotate'],
    names: ['200'],
    reason: 'gitlab-facts 16',
  },
  {
    difference: 'wrong value',
    operations: uploads,
    names: ['file.size'],
    reason: 'set by the layer in front of the API, not by clients',
  },
  {
    difference: 'wrong value',
    operations: ['POST /projects/user/{user_id}'],
    names: ['template_project_id'],
    reason: 'gitlab-facts 14.3 leaves it out of what this operation accepts',
  },
  {
    difference: 'ignored',
    operations: ['POST /projects/user/{user_id}'],
    names: ['container_expiration_policy_attributes'],
    reason: 'gitlab-facts 14.3 leaves it out of what this operation accepts',
  },
  {
    difference: 'refused',
    operations: ['POST /projects/user/{user_id}'],
    names: ['template_project_id*'],
    reason: 'gitlab-facts 14.3 leaves it out of what this operation accepts, so the template is not known',
  },
  {
    difference: 'refused',
    operations: lists.slice(1),
    names: [
      'order_by=similarity',
      'order_by=storage_size',
      'order_by=repository_size',
      'order_by=wiki_size',
      'order_by=packages_size',
    ],
    reason: 'gitlab-facts 14.2 has these orders for the list of all projects only',
  },
];

const matches = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : pattern === text,
  );

/** Records which lines excused a difference. */
export class ExceptionBook {
  readonly #used = new Set<Exception>();

  /** Returns the `names` that no line excuses. */
  unexcused(difference: Difference, operation: string, names: readonly string[]): string[] {
    return names.filter((name) => {
      const excuse = exceptions.find(
        (row) =>
          row.difference === difference && matches(row.operations, operation) && matches(row.names, name),
      );
      if (excuse !== undefined) this.#used.add(excuse);
      return excuse === undefined;
    });
  }

  /** Returns lines that excuse nothing. */
  get unused(): Exception[] {
    return exceptions.filter((row) => !this.#used.has(row));
  }
}
