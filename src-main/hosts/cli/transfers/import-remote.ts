/** @file `packhorse import url` and `s3`: archives that GitLab fetches itself. */
import { Option, type Command } from 'commander';
import { archiveReference } from '../archives/archive-reference.ts';
import { asksGitlab } from '../instances/asks-gitlab.ts';
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
import { runWithApp, showProgress, takeToken } from '../running/session.ts';

interface RemoteOptions extends ImportTarget {
  path: string;
  archive?: string;
}

const remoteOptions = (command: Command): Command =>
  targetOptions(command)
    .addOption(required(new Option('--path <path>', 'path of the new project')))
    .option(
      '--archive <archive>',
      'the same archive, where it is at hand: what arrives is compared with it',
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

export function registerRemote(importing: Command): void {
  asksGitlab(
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

  asksGitlab(
    remoteOptions(
      importing
        .command('s3')
        .description('let GitLab fetch an archive from S3-compatible storage')
        .argument('<storage>', 'as "packhorse storage add" named it')
        .argument('<key>', 'of the object in its bucket'),
    ),
    'import-from-s3',
  ).action(async (storage: string, key: string, options: RemoteOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const request = { ...targetOf(options), storage, key };
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
