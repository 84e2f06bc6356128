/** @file `packhorse instance …`: the servers and accounts that Packhorse uses. */
import { rotationDays } from '../../../../src-contract/tokens/rotation-days.ts';
import type { Command } from 'commander';
import { userPath } from '../../../platform/paths.ts';
import {
  pacePresets,
  type Instance,
  type InstanceCheck,
  type PacePreset,
  type TokenSource,
} from '../../../../src-contract/instances/instance.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { confirmed } from '../terminal/confirm.ts';
import { formatTime, plural, printable, table } from '../terminal/format.ts';
import { choice, refuseNoChange, numberWithin } from '../terminal/options.ts';
import { refresh } from '../projects/project.ts';
import { requestsText } from '../terminal/request-text.ts';
import { givenToken, runWithApp, takeToken, tokenOptions, type TokenOptions } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';
import { misused } from '../terminal/misused.ts';

interface AddOptions extends TokenOptions {
  caFile?: string;
  pace: PacePreset;
  keychain: boolean;
  anonymous?: boolean;
}

interface ChangeOptions extends TokenOptions {
  readOnly?: boolean;
  proxy?: string | false;
  caFile?: string | false;
  rotateDaysBefore?: number | false;
}

const sources: Record<TokenSource, string> = {
  session: 'this command',
  environment: 'the environment',
  keychain: 'the keychain',
};

const checkText = (check: InstanceCheck): string =>
  [
    `${check.name}: ${check.url}`,
    `  GitLab       ${check.version ?? 'does not tell its version'}`,
    `  account      ${check.username ?? 'none'}${check.administrator ? ' (administrator)' : ''}`,
    ...(check.tokenSource === null
      ? []
      : [
          `  token        from ${sources[check.tokenSource]}; scopes ${check.scopes?.join(', ') ?? 'not said'}; expires ${check.expiresOn === null ? 'never, or not said' : `on ${check.expiresOn}`}`,
        ]),
    `  can          ${[check.canRead ? 'read' : null, check.canWrite ? 'export and import' : null].filter((word) => word !== null).join(', ') || 'nothing'}`,
    ...check.notes.map((note) => `  note         ${note}`),
  ].join('\n');

/** How many write requests are shown with an instance; `job log` shows those of a job. */
const lastRequests = 10;

/** Lists only settings that differ from the defaults. */
const useText = (instance: Instance): string[] => [
  ...(instance.anonymous ? ['Without an account: public projects only.'] : []),
  ...(instance.readOnly ? ['Read-only: nothing is changed there.'] : []),
  ...(instance.proxy === null ? [] : [`Through the proxy ${instance.proxy}.`]),
  ...(instance.caFile === null
    ? []
    : [`Certificates of ${printable(instance.caFile)} are believed there, too.`]),
  ...(instance.hasSpare ? ['A spare token is in the keychain.'] : []),
  ...(instance.rotateDaysBefore === null
    ? []
    : [`Its tokens are replaced ${plural(instance.rotateDaysBefore, 'day')} before they expire.`]),
  ...(instance.rotationLost === null
    ? []
    : [
        `Its token was replaced and the new one lost: make one at ${instance.rotationLost.page}, store it with "packhorse instance set-token", and revoke the lost one.`,
      ]),
];

const instanceText = (instance: Instance): string =>
  table(
    ['NAME', 'URL', 'ACCOUNT', 'GITLAB', 'PACE'],
    [[instance.name, instance.url, instance.username, instance.serverVersion, instance.pacePreset]],
  );

