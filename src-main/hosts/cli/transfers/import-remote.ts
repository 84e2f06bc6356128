/** @file `packhorse import url` and `s3`: archives that GitLab fetches itself. */
import { Option, type Command } from 'commander';
import { archiveReference } from '../archives/archive-reference.ts';
import { addOperationsHelp } from '../instances/asks-gitlab.ts';
import {
  followImport,
  overwriteConfirmed,
  overwriteOptions,
  targetOptions,
  type ImportTarget,
} from './import-result.ts';
import { archiveWord, required } from '../terminal/options.ts';
import { overridesIn } from '../projects/pairs.ts';
import { secretLine } from '../terminal/secret-input.ts';
import { runWithApp, showProgress, takeToken, type Session } from '../running/session.ts';

interface RemoteOptions extends ImportTarget {
  path: string;
  archive?: string;
}

interface S3Options extends RemoteOptions {
  secretStdin?: boolean;
}

const remoteOptions = (command: Command): Command =>
  targetOptions(command)
    .addOption(required(new Option('--path <path>', 'path of the new project')))
    .option(
      '--archive <archive>',
      'the same archive, if it is available: the imported project is compared with it',
      archiveWord,
    );

const targetOf = (options: RemoteOptions) => ({
  instance: options.instance,
  namespace: options.namespace ?? null,
  path: options.path,
  name: options.name ?? null,
  overrideParams: overridesIn(options.override),
  archive: options.archive === undefined ? null : archiveReference(options.archive),
});

/** Puts the secret access key of a known storage into memory, for this command alone. */
async function takeSecret(session: Session, name: string, options: S3Options): Promise<void> {
  const { storages } = await session.client.call('storage.list', {});
  const storage = storages.find((known) => known.name === name);
  // The call for the import reports a missing storage.
  if (storage === undefined) return;
  const secretAccessKey = await secretLine('secret access key', options);
  await session.client.call('storage.save', { storage, secretAccessKey, keep: 'session' });
}

export function registerRemote(importing: Command): void {
  addOperationsHelp(
    overwriteOptions(
      remoteOptions(
        importing
          .command('url')
          .description('let GitLab fetch an archive from an https:// address, which standard input gives'),
      ),
    ),
    'import-remote-file',
  ).action(async (options: RemoteOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const target = targetOf(options);
      const url = await secretLine('address', options);
      await takeToken(session, options.instance, options);
      const confirmation = await overwriteConfirmed(session, options);
      const request = { ...target, url, overwrite: options.overwrite ?? false, confirmation };
      const started = await session.client.call(
        'import.url',
        request,
        showProgress(session, 'Reading the archive'),
      );
      return followImport(session, started);
    });
  });

  addOperationsHelp(
    remoteOptions(
      importing
        .command('s3')
        .description('let GitLab fetch an archive from S3-compatible storage')
        .argument('<storage>', 'as "packhorse storage add" named it')
        .argument('<key>', 'of the object in its bucket')
        .option(
          '--secret-stdin',
          'read the secret access key from standard input (asked for without echo on a terminal); it is kept nowhere. Without it: PACKHORSE_S3_SECRET_<NAME>, or the keychain',
        ),
    ),
    'import-from-s3',
  ).action(async (storage: string, key: string, options: S3Options, command: Command) => {
    await runWithApp(command, async (session) => {
      const request = { ...targetOf(options), storage, key };
      if (options.secretStdin === true) await takeSecret(session, storage, options);
      await takeToken(session, options.instance, options);
      const started = await session.client.call(
        'import.s3',
        request,
        showProgress(session, 'Reading the archive'),
      );
      return followImport(session, started);
    });
  });
}
