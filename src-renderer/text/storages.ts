/** @file Words of storages (places in S3-compatible storage), and of imports that GitLab fetches itself. */
import type { ImportSource } from '../../src-preload/contract/job.ts';

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
  /** Where an import that is under way has its archive from; empty for one that was here. */
  from: (source: ImportSource): string =>
    source.kind === 'url'
      ? `from ${source.address}`
      : source.kind === 's3'
        ? `from ${source.key} in the storage ${source.storage}`
        : '',
} as const;

