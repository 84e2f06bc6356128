/** @file The operations of GitLab's API that the specification names (gitlab-facts 14 to 16), with their roles. */

/** The role on a project or group, or another requirement, for a request. */
export type RequiredAccess =
  /** Needs no token, for public data. */
  | 'anyone'
  | 'signed-in'
  /** Needs any default role on the project; any signed-in user for public and internal projects. */
  | 'reader'
  | 'maintainer'
  | 'owner'
  | 'administrator';

export interface Operation {
  /** Stable name, for example `fork-project`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v4`, with `:name` for each part to fill in. */
  readonly path: string;
  /** The lowest role that may call it. */
  readonly requiredAccess: RequiredAccess;
  /** The first release that has the operation. */
  readonly since?: string;
  /** Exists in paid tiers only. */
  readonly tier?: 'higher';
}

/** Endpoint, lowest role, and other limits. */
type Row = readonly [
  endpoint: `${Operation['method']} ${string}`,
  who: RequiredAccess,
  more?: Pick<Operation, 'since' | 'tier'>,
];

const rows = {
  'list-projects': ['GET /projects', 'anyone'],
  'list-user-projects': ['GET /users/:user_id/projects', 'anyone'],
  'list-contributed-projects': ['GET /users/:user_id/contributed_projects', 'anyone'],
  'list-starred-projects': ['GET /users/:user_id/starred_projects', 'anyone'],
  'list-forks': ['GET /projects/:id/forks', 'reader'],
  'get-project': ['GET /projects/:id', 'anyone'],
  'list-project-users': ['GET /projects/:id/users', 'reader'],
  'list-project-groups': ['GET /projects/:id/groups', 'reader'],
  'list-share-locations': ['GET /projects/:id/share_locations', 'reader'],
  'list-starrers': ['GET /projects/:id/starrers', 'reader'],
  'get-languages': ['GET /projects/:id/languages', 'reader'],
  'create-project': ['POST /projects', 'signed-in'],
  'create-project-for-user': ['POST /projects/user/:user_id', 'administrator'],
  'edit-project': ['PUT /projects/:id', 'maintainer'],
  'fork-project': ['POST /projects/:id/fork', 'reader'],
  'star-project': ['POST /projects/:id/star', 'reader'],
  'unstar-project': ['POST /projects/:id/unstar', 'reader'],
  'archive-project': ['POST /projects/:id/archive', 'owner'],
  'unarchive-project': ['POST /projects/:id/unarchive', 'owner'],
  'delete-project': ['DELETE /projects/:id', 'owner'],
  'restore-project': ['POST /projects/:id/restore', 'owner', { tier: 'higher' }],
  'upload-file': ['POST /projects/:id/uploads', 'reader'],
  'list-uploads': ['GET /projects/:id/uploads', 'maintainer', { since: '17.2' }],
  'download-upload': ['GET /projects/:id/uploads/:upload_id', 'maintainer', { since: '17.2' }],
  'start-export': ['POST /projects/:id/export', 'maintainer'],
  'get-export-status': ['GET /projects/:id/export', 'maintainer'],
  'download-export': ['GET /projects/:id/export/download', 'maintainer'],
  'import-file': ['POST /projects/import', 'maintainer'],
  'import-remote-file': ['POST /projects/remote-import', 'maintainer'],
  'import-relation': ['POST /projects/import-relation', 'maintainer', { since: '16.11' }],
  'list-relation-imports': ['GET /projects/:id/relation-imports', 'maintainer', { since: '16.11' }],
  'import-from-s3': ['POST /projects/remote-import-s3', 'maintainer', { since: '15.11' }],
  'get-import-status': ['GET /projects/:id/import', 'reader'],
  'list-tokens': ['GET /personal_access_tokens', 'signed-in'],
  'get-token': ['GET /personal_access_tokens/:id', 'signed-in', { since: '15.1' }],
  'get-own-token': ['GET /personal_access_tokens/self', 'signed-in', { since: '15.5' }],
  'rotate-token': ['POST /personal_access_tokens/:id/rotate', 'signed-in', { since: '16.0' }],
  'rotate-own-token': ['POST /personal_access_tokens/self/rotate', 'signed-in', { since: '16.10' }],
  'revoke-token': ['DELETE /personal_access_tokens/:id', 'signed-in'],
  'revoke-own-token': ['DELETE /personal_access_tokens/self', 'signed-in', { since: '15.0' }],
} as const satisfies Record<string, Row>;

export type OperationId = keyof typeof rows;

/** An operation of this file. Its id is one of `OperationId`. */
export type KnownOperation = Operation & { readonly id: OperationId };

const byId = Object.fromEntries(
  Object.entries<Row>(rows).map(([id, [endpoint, requiredAccess, limits]]) => {
    const [method, path] = endpoint.split(' ');
    return [id, { id, method, path, requiredAccess, ...limits }];
  }),
) as Record<OperationId, KnownOperation>;

export const operations: readonly KnownOperation[] = Object.values(byId);

export const operation = (id: OperationId): KnownOperation => byId[id];

/** Returns the endpoint as the specification writes it, for example `POST /projects/:id/fork`. */
export const endpointOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method} ${path}`;
