/** @file `packhorse token …`: the personal access tokens of an instance's account. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { z } from '../../../../src-contract/schema.ts';
import { type ListedToken, type TokenFilter, type TokenSlot } from '../../../../src-contract/tokens/token.ts';
import { addOperationsHelp } from '../instances/asks-gitlab.ts';
import { confirmInTerminal, confirmed } from '../terminal/confirm.ts';
import { formatTime, printable, table } from '../terminal/format.ts';
import { followToken } from './token-follow.ts';
import { checkPlace, rotateForPerson, type RotateOptions } from './token-rotate.ts';
import { choice, limitOption, required, wholeNumber } from '../terminal/options.ts';
import {
  givenToken,
  runWithApp,
  takeToken,
  tokenOptions,
  type Session,
  type TokenOptions,
} from '../running/session.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import { misused } from '../terminal/misused.ts';

interface OnInstance extends TokenOptions {
  instance: string;
}

interface ListOptions extends OnInstance {
  state?: 'active' | 'inactive';
  revoked?: 'yes' | 'no';
  search?: string;
  createdAfter?: string;
  createdBefore?: string;
  lastUsedAfter?: string;
  lastUsedBefore?: string;
  user?: string;
  limit: number;
}

const pageSize = 100;
const idOption = wholeNumber(1, 999_999_999);

function day(text: string): string {
  if (z.iso.date().safeParse(text).success) return text;
  throw new InvalidArgumentError('Give a day as YYYY-MM-DD.');
}

/** Adds the shared parts of a command about the tokens of one instance. */
function about(command: Command): Command {
  return tokenOptions(command.addOption(required(new Option('--instance <name>', 'the instance'))));
}

const slotText = ({ slot }: ListedToken): string =>
  slot === 'main' ? 'in use' : slot === 'spare' ? 'spare' : '';

/** Explains the effect of revoking a token that Packhorse uses. */
const endOf: Record<TokenSlot, string> = {
  main: 'This is the token in use: the instance then rests until another one is given.',
  spare: 'This is the spare token: the one in use can then no longer be replaced safely.',
};

function stateText({ active, revoked }: ListedToken): string {
  if (active) return 'active';
  return revoked ? 'revoked' : 'expired';
}

const listText = (tokens: readonly ListedToken[]): string =>
  table(
    ['ID', 'NAME', 'STATE', 'EXPIRES', 'LAST USED', 'SCOPES', ''],
    tokens.map((token) => [
      String(token.id),
      printable(token.name),
      stateText(token),
      token.expiresOn ?? 'never',
      token.lastUsedAt === null ? 'never' : formatTime(token.lastUsedAt),
      token.scopes.join(' '),
      slotText(token),
    ]),
  );

const tokenText = (token: ListedToken): string =>
  [
    `id           ${token.id}${token.slot === null ? '' : ` (${slotText(token)})`}`,
    `name         ${printable(token.name)}`,
    ...(token.description === null ? [] : [`description  ${printable(token.description)}`]),
    `state        ${stateText(token)}`,
    `expires      ${token.expiresOn ?? 'never'}`,
    `scopes       ${token.scopes.join(', ')}`,
    `user         ${token.userId}`,
    `created      ${formatTime(token.createdAt)}`,
    `last used    ${token.lastUsedAt === null ? 'never' : formatTime(token.lastUsedAt)}`,
  ].join('\n');

async function list(session: Session, options: ListOptions): Promise<ExitCode> {
  const { instance, limit } = options;
  await takeToken(session, instance, options);
  const filter: TokenFilter = {
    state: options.state ?? null,
    revoked: options.revoked === undefined ? null : options.revoked === 'yes',
    search: options.search ?? null,
    createdAfter: options.createdAfter ?? null,
    createdBefore: options.createdBefore ?? null,
    lastUsedAfter: options.lastUsedAfter ?? null,
    lastUsedBefore: options.lastUsedBefore ?? null,
    user: options.user ?? null,
  };
  const tokens: ListedToken[] = [];
  let cursor: string | null = null;
  do {
    // All pages have one size, because the cursor counts pages.
    const page: CallReply<'token.list'> = await session.client.call('token.list', {
      instance,
      filter,
      cursor,
      limit: pageSize,
    });
    tokens.push(...page.tokens);
    cursor = page.next;
  } while (cursor !== null && tokens.length < limit);
  const shown = tokens.slice(0, limit);
  const more = cursor !== null || tokens.length > shown.length;
  session.terminal.result({ tokens: shown, more }, () =>
    shown.length === 0
      ? 'There is no such token.'
      : [listText(shown), ...(more ? ['', 'There are more; see --limit.'] : [])].join('\n'),
  );
  return exitCodes.done;
}

/**
 * Asks before a rotation without a spare: a lost reply of the instance would lose the token, and with it the access of
 * the account.
 */
