/** @file `packhorse storage …`: named places in S3-compatible storage that archives are imported from. */
import { Option, type Command } from 'commander';
import { table } from '../terminal/format.ts';
import { required } from '../terminal/options.ts';
import { secretLine } from '../terminal/secret-input.ts';
import { runWithApp } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';
import { misused } from '../terminal/misused.ts';

interface AddOptions {
  region: string;
  bucket: string;
  accessKeyId: string;
  secretStdin?: boolean;
  keepNoSecret?: boolean;
}

export function storageCommand(program: Command): void {
  const storage = program
    .command('storage')
    .description('places in S3-compatible storage for "packhorse import s3"');

  storage
    .command('add')
    .description('add a place or change one; its secret access key goes into the keychain')
    .argument('<name>', 'what you call it')
    .addOption(required(new Option('--region <region>', 'for example eu-central-1')))
    .addOption(required(new Option('--bucket <bucket>')))
    .addOption(required(new Option('--access-key-id <id>')))
    .option(
      '--secret-stdin',
      'read the secret access key from standard input (asked for without echo on a terminal); without it the stored one stays',
    )
    .option(
      '--keep-no-secret',
      'store the place alone, as without a keychain: each import is given the key by --secret-stdin or PACKHORSE_S3_SECRET_<NAME>',
    )
    .action(async (name: string, options: AddOptions, command: Command) => {
      await runWithApp(command, async (session) => {
        const { region, bucket, accessKeyId, keepNoSecret = false } = options;
        if (keepNoSecret && options.secretStdin === true) {
          throw misused('Give either --secret-stdin or --keep-no-secret, not both.');
        }
        const secretAccessKey =
          options.secretStdin === true ? await secretLine('secret access key', {}) : null;
        const saved = await session.client.call('storage.save', {
          storage: { name, region, bucket, accessKeyId },
          secretAccessKey,
          keep: keepNoSecret ? 'session' : 'keychain',
        });
        session.terminal.result(saved, () => `Saved ${name}.`);
        return exitCodes.done;
      });
    });

  storage
    .command('list')
    .description('the known places')
    .action(async (_options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const listed = await session.client.call('storage.list', {});
        session.terminal.result(listed, () =>
          listed.storages.length === 0
            ? 'No storage is known.'
            : table(
                ['NAME', 'REGION', 'BUCKET', 'ACCESS KEY'],
                listed.storages.map((one) => [one.name, one.region, one.bucket, one.accessKeyId]),
              ),
        );
        return exitCodes.done;
      });
    });

  storage
    .command('remove')
    .description('forget a place and its secret access key')
    .argument('<name>')
    .action(async (name: string, _options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        await session.client.call('storage.remove', { name });
        session.terminal.result({ name, removed: true }, () => `Removed ${name}.`);
        return exitCodes.done;
      });
    });
}
