/** @file The specification: exports, imports and relation imports. */
import type { OperationId } from '../../../src-contract/operations.ts';
import type { Specified, Parameter } from './specified.ts';
import {
  badScope,
  badToken,
  badValue,
  onProject,
  readRefusals,
  rateLimited,
  writeRefusals,
} from './shared.ts';

const exportsRefused = [
  { status: 403, when: "the caller's role is below Maintainer (gitlab-facts 1.3)" },
  { status: 404, when: 'exports are disabled for the instance (gitlab-facts 1.3)' },
] as const;

const newPath = {
  name: 'path',
  type: 'string',
  required: true,
  note: 'name and path of the new project; its last part, without a slash (gitlab-facts 7)',
} as const satisfies Parameter;
const name = {
  name: 'name',
  type: 'string',
  note: 'default: the path',
} as const satisfies Parameter;
const namespace = {
  name: 'namespace',
  type: 'integer or string',
  note: "ID or path; default: the caller's namespace",
} as const satisfies Parameter;
const overwrite = {
  name: 'overwrite',
  type: 'boolean',
  defaultValue: false,
  note: 'replaces an existing project with the same path',
} as const satisfies Parameter;
const overrideParams = {
  name: 'override_params',
  type: 'hash',
  note: 'any attribute of projects; takes precedence over the archive',
} as const satisfies Parameter;
const archiveFile = {
  name: 'file',
  type: 'file',
  required: true,
  note: 'the archive',
} as const satisfies Parameter;

const importRefusals = [
  badToken,
  badScope,
  badValue,
  {
    status: 400,
    when: 'the name or path is taken or not valid, or the user may not create projects (gitlab-facts 1.3)',
  },
  { status: 403, when: 'the import source "GitLab export" is disabled (gitlab-facts 1.3)' },
  { status: 404, when: 'the namespace is missing or not visible (gitlab-facts 1.3)' },
  rateLimited,
] as const;
const remoteLimits = [
  'A remote file has at most 10 GB.',
  '6 imports of any kind in a minute for a user (gitlab-facts 4).',
] as const;
const importSize =
  'max_import_size, set by administrators, limits the archive; 0, the default, is unlimited.' as const;
const tooLarge = {
  status: 413,
  when: 'the archive is larger than max_import_size (gitlab-facts 1.4)',
} as const;
const notGzip = { status: 422, when: "the file's name does not end in .gz (gitlab-facts 1.3)" } as const;