async function agreedWithoutSpare(session: Session, name: string): Promise<void> {
  const { instances } = await session.client.call('instance.list', {});
  if (instances.find((known) => known.name === name)?.hasSpare !== false) return;
  session.terminal.note(
    `There is no spare token for "${name}": if the answer of the instance is lost, its new token is lost with it. See "packhorse token spare set".`,
  );
  // A script cannot be asked, but gets the warning too.
  if (process.stdin.isTTY && process.stderr.isTTY) await confirmInTerminal(session, 'Continue? [y/N] ');
}

export function tokenCommand(program: Command): void {
  const token = program.command('token').description('personal access tokens of the account on an instance');

  addOperationsHelp(
    about(token.command('list').description('tokens, in the order of the instance')),
    'list-tokens',
  )
    .addOption(choice('--state <state>', 'only those', ['active', 'inactive']))
    .addOption(choice('--revoked <yes-or-no>', 'only those that are, or are not', ['yes', 'no']))
    .option('--search <text>', 'only those whose name contains it')
    .option('--created-after <time>', 'for example 2026-01-31T12:00:00Z')
    .option('--created-before <time>')
    .option('--last-used-after <time>')
    .option('--last-used-before <time>')
    .option('--user <user>', 'of another user (id or username), for administrators')
    .addOption(limitOption(200))
    .action(async (options: ListOptions, command: Command) => {
      await runWithApp(command, (session) => list(session, options));
    });

  addOperationsHelp(
    about(
      token
        .command('show')
        .description('one token; without an id the one in use')
        .argument('[id]', 'its id', idOption),
    ),
    'get-token',
    'get-own-token',
  ).action(async (id: number | undefined, options: OnInstance, command: Command) => {
    await runWithApp(command, async (session) => {
      await takeToken(session, options.instance, options);
      const shown = await session.client.call('token.show', { instance: options.instance, id: id ?? null });
      session.terminal.result(shown, () => tokenText(shown));
      return exitCodes.done;
    });
  });

  addOperationsHelp(
    about(
      token
        .command('rotate')
        .description(
          'replace a token by a new one; without an id the one in use, whose new one goes to the keychain (safe only with a spare token)',
        )
        .argument(
          '[id]',
          'of any token that the account may replace; say then where the new one goes',
          idOption,
        )
        .option('--to-file <file>', 'write the new token to this new file, which only you can read')
        .option('--show', 'show the new token here on the screen, once')
        .option('--yes', 'do not ask before the old token ends')
        .option('--spare', 'replace the spare instead')
        .option(
          '--expires-on <day>',
          'YYYY-MM-DD; without it the new one lasts as long as the one before',
          day,
        ),
    ),
    'rotate-token',
    'rotate-own-token',
  ).action(async (id: number | undefined, options: RotateOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const { instance, expiresOn = null } = options;
      const isHandedOver = options.toFile !== undefined || options.show === true;
      checkPlace(id, options);
      await takeToken(session, instance, options);
      if (isHandedOver) return rotateForPerson(session, id ?? null, options);
      const slot = options.spare === true ? 'spare' : 'main';
      if (slot === 'main' && options.yes !== true) await agreedWithoutSpare(session, instance);
      return followToken(session, await session.client.call('token.rotate', { instance, slot, expiresOn }));
    });
  });

  addOperationsHelp(
    about(
      token
        .command('revoke')
        .description('end a token for good')
        .argument('<id>', 'its id', idOption)
        .option('--yes', 'do not ask'),
    ),
    'revoke-token',
    'revoke-own-token',
  ).action(async (id: number, options: OnInstance & { yes?: boolean }, command: Command) => {
    await runWithApp(command, async (session) => {
      const { instance } = options;
      await takeToken(session, instance, options);
      const { slot } = await session.client.call('token.show', { instance, id });
      if (slot !== null) session.terminal.note(endOf[slot]);
      const request = { action: 'token.revoke', instance, project: String(id) } as const;
      const confirmation = await confirmed(session, request, options);
      return followToken(session, await session.client.call('token.revoke', { instance, id, confirmation }));
    });
  });

  const spare = token
    .command('spare')
    .description('a second token of the same user, with which the one in use is replaced safely');

  addOperationsHelp(
    about(spare.command('set').description('try the second token and keep it in the keychain')),
    'get-own-token',
  ).action(async (options: OnInstance, command: Command) => {
    await runWithApp(command, async (session) => {
      const given = await givenToken(options);
      if (given === null) {
        throw misused('Give the spare token with --token-stdin or --token-file.');
      }
      const { instance } = options;
      const set = await session.client.call('token.setSpare', { instance, token: given, keep: 'keychain' });
      session.terminal.result(set, () => `${tokenText(set)}\nIn the keychain.`);
      return exitCodes.done;
    });
  });

  spare
    .command('forget')
    .description('take the spare out of the keychain; on the instance it stays')
    .addOption(required(new Option('--instance <name>', 'the instance')))
    .action(async ({ instance }: { instance: string }, command: Command) => {
      await runWithApp(command, async (session) => {
        await session.client.call('token.forgetSpare', { instance });
        session.terminal.result(
          { instance, forgotten: true },
          () => 'Forgotten. It still works on the instance.',
        );
        return exitCodes.done;
      });
    });
}
