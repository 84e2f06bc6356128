/** @file `packhorse storage …`: named buckets in S3-compatible storage that archives are imported from. */
import { tableOf } from '../terminal/format.ts';
import { readSecretLine } from '../terminal/secret-input.ts';
import type { AppCommand } from '../running/app-command.ts';
import { usageError } from '../terminal/options.ts';

interface AddOptions {
  region: string;
  bucket: string;
  accessKeyId: string;
  secretStdin?: boolean;
  keepNoSecret?: boolean;
}

export function registerStorage(program: AppCommand): void {
  const storage = program.subcommand('storage', 'buckets in S3-compatible storage for "packhorse import s3"');

  storage
    .subcommand('add', 'add or change a bucket; its secret access key is stored in the keychain')
    .argument('<name>', 'a name of your choice')
    .neededOption('--region <region>', 'for example eu-central-1')
    .neededOption('--bucket <bucket>')
    .neededOption('--access-key-id <id>')
    .option(
      '--secret-stdin',
      'read the secret access key from standard input (prompted without echo on a terminal); without this option the stored key stays',
    )
    .option(
      '--keep-no-secret',
      'do not store the key, for example without a keychain; give it to each import with --secret-stdin or PACKHORSE_S3_SECRET_<NAME>',
    )
    .withApp(async (session, name: string, options: AddOptions) => {
      const { region, bucket, accessKeyId, keepNoSecret = false } = options;
      if (keepNoSecret && options.secretStdin === true) {
        throw usageError('Give either --secret-stdin or --keep-no-secret, not both.');
      }
      const secretAccessKey =
        options.secretStdin === true ? await readSecretLine('secret access key', {}) : null;
      const saved = await session.client.call('storage.save', {
        storage: { name, region, bucket, accessKeyId },
        secretAccessKey,
        keep: keepNoSecret ? 'session' : 'keychain',
      });
      session.terminal.result(saved, () => `Saved ${name}.`);
    });

  storage.subcommand('list', 'list the stored buckets').withApp(async (session) => {
    const listed = await session.client.call('storage.list', {});
    session.terminal.result(listed, () =>
      listed.storages.length === 0
        ? 'No bucket is stored.'
        : tableOf(listed.storages, (one) => ({
            NAME: one.name,
            REGION: one.region,
            BUCKET: one.bucket,
            'ACCESS KEY': one.accessKeyId,
          })),
    );
  });

  storage
    .subcommand('remove', 'remove a bucket and its secret access key')
    .argument('<name>')
    .withApp(async (session, name: string) => {
      await session.client.call('storage.remove', { name });
      session.terminal.result({ name, removed: true }, () => `Removed ${name}.`);
    });
}