export const transferOperations = {
  'start-export': {
    document: 2,
    title: 'Schedule an export',
    parameters: [
      onProject,
      { name: 'description', type: 'string', note: 'overrides the description of the project' },
      { name: 'upload', type: 'hash', note: 'the address to which the archive is uploaded' },
      { name: 'upload[url]', type: 'string', note: 'required when upload is present' },
      { name: 'upload[http_method]', type: 'string', values: ['PUT', 'POST'], defaultValue: 'PUT' },
    ],
    body: ['json', 'form'],
    successStatuses: [202],
    refusals: [
      ...writeRefusals,
      ...exportsRefused,
      { status: 400, when: 'the project is larger than max_export_size (gitlab-facts 1.3)' },
      { status: 400, when: 'an export of the caller is queued or running, from 18.5 (gitlab-facts 1.3)' },
      {
        status: 400,
        when: 'upload[url] is missing, blocked, or upload[http_method] is another (gitlab-facts 1.3)',
      },
    ],
    limits: [
      'max_export_size, set by administrators, limits the archive; 0, the default, is unlimited.',
      'Uploads to S3-compatible storage work for files up to 5 GB only.',
      'The upload has the header Content-Type: application/gzip, so a presigned URL must include it in its signature and stay valid until the export is complete.',
      'Deletes the previous file of the caller, even if the request is rejected (gitlab-facts 6).',
      '6 requests in a minute for a user (gitlab-facts 4).',
    ],
  },
  'get-export-status': {
    document: 2,
    title: 'Export status',
    parameters: [onProject],
    successStatuses: [200],
    refusals: [...readRefusals, ...exportsRefused],
    limits: ["Each user sees only the user's own exports, from 17.0.5 (gitlab-facts 6)."],
  },
  'download-export': {
    document: 2,
    title: 'Export download',
    parameters: [onProject],
    successStatuses: [200, 206, 302],
    refusals: [
      ...readRefusals,
      ...exportsRefused,
      {
        status: 404,
        when: 'there is no file, it has expired after 24 hours, or is not available yet (gitlab-facts 1.3, 6)',
      },
      { status: 416, when: 'the range begins after the end (gitlab-facts 6)' },
    ],
    limits: [
      'One request in a minute for a user and project, for a namespace from 14.10 to 17.9; failed ones, HEAD and ranges count (gitlab-facts 4).',
    ],
  },
  'import-file': {
    document: 2,
    title: 'Import a file',
    parameters: [archiveFile, newPath, name, namespace, overrideParams, overwrite],
    body: ['multipart'],
    successStatuses: [201],
    refusals: [...importRefusals, tooLarge, notGzip],
    limits: [importSize, '6 imports of any kind in a minute for a user (gitlab-facts 4).'],
  },
  'import-remote-file': {
    document: 2,
    title: 'Import a file from remote object storage (beta)',
    parameters: [
      { name: 'url', type: 'string', required: true, note: 'of the archive' },
      newPath,
      name,
      namespace,
      overwrite,
      overrideParams,
    ],
    body: ['json'],
    successStatuses: [201],
    refusals: [
      ...importRefusals,
      { status: 400, when: 'the URL is blocked or not https (gitlab-facts 1.3, 4)' },
      {
        status: 400,
        when: 'its response has no numeric Content-Length from 1 byte to 10 GiB (gitlab-facts 1.3)',
      },
      { status: 400, when: 'its Content-Type is not application/gzip, nor one of the two of gitlab-facts 4' },
      { status: 404, when: 'the feature flag is off (not documented)' },
    ],
    beta: 'import_project_from_remote_file',
    limits: remoteLimits,
  },
  'import-relation': {
    document: 2,
    title: 'Import a single relation (beta)',
    parameters: [
      archiveFile,
      {
        name: 'path',
        type: 'string',
        required: true,
        note: 'full path of an existing project (gitlab-facts 8)',
      },
      {
        name: 'relation',
        type: 'string',
        required: true,
        values: ['issues', 'milestones', 'ci_pipelines', 'merge_requests'],
      },
    ],
    body: ['multipart'],
    successStatuses: [201],
    refusals: [
      badToken,
      badScope,
      badValue,
      tooLarge,
      notGzip,
      { status: 404, when: 'there is no such project (gitlab-facts 1.3)' },
      { status: 400, when: 'the relation is another (gitlab-facts 1.3)' },
      { status: 403, when: "the caller's role is below Maintainer (gitlab-facts 1.3)" },
      { status: 409, when: 'a relation import of the project is in progress (gitlab-facts 1.3)' },
      { status: 400, when: 'an import of the project is in progress (gitlab-facts 1.3)' },
      rateLimited,
    ],
    beta: 'single_relation_import',
    limits: [
      'One relation import can be scheduled at a time per project.',
      importSize,
      '6 imports of any kind in a minute for a user (gitlab-facts 4).',
    ],
  },
  'list-relation-imports': {
    document: 2,
    title: 'Check relation import statuses',
    parameters: [onProject],
    successStatuses: [200],
    refusals: [
      ...readRefusals,
      { status: 403, when: "the caller's role is below Maintainer (gitlab-facts 1.3)" },
    ],
    limits: ['One list without pages (gitlab-facts 2).'],
  },
  'import-from-s3': {
    document: 2,
    title: 'Import a file from object storage by coordinates',
    parameters: [
      { name: 'access_key_id', type: 'string', required: true },
      { name: 'secret_access_key', type: 'string', required: true, note: 'a secret' },
      { name: 'bucket_name', type: 'string', required: true },
      { name: 'file_key', type: 'string', required: true },
      { name: 'region', type: 'string', required: true },
      { name: 'path', type: 'string', required: true, note: 'full path of the new project' },
      name,
      namespace,
      {
        ...overrideParams,
        note: 'named in the text, not among the attributes; GitLab accepts it (gitlab-facts 4)',
      },
    ],
    body: ['json'],
    successStatuses: [201],
    refusals: [
      ...importRefusals,
      { status: 400, when: 'the bucket cannot be opened or the file is not in it (gitlab-facts 1.3)' },
    ],
    // Specified as a final feature (gitlab-facts 13).
    limits: remoteLimits,
  },
  'get-import-status': {
    document: 2,
    title: 'Import status',
    parameters: [onProject],
    successStatuses: [200],
    refusals: readRefusals,
    limits: ['At most 100 failed relations are returned, the newest (gitlab-facts 5.5).'],
  },
} as const satisfies Partial<Record<OperationId, Specified>>;
