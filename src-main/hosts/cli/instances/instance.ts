/** @file `packhorse instance …`: the servers and accounts that Packhorse uses. */
import { rotationDays } from '../../../../src-contract/tokens/rotation-days.ts';
import {
  pacePresets,
  type Instance,
  type InstanceCheck,
  type PacePreset,
  type TokenSource,
} from '../../../../src-contract/instances/instance.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { requestConfirmation } from '../terminal/confirm.ts';
import { joinLines, formatTime, plural, toPrintable, table, tableOf, type Line } from '../terminal/format.ts';
import {
  numberWithin,
  resolveOptionPath,
  omitUndefined,
  falseToNull,
  usageError,
} from '../terminal/options.ts';
import { refreshProjectList } from '../projects/project.ts';
import { requestsText } from '../terminal/request-text.ts';
import { readTokenOption, useTokenOption, type TokenOptions } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';
import type { AppCommand } from '../running/app-command.ts';

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

const tokenSourceLabels: Record<TokenSource, string> = {
  session: 'this command',
  environment: 'the environment',
  keychain: 'the keychain',
};

const checkText = (check: InstanceCheck): string =>
  joinLines(
    `${check.name}: ${check.url}`,
    `  GitLab       ${check.version ?? 'unknown version'}`,
    `  account      ${check.username ?? 'none'}${check.administrator ? ' (administrator)' : ''}`,
    check.tokenSource !== null &&
      `  token        from ${tokenSourceLabels[check.tokenSource]}; scopes ${check.scopes?.join(', ') ?? 'unknown'}; expires ${check.expiresOn === null ? 'never or unknown' : `on ${check.expiresOn}`}`,
    `  can          ${[check.canRead ? 'read' : null, check.canWrite ? 'export and import' : null].filter((word) => word !== null).join(', ') || 'nothing'}`,
    check.notes.map((note) => `  note         ${note}`),
  );

const maxRequests = 10;

/** Lists only settings that differ from the defaults. */
const settingsText = (instance: Instance): Line[] => {
  const { anonymous, readOnly, proxy, caFile, hasSpare, rotateDaysBefore, rotationLost } = instance;
  return [
    anonymous && 'Without an account: public projects only.',
    readOnly && 'Read-only: Packhorse changes nothing on this instance.',
    proxy !== null && `Through the proxy ${proxy}.`,
    caFile !== null && `Also trusts the certificates in ${toPrintable(caFile)}.`,
    hasSpare && 'A spare token is in the keychain.',
    rotateDaysBefore !== null &&
      `Its tokens are replaced ${plural(rotateDaysBefore, 'day')} before they expire.`,
    rotationLost !== null &&
      `Its token was replaced and the new token was lost: create a token at ${rotationLost.page}, store it with "packhorse instance set-token", and revoke the lost one.`,
  ];
};

const instanceText = ({ name, url, username, serverVersion, pacePreset }: Instance): string =>
  table(['NAME', 'URL', 'ACCOUNT', 'GITLAB', 'PACE'], [[name, url, username, serverVersion, pacePreset]]);

