/** @file Texts of storages (S3-compatible object storage), and of imports that GitLab downloads itself. */
import type { ImportSource } from '../../../src-contract/runs/job.ts';

export const importSourceText = {
  source: 'Where the archive is',
  sources: {
    file: 'Here: a stored archive or a file',
    url: 'At an address from which GitLab downloads it',
    s3: 'In a storage (S3)',
  },
  url: 'Address of the archive',
  urlHint:
    'The server must send the content type and length of the file. Presigned URLs do this. The address is a secret: it is sent once, kept in memory only, and then cleared here.',
  urlMissing: 'Enter the address of the archive.',
  urlWrong: 'The address must start with https:// or http://.',
  urlAgain: 'The address was sent and is not kept here; enter it again.',
  storage: 'Storage',
  key: 'Key of the archive',
  keyHint: 'Its name in the bucket, including folders.',
  storageMissing: 'Choose a storage.',
  keyMissing: 'Enter the key of the archive.',
  storagesNone: 'No storage yet',
  storagesNoneText:
    'A storage consists of a bucket with archives and the access key that GitLab uses to read them.',
  storagesAdd: 'Add a storage in the settings',
  noOverwrite: 'GitLab cannot replace a project from a storage: choose a free path.',
  compare: 'Compare the result with a local archive',
  compareHint:
    'GitLab downloads the archive itself, so Packhorse has not read it. If you have the same archive, choose it here to compare the imported project with it.',
  pathMissing: 'Enter the path of the new project.',
  /** The source of the archive of a running import; empty for a local file. */
  sourceLabel: (source: ImportSource): string =>
    source.kind === 'url'
      ? `from ${source.address}`
      : source.kind === 's3'
        ? `from ${source.key} in the storage ${source.storage}`
        : '',
} as const;

export const storagesText = {
  title: 'Storages',
  explained:
    'S3-compatible storages from which GitLab imports archives. The secret key is kept in the keychain and never shown again.',
  add: 'Add a storage…',
  noKeychain: 'There is no usable keychain',
  noKeychainText:
    'A secret key is kept in memory until Packhorse stops, and nowhere else. After that, edit the storage and enter its key again.',
  none: 'No storage yet.',
  list: 'Known storages',
  bucketAndRegion: (bucket: string, region: string) => `${bucket} in ${region}`,
  key: (accessKeyId: string) => `Access key ${accessKeyId}`,
  editOf: (name: string) => `Edit the storage ${name}`,
  removeOf: (name: string) => `Remove the storage ${name}`,
  addTitle: 'Add a storage',
  name: 'Name',
  nameHint: 'Its name here and on the command line: lower-case letters, digits, “.”, “_” and “-”',
  nameWrong: 'Use lower-case letters, digits, “.”, “_” and “-”; begin with a letter or digit.',
  nameTaken: 'A storage with that name already exists.',
  region: 'Region',
  regionHint: 'For example eu-central-1',
  bucket: 'Bucket',
  accessKeyId: 'Access key ID',
  secret: 'Secret access key',
  secretHint: 'The key is stored in the keychain of this system, and sent to the instance that imports.',
  secretInMemory: 'The key is kept in memory until Packhorse stops, and sent to the instance that imports.',
  secretKept: 'If empty, the stored key is kept.',
  missing: 'Fill this in.',
  save: 'Save the storage',
  saved: (name: string) => `The storage ${name} is saved.`,
  removeTitle: (name: string) => `Remove the storage ${name}?`,
  removeText:
    'Its secret key is removed from the keychain. Nothing in the storage itself changes. Imports from it that have not started will fail.',
  removeConfirm: 'Remove the storage',
  removed: (name: string) => `The storage ${name} is removed.`,
} as const;
