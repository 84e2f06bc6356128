/** @file Texts of storages (S3-compatible object storage), and of imports that GitLab downloads itself. */
import type { ImportSource } from '../../../src-contract/job.ts';

export const importSourceText = {
  source: 'Where the archive is',
  sources: {
    file: 'Here: a stored archive or a file',
    url: 'At an address that GitLab fetches',
    s3: 'In a storage (S3)',
  },
  url: 'Address of the archive',
  urlHint:
    'It must begin with https:// and tell type and length of the file, as presigned addresses do. It is a secret: it is sent once, kept in memory only, and gone from here then.',
  urlMissing: 'Give the address of the archive.',
  urlWrong: 'The address must begin with https:// or http://.',
  urlAgain: 'The address was sent and is not kept here; give it again.',
  storage: 'Storage',
  key: 'Key of the archive',
  keyHint: 'Its name in the bucket, with the folders before it.',
  storageMissing: 'Choose a storage.',
  keyMissing: 'Give the key of the archive.',
  storagesNone: 'No storage yet',
  storagesNoneText: 'A storage says in which bucket archives are, and how GitLab may read them.',
  storagesAdd: 'Add a storage in the settings',
  noOverwrite: 'GitLab replaces no project from a storage: choose a path that is free.',
  compare: 'Compare what arrives with an archive that is at hand',
  compareHint:
    'GitLab fetches the archive itself, so Packhorse has not read it. Choose the same archive here, if you have it, and what arrives is compared with it.',
  pathMissing: 'Give the path that the project gets.',
  /** The source of the archive of a running import; empty for a local file. */
  from: (source: ImportSource): string =>
    source.kind === 'url'
      ? `from ${source.address}`
      : source.kind === 's3'
        ? `from ${source.key} in the storage ${source.storage}`
        : '',
} as const;

export const storagesText = {
  title: 'Storages',
  explained:
    'Places in S3-compatible storage that GitLab imports archives from. The secret key is kept in the keychain and never shown again.',
  add: 'Add a storage…',
  noKeychain: 'There is no keychain that can be used',
  noKeychainText:
    'A secret key is kept in memory until Packhorse ends, and nowhere else. After that, edit the storage and give its key again.',
  none: 'No storage yet.',
  list: 'Known storages',
  where: (bucket: string, region: string) => `${bucket} in ${region}`,
  key: (accessKeyId: string) => `Access key ${accessKeyId}`,
  editOf: (name: string) => `Edit the storage ${name}`,
  removeOf: (name: string) => `Remove the storage ${name}`,
  addTitle: 'Add a storage',
  name: 'Name',
  nameHint: 'Its name here and on the command line: lower-case letters, digits, “.”, “_” and “-”',
  nameWrong: 'Use lower-case letters, digits, “.”, “_” and “-”; begin with a letter or digit.',
  nameTaken: 'There is a storage of that name already.',
  region: 'Region',
  regionHint: 'For example eu-central-1',
  bucket: 'Bucket',
  accessKeyId: 'Access key ID',
  secret: 'Secret access key',
  secretHint: 'It goes to the keychain of this system, and to the instance that imports.',
  secretInMemory: 'It is kept in memory until Packhorse ends, and goes to the instance that imports.',
  secretKept: 'Left empty: the one that is stored stays.',
  missing: 'Fill this in.',
  save: 'Save the storage',
  saved: (name: string) => `The storage ${name} is saved.`,
  removeTitle: (name: string) => `Remove the storage ${name}?`,
  removeText:
    'Its secret key is taken out of the keychain. Nothing in the storage itself changes; imports from it that have not begun will fail.',
  removeConfirm: 'Remove the storage',
  removed: (name: string) => `The storage ${name} is removed.`,
} as const;
