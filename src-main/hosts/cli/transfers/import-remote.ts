/** @file `packhorse import url` and `s3`: archives that GitLab fetches itself. */
import { archiveReference } from '../archives/archive-reference.ts';
import {
  followImport,
  confirmOverwrite,
  addOverwriteOptions,
  addTargetOptions,
  type TargetOptions,
  importTarget,
  readingProgress,
} from './import-result.ts';
import { parseArchiveReference } from '../terminal/options.ts';
import { readSecretLine } from '../terminal/secret-input.ts';
import { useTokenOption, type Session } from '../running/session.ts';
import type { AppCommand } from '../running/app-command.ts';

interface RemoteOptions extends TargetOptions {
  path: string;
  archive?: string;
}

interface S3Options extends RemoteOptions {
  secretStdin?: boolean;
}

const remoteOptions = (command: AppCommand): AppCommand =>
  addTargetOptions(command)
    .neededOption('--path <path>', 'path of the new project')
    .option(
      '--archive <archive>',
      'a local copy of the same archive; the imported project is compared with it',
      parseArchiveReference,
    );

const targetOf = (options: RemoteOptions) => ({
  ...importTarget(options),
  path: options.path,
  archive: options.archive === undefined ? null : archiveReference(options.archive),
});

/** Puts the secret access key of a known storage into memory, for this command alone. */
async function useSecretOption(session: Session, name: string, options: S3Options): Promise<void> {
  const { storages } = await session.client.call('storage.list', {});
  const storage = storages.find((known) => known.name === name);
  // The call for the import reports a missing storage.
  if (storage === undefined) return;
  const secretAccessKey = await readSecretLine('secret access key', options);
  await session.client.call('storage.save', { storage, secretAccessKey, keep: 'session' });
}

export function registerRemoteImports(importCommand: AppCommand): void {
  importCommand
    .subcommand(
      'url',
      'let GitLab fetch an archive from an https:// address that is read from standard input',
    )
    .use(remoteOptions)
    .use(addOverwriteOptions)
    .operations('import-remote-file')
    .withApp(async (session, options: RemoteOptions) => {
      const target = targetOf(options);
      const url = await readSecretLine('address', options);
      await useTokenOption(session, options.instance, options);
      const confirmation = await confirmOverwrite(session, options);
      const request = { ...target, url, overwrite: options.overwrite ?? false, confirmation };
      const started = await session.client.call('import.url', request, readingProgress(session));
      return followImport(session, started);
    });

  importCommand
    .subcommand('s3', 'let GitLab fetch an archive from S3-compatible storage')
    .argument('<storage>', 'its name from "packhorse storage add"')
    .argument('<key>', 'the key of the object in its bucket')
    .option(
      '--secret-stdin',
      'read the secret access key from standard input (prompted without echo on a terminal); it is not stored. Without it: PACKHORSE_S3_SECRET_<NAME>, or the keychain',
    )
    .use(remoteOptions)
    .operations('import-from-s3')
    .withApp(async (session, storage: string, key: string, options: S3Options) => {
      const request = { ...targetOf(options), storage, key };
      if (options.secretStdin === true) await useSecretOption(session, storage, options);
      await useTokenOption(session, options.instance, options);
      const started = await session.client.call('import.s3', request, readingProgress(session));
      return followImport(session, started);
    });
}