export function registerInstance(program: AppCommand): void {
  const instance = program.subcommand('instance', 'the GitLab servers and accounts that are used');

  instance
    .subcommand('add', 'check a token, and add its instance')
    .argument('<name>', 'a short name of your choice')
    .argument('<url>', 'address of the instance, for example https://gitlab.example.com')
    .option('--ca-file <file>', 'PEM file of a private certificate authority')
    .choiceOption(
      '--pace <preset>',
      'rate limits and waits: for a real server, or for the embedded sandbox',
      pacePresets,
      'gitlab',
    )
    .option('--no-keychain', 'do not store the token; give it with each command')
    .option('--anonymous', 'use no account: only public projects, and read-only')
    .tokenOptions()
    .withApp(async (session, name: string, url: string, options: AddOptions) => {
      // The token belongs to the given address, so it must not reach another instance with the same name.
      const { instances } = await session.client.call('instance.list', {});
      if (instances.some((entry) => entry.name === name)) {
        throw new AppError('instance-exists', name, { details: { name } });
      }
      const { anonymous = false } = options;
      if (anonymous && (options.tokenStdin === true || options.tokenFile !== undefined)) {
        throw usageError('Give either --anonymous or a token, not both.');
      }
      const hasToken = await useTokenOption(session, name, options);
      const reply = await session.client.call('instance.add', {
        name,
        url,
        caFile: resolveOptionPath(options.caFile) ?? null,
        pace: options.pace,
        keep: hasToken && options.keychain ? 'keychain' : 'session',
        anonymous,
      });
      session.terminal.result(reply, () =>
        joinLines(
          checkText(reply.check),
          'Added.',
          hasToken &&
            !options.keychain &&
            'The token was not stored. Pass it with each command, or set it in the environment.',
        ),
      );
    });

  instance
    .subcommand('change', 'change how an instance is used; other settings stay as they are')
    .argument('<name>')
    .option('--read-only', 'send only requests that change nothing')
    .option('--no-read-only', 'allow changes again')
    .option('--proxy <url>', 'a proxy for this instance only')
    .option('--no-proxy', 'use the proxy of the settings, if there is one')
    .option('--ca-file <file>', 'PEM file of a private certificate authority')
    .option('--no-ca-file', 'trust only the usual authorities')
    .option(
      '--rotate-days-before <days>',
      'rotate its tokens automatically this many days before they expire (while "daemon", "serve" or the window runs)',
      numberWithin(rotationDays),
    )
    .option('--no-rotate-days-before', 'do not rotate its tokens automatically')
    .tokenOptions()
    .requireChange()
    .withApp(async (session, name: string, options: ChangeOptions) => {
      await useTokenOption(session, name, options);
      const { readOnly, proxy, caFile, rotateDaysBefore } = options;
      const reply = await session.client.call('instance.change', {
        name,
        ...omitUndefined({
          readOnly,
          proxy: falseToNull(proxy),
          caFile: caFile === false ? null : resolveOptionPath(caFile),
          rotateDaysBefore: falseToNull(rotateDaysBefore),
        }),
      });
      session.terminal.result(reply, () => joinLines(instanceText(reply), '', settingsText(reply)));
    });

  instance
    .subcommand('set-token', 'check a new token and store it in the keychain')
    .argument('<name>')
    .tokenOptions()
    .withApp(async (session, name: string, options: TokenOptions) => {
      const token = await readTokenOption(options);
      if (token === null) throw usageError('Give the new token with --token-stdin or --token-file.');
      const { lost } = await session.client.call('instance.setToken', { name, token, keep: 'keychain' });
      session.terminal.result({ name, stored: true, lost }, () =>
        lost === undefined
          ? 'Stored in the keychain.'
          : `Stored in the keychain.\nThe token that was lost still works (id ${lost.id}, expires ${lost.expiresOn ?? 'never'}); revoke it with "packhorse token revoke ${lost.id} --instance ${name}".`,
      );
    });

  instance.subcommand('list', 'the known instances').withApp(async (session) => {
    const reply = await session.client.call('instance.list', {});
    session.terminal.result(reply, () =>
      reply.instances.length === 0
        ? 'No instance is known. Add one with "packhorse instance add NAME URL --token-stdin", or try "packhorse sandbox".'
        : tableOf(reply.instances, (entry) => ({
            NAME: entry.name,
            URL: entry.url,
            ACCOUNT: entry.username,
            GITLAB: entry.serverVersion,
            ADDED: formatTime(entry.addedAt),
          })),
    );
  });

  instance
    .subcommand('show', 'show one instance, without contacting it')
    .argument('<name>')
    .withApp(async (session, name: string) => {
      const { instances } = await session.client.call('instance.list', {});
      const found = instances.find((candidate) => candidate.name === name);
      if (found === undefined) throw new AppError('instance-unknown', name, { details: { name } });
      const filter = { instance: name, limit: maxRequests };
      const { requests } = await session.client.call('request.list', filter);
      session.terminal.result({ ...found, requests }, () =>
        joinLines(
          instanceText(found),
          '',
          settingsText(found),
          requests.length > 0 && [
            '',
            'The last requests that may have changed something on this instance:',
            requestsText(requests),
          ],
        ),
      );
    });

  instance
    .subcommand('check', 'check what the token can do on the instance')
    .argument('<name>')
    .tokenOptions()
    .withApp(async (session, name: string, options: TokenOptions) => {
      await useTokenOption(session, name, options);
      const check = await session.client.call('instance.check', { name });
      session.terminal.result(check, () => checkText(check));
      return check.canWrite ? exitCodes.done : exitCodes.partly;
    });

  instance
    .subcommand('refresh', 'fetch the list of its projects')
    .argument('<name>')
    .option('--visible', 'all visible projects, not only those you are a member of')
    .tokenOptions()
    .withApp(async (session, name: string, options: TokenOptions & { visible?: boolean }) => {
      await useTokenOption(session, name, options);
      const reply = await refreshProjectList(session, name, options.visible ?? false);
      session.terminal.result({ instance: name, ...reply }, () => `${plural(reply.projects, 'project')}.`);
    });

  instance
    .subcommand('remove', 'remove an instance, its token, its list of projects and its plans; archives stay')
    .argument('<name>')
    .option('--yes', 'skip the confirmation')
    .withApp(async (session, name: string, options: { yes?: boolean }) => {
      const request = { action: 'instance.remove', instance: name, project: null } as const;
      const confirmation = await requestConfirmation(session, request, options);
      await session.client.call('instance.remove', { confirmation, name });
      session.terminal.result({ name, removed: true }, () => `Removed ${name}. Its archives stay.`);
    });
}
