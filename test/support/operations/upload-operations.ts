/** @file The specification: the files that were uploaded to a project. */
import type { OperationId } from '../../../src-contract/operations.ts';
import type { Specified } from './specified.ts';
import { badPage, badValue, onProject, pageLimit, pages, readRefusals, writeRefusals } from './shared.ts';

const roleTooLow = {
  status: 403,
  when: "the caller's role is below Maintainer (gitlab-facts 2)",
} as const;

export const uploadOperations = {
  'upload-file': {
    document: 1,
    title: 'Upload a markdown file',
    parameters: [onProject, { name: 'file', type: 'file', required: true }],
    body: ['multipart'],
    successStatuses: [201],
    refusals: [
      ...writeRefusals,
      badValue,
      { status: 413, when: 'the file is larger than max_attachment_size (gitlab-facts 1.4)' },
    ],
    limits: ['A file has at most max_attachment_size, 100 MB by default (gitlab-facts 4).'],
  },
  'list-uploads': {
    document: 1,
    title: 'List uploads',
    parameters: [onProject, ...pages],
    successStatuses: [200],
    refusals: [...readRefusals, roleTooLow, badPage],
    limits: ['Newest first.', pageLimit],
  },
  // The specification names only the role; address and release are from gitlab-facts 2.
  'download-upload': {
    document: 1,
    title: 'Download an uploaded file',
    parameters: [onProject, { name: 'upload_id', type: 'integer', in: 'path', required: true }],
    successStatuses: [200, 206, 302],
    refusals: [
      ...readRefusals,
      roleTooLow,
      { status: 404, when: 'there is no such upload (gitlab-facts 1.2)' },
    ],
    limits: ['A server with object storage redirects to it (gitlab-facts 6, 10).'],
  },
} as const satisfies Partial<Record<OperationId, Specified>>;
