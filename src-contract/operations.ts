/** @file The operations of GitLab's API that the specification names (gitlab-facts 14 to 16), with their roles. */

/** Roles on a project or group, and beyond them. */
export type RequiredAccess =
  /** Public data needs no token. */
  | 'anyone'
  | 'signed-in'
  /** Any default role on the project; every signed-in user for public and internal projects. */
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
  readonly who: RequiredAccess;
  /** First release that has it. */
  readonly since?: string;
  /** Exists in paid tiers only. */
  readonly tier?: 'higher';
}

const rows = [
  { id: 'list-projects', method: 'GET', path: '/projects', who: 'anyone' },
  { id: 'list-user-projects', method: 'GET', path: '/users/:user_id/projects', who: 'anyone' },
  {
    id: 'list-contributed-projects',
    method: 'GET',
    path: '/users/:user_id/contributed_projects',
    who: 'anyone',
  },
  { id: 'list-starred-projects', method: 'GET', path: '/users/:user_id/starred_projects', who: 'anyone' },
  { id: 'list-forks', method: 'GET', path: '/projects/:id/forks', who: 'reader' },
  { id: 'get-project', method: 'GET', path: '/projects/:id', who: 'anyone' },
  { id: 'list-project-users', method: 'GET', path: '/projects/:id/users', who: 'reader' },
  { id: 'list-project-groups', method: 'GET', path: '/projects/:id/groups', who: 'reader' },
  { id: 'list-share-locations', method: 'GET', path: '/projects/:id/share_locations', who: 'reader' },
  { id: 'list-starrers', method: 'GET', path: '/projects/:id/starrers', who: 'reader' },
  { id: 'get-languages', method: 'GET', path: '/projects/:id/languages', who: 'reader' },
  { id: 'create-project', method: 'POST', path: '/projects', who: 'signed-in' },
  { id: 'create-project-for-user', method: 'POST', path: '/projects/user/:user_id', who: 'administrator' },
  { id: 'edit-project', method: 'PUT', path: '/projects/:id', who: 'maintainer' },
  { id: 'fork-project', method: 'POST', path: '/projects/:id/fork', who: 'reader' },
  { id: 'star-project', method: 'POST', path: '/projects/:id/star', who: 'reader' },
  { id: 'unstar-project', method: 'POST', path: '/projects/:id/unstar', who: 'reader' },
  { id: 'archive-project', method: 'POST', path: '/projects/:id/archive', who: 'owner' },
  { id: 'unarchive-project', method: 'POST', path: '/projects/:id/unarchive', who: 'owner' },
  { id: 'delete-project', method: 'DELETE', path: '/projects/:id', who: 'owner' },
  { id: 'restore-project', method: 'POST', path: '/projects/:id/restore', who: 'owner', tier: 'higher' },
  { id: 'upload-file', method: 'POST', path: '/projects/:id/uploads', who: 'reader' },
  { id: 'list-uploads', method: 'GET', path: '/projects/:id/uploads', who: 'maintainer', since: '17.2' },
  {
    id: 'download-upload',
    method: 'GET',
    path: '/projects/:id/uploads/:upload_id',
    who: 'maintainer',
    since: '17.2',
  },
  { id: 'start-export', method: 'POST', path: '/projects/:id/export', who: 'maintainer' },
  { id: 'get-export-status', method: 'GET', path: '/projects/:id/export', who: 'maintainer' },
  { id: 'download-export', method: 'GET', path: '/projects/:id/export/download', who: 'maintainer' },
  { id: 'import-file', method: 'POST', path: '/projects/import', who: 'maintainer' },
  { id: 'import-remote-file', method: 'POST', path: '/projects/remote-import', who: 'maintainer' },
  {
    id: 'import-relation',
    method: 'POST',
    path: '/projects/import-relation',
    who: 'maintainer',
    since: '16.11',
  },
  {
    id: 'list-relation-imports',
    method: 'GET',
    path: '/projects/:id/relation-imports',
    who: 'maintainer',
    since: '16.11',
  },
  {
    id: 'import-from-s3',
    method: 'POST',
    path: '/projects/remote-import-s3',
    who: 'maintainer',
    since: '15.11',
  },
  { id: 'get-import-status', method: 'GET', path: '/projects/:id/import', who: 'reader' },
  { id: 'list-tokens', method: 'GET', path: '/personal_access_tokens', who: 'signed-in' },
  { id: 'get-token', method: 'GET', path: '/personal_access_tokens/:id', who: 'signed-in', since: '15.1' },
  {
    id: 'get-own-token',
    method: 'GET',
    path: '/personal_access_tokens/self',
    who: 'signed-in',
    since: '15.5',
  },
  {
    id: 'rotate-token',
    method: 'POST',
    path: '/personal_access_tokens/:id/rotate',
    who: 'signed-in',
    since: '16.0',
  },
  {
    id: 'rotate-own-token',
    method: 'POST',
    path: '/personal_access_tokens/self/rotate',
    who: 'signed-in',
    since: '16.10',
  },
  { id: 'revoke-token', method: 'DELETE', path: '/personal_access_tokens/:id', who: 'signed-in' },
  {
    id: 'revoke-own-token',
    method: 'DELETE',
    path: '/personal_access_tokens/self',
    who: 'signed-in',
    since: '15.0',
  },
] as const satisfies readonly Operation[];

export type OperationId = (typeof rows)[number]['id'];

/** An operation of the list: its id is one of the closed set. */
export type KnownOperation = Operation & { readonly id: OperationId };

export const operations: readonly KnownOperation[] = rows;

const byId = new Map<OperationId, KnownOperation>(operations.map((row) => [row.id, row]));

export function operation(id: OperationId): KnownOperation {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`There is no operation ${id}.`);
  return found;
}

/** Returns the operation as the specification writes its address, for example `POST /projects/:id/fork`. */
export const endpointOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method} ${path}`;