export function instanceCommand(program: Command): void {
  const instance = program.command('instance').description('the GitLab servers and accounts that are used');

  tokenOptions(
    instance
      .command('add')
      .description('add an instance, once its token was accepted')
      .argument('<name>', 'a short name of your choice')
      .argument('<url>', 'address of the instance, for example https://gitlab.example.com')
      .option('--ca-file <file>', 'PEM file of a private certificate authority')
      .addOption(
        choice(
          '--pace <preset>',
          'limits and waits: of a real server, or of the embedded one',
          pacePresets,
        ).default('gitlab'),
      )
      .option('--no-keychain', 'do not store the token; give it with each command')
      .option('--anonymous', 'without an account: public projects only, and nothing is changed'),
  ).action(async (name: string, url: string, options: AddOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      // The token belongs to the given address, so it must not reach another instance with the same name.
      const { instances } = await session.client.call('instance.list', {});
      if (instances.some((known) => known.name === name)) {
        throw new AppError('instance-exists', name, { details: { name } });
      }
      const { anonymous = false } = options;
      if (anonymous && (options.tokenStdin === true || options.tokenFile !== undefined)) {
        throw misused('Without an account there is no token: leave one of both out.');
      }
      const given = await takeToken(session, name, options);
      const added = await session.client.call('instance.add', {
        name,
        url,
        caFile: options.caFile === undefined ? null : userPath(options.caFile),
        pace: options.pace,
        keep: given && options.keychain ? 'keychain' : 'session',
        anonymous,
      });
      const forgotten = given && !options.keychain;
      session.terminal.result(added, () =>
        [
          checkText(added.check),
          'Added.',
          ...(forgotten
            ? ['The token was not stored; give it with each command, or in the environment.']
            : []),
        ].join('\n'),
      );
      return exitCodes.done;
    });
  });

  tokenOptions(
    instance
      .command('change')
      .description('how an instance is used; what is not named stays as it is')
      .argument('<name>')
      .option('--read-only', 'send no request there that changes something')
      .option('--no-read-only', 'allow changes again')
      .option('--proxy <url>', 'a proxy of its own')
      .option('--no-proxy', 'that of the settings, or none')
      .option('--ca-file <file>', 'PEM file of a private certificate authority')
      .option('--no-ca-file', 'the usual authorities alone')
      .option(
        '--rotate-days-before <days>',
        'replace its tokens by themselves so many days before they expire (while "daemon", "serve" or the window runs)',
        numberWithin(rotationDays),
      )
      .option('--no-rotate-days-before', 'do not replace them by themselves'),
  ).action(async (name: string, options: ChangeOptions, command: Command) => {
    refuseNoChange(command);
    await runWithApp(command, async (session) => {
      await takeToken(session, name, options);
      const { readOnly, proxy, caFile, rotateDaysBefore } = options;
      const changed = await session.client.call('instance.change', {
        name,
        ...(readOnly === undefined ? {} : { readOnly }),
        ...(proxy === undefined ? {} : { proxy: proxy === false ? null : proxy }),
        ...(caFile === undefined ? {} : { caFile: caFile === false ? null : userPath(caFile) }),
        ...(rotateDaysBefore === undefined
          ? {}
          : { rotateDaysBefore: rotateDaysBefore === false ? null : rotateDaysBefore }),
      });
      session.terminal.result(changed, () => [instanceText(changed), '', ...useText(changed)].join('\n'));
      return exitCodes.done;
    });
  });

  tokenOptions(
    instance
      .command('set-token')
      .description('check a new token and store it in the keychain')
      .argument('<name>'),
  ).action(async (name: string, options: TokenOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const token = await givenToken(options);
      if (token === null) throw misused('Give the new token with --token-stdin or --token-file.');
      const { lost } = await session.client.call('instance.setToken', { name, token, keep: 'keychain' });
      session.terminal.result({ name, stored: true, ...(lost === undefined ? {} : { lost }) }, () =>
        lost === undefined
          ? 'Stored in the keychain.'
          : `Stored in the keychain.\nThe token that was lost still works (id ${lost.id}, expires ${lost.expiresOn ?? 'never'}); revoke it with "packhorse token revoke ${lost.id} --instance ${name}".`,
      );
      return exitCodes.done;
    });
  });

  instance
    .command('list')
    .description('the known instances')
    .action(async (_options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const listed = await session.client.call('instance.list', {});
        session.terminal.result(listed, () =>
          listed.instances.length === 0
            ? 'No instance is known. Add one with "packhorse instance add NAME URL --token-stdin", or try "packhorse sandbox".'
            : table(
                ['NAME', 'URL', 'ACCOUNT', 'GITLAB', 'ADDED'],
                listed.instances.map((known) => [
                  known.name,
                  known.url,
                  known.username,
                  known.serverVersion,
                  formatTime(known.addedAt),
                ]),
              ),
        );
        return exitCodes.done;
      });
    });

  instance
    .command('show')
    .description('one instance, without asking it')
    .argument('<name>')
    .action(async (name: string, _options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const { instances } = await session.client.call('instance.list', {});
        const found = instances.find((candidate) => candidate.name === name);
        if (found === undefined) throw new AppError('instance-unknown', name, { details: { name } });
        const { requests } = await session.client.call('request.list', {
          instance: name,
          limit: lastRequests,
        });
        session.terminal.result({ ...found, requests }, () =>
          [
            instanceText(found),
            '',
            ...useText(found),
            ...(requests.length === 0
              ? []
              : ['', 'The last requests that may have changed something there:', requestsText(requests)]),
          ].join('\n'),
        );
        return exitCodes.done;
      });
    });

  tokenOptions(
    instance.command('check').description('ask the instance what the token can do').argument('<name>'),
  ).action(async (name: string, options: TokenOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      await takeToken(session, name, options);
      const check = await session.client.call('instance.check', { name });
      session.terminal.result(check, () => checkText(check));
      return check.canWrite ? exitCodes.done : exitCodes.partly;
    });
  });

  tokenOptions(
    instance
      .command('refresh')
      .description('fetch the list of its projects')
      .argument('<name>')
      .option('--visible', 'everything visible, not only where you are a member'),
  ).action(async (name: string, options: TokenOptions & { visible?: boolean }, command: Command) => {
    await runWithApp(command, async (session) => {
      await takeToken(session, name, options);
      const listed = await refresh(session, name, options.visible ?? false);
      session.terminal.result({ instance: name, ...listed }, () => `${plural(listed.projects, 'project')}.`);
      return exitCodes.done;
    });
  });

  instance
    .command('remove')
    .description('forget an instance, its token, its list of projects and its schedule; archives stay')
    .argument('<name>')
    .option('--yes', 'do not ask')
    .action(async (name: string, options: { yes?: boolean }, command: Command) => {
      await runWithApp(command, async (session) => {
        const request = { action: 'instance.remove', instance: name, project: null } as const;
        const confirmation = await confirmed(session, request, options);
        await session.client.call('instance.remove', { confirmation, name });
        session.terminal.result({ name, removed: true }, () => `Removed ${name}. Its archives stay.`);
        return exitCodes.done;
      });
    });
}
