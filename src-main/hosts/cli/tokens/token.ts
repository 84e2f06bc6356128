/** @file `packhorse token …`: the personal access tokens of an instance's account. */
import { InvalidArgumentError } from 'commander';
import { z } from '../../../../src-contract/schema.ts';
import type { ListedToken, TokenFilter, TokenSlot } from '../../../../src-contract/tokens/token.ts';
import { confirmInTerminal, requestConfirmation } from '../terminal/confirm.ts';
import { joinLines, formatTime, toPrintable, limitReachedLine, tableOf } from '../terminal/format.ts';
import { followTokenJob } from './token-follow.ts';
import { assertOneDestination, rotateAndHandOver, type RotateOptions } from './token-rotate.ts';
import { readId, usageError } from '../terminal/options.ts';
import { readTokenOption, useTokenOption, type Session } from '../running/session.ts';
import type { AppCommand, InstanceOptions } from '../running/app-command.ts';
import { collectList } from '../instances/on-instance.ts';

interface ListOptions extends InstanceOptions {
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

function parseDay(text: string): string {
  if (z.iso.date().safeParse(text).success) return text;
  throw new InvalidArgumentError('Give a day as YYYY-MM-DD.');
}

const slotText = ({ slot }: ListedToken): string =>
  slot === 'main' ? 'in use' : slot === 'spare' ? 'spare' : '';

const revocationWarnings: Record<TokenSlot, string> = {
  main: 'This is the token in use: once it is revoked, work on the instance waits until another token is given.',
  spare: 'This is the spare token: once it is revoked, the token in use can no longer be rotated safely.',
};

function stateText({ active, revoked }: ListedToken): string {
  if (active) return 'active';
  return revoked ? 'revoked' : 'expired';
}

const listText = (tokens: readonly ListedToken[]): string =>
  tableOf(tokens, (token) => ({
    ID: String(token.id),
    NAME: toPrintable(token.name),
    STATE: stateText(token),
    EXPIRES: token.expiresOn ?? 'never',
    'LAST USED': token.lastUsedAt === null ? 'never' : formatTime(token.lastUsedAt),
    SCOPES: token.scopes.join(' '),
    '': slotText(token),
  }));

const tokenText = (token: ListedToken): string =>
  joinLines(
    `id           ${token.id}${token.slot === null ? '' : ` (${slotText(token)})`}`,
    `name         ${toPrintable(token.name)}`,
    token.description !== null && `description  ${toPrintable(token.description)}`,
    `state        ${stateText(token)}`,
    `expires      ${token.expiresOn ?? 'never'}`,
    `scopes       ${token.scopes.join(', ')}`,
    `user         ${token.userId}`,
    `created      ${formatTime(token.createdAt)}`,
    `last used    ${token.lastUsedAt === null ? 'never' : formatTime(token.lastUsedAt)}`,
  );

async function list(session: Session, options: ListOptions): Promise<undefined> {
  const { instance } = options;
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
  const { entries: tokens, more } = await collectList(options, 'tokens', (pageRequest) =>
    session.client.call('token.list', { instance, filter, ...pageRequest }),
  );
  session.terminal.result({ tokens, more }, () =>
    tokens.length === 0
      ? 'There is no such token.'
      : joinLines(listText(tokens), more && ['', limitReachedLine]),
  );
}

/** Without a spare, a lost reply of the instance would lose the token and the access of the account. */
async function confirmWithoutSpare(session: Session, name: string): Promise<void> {
  const { instances } = await session.client.call('instance.list', {});
  if (instances.find((entry) => entry.name === name)?.hasSpare !== false) return;
  session.terminal.note(
    `There is no spare token for "${name}": if the reply of the instance is lost, the new token is lost with it. See "packhorse token spare set".`,
  );
  // A script cannot confirm, but still gets the warning.
  if (process.stdin.isTTY && process.stderr.isTTY) await confirmInTerminal(session, 'Continue? [y/N] ');
}

export function tokenCommand(program: AppCommand): void {
  const token = program.subcommand('token', 'personal access tokens of the account on an instance');

  token
    .subcommand('list', 'tokens, in the order of the instance')
    .instanceOptions()
    .operations('list-tokens')
    .choiceOption('--state <state>', 'only tokens in this state', ['active', 'inactive'])
    .choiceOption('--revoked <yes-or-no>', 'yes: only revoked ones; no: leave them out', ['yes', 'no'])
    .option('--search <text>', 'only tokens whose name contains this text')
    .option('--created-after <time>', 'for example 2026-01-31T12:00:00Z')
    .option('--created-before <time>')
    .option('--last-used-after <time>')
    .option('--last-used-before <time>')
    .option('--user <user>', 'of another user (id or username), for administrators')
    .limitOption(200)
    .withToken(list);

  token
    .subcommand('show', 'show one token; without an id the token in use')
    .argument('[id]', 'its id', readId)
    .instanceOptions()
    .operations('get-token', 'get-own-token')
    .withToken(async ({ client, terminal }, id: number | undefined, { instance }: InstanceOptions) => {
      const token = await client.call('token.show', { instance, id: id ?? null });
      terminal.result(token, () => tokenText(token));
    });

  token
    .subcommand(
      'rotate',
      'replace a token by a new one; without an id, replaces the token in use and stores the new token in the keychain (safe only with a spare token)',
    )
    .argument('[id]', 'id of any token that the account may rotate; requires --to-file or --show', readId)
    .option('--to-file <file>', 'write the new token to this new file, which only you can read')
    .option('--show', 'show the new token here on the screen, once')
    .option('--yes', 'skip the confirmation before the old token ends')
    .option('--spare', 'replace the spare instead')
    .option(
      '--expires-on <day>',
      'YYYY-MM-DD; without it the new token lasts as long as the old one',
      parseDay,
    )
    .instanceOptions()
    .operations('rotate-token', 'rotate-own-token')
    .withApp(async (session, id: number | undefined, options: RotateOptions) => {
      const { instance, expiresOn = null } = options;
      const isHandedOver = options.toFile !== undefined || options.show === true;
      assertOneDestination(id, options);
      await useTokenOption(session, instance, options);
      if (isHandedOver) return rotateAndHandOver(session, id ?? null, options);
      const slot = options.spare === true ? 'spare' : 'main';
      if (slot === 'main' && options.yes !== true) await confirmWithoutSpare(session, instance);
      return followTokenJob(
        session,
        await session.client.call('token.rotate', { instance, slot, expiresOn }),
      );
    });

  token
    .subcommand('revoke', 'end a token for good')
    .argument('<id>', 'its id', readId)
    .option('--yes', 'skip the confirmation')
    .instanceOptions()
    .operations('revoke-token', 'revoke-own-token')
    .withToken(async (session, id: number, options: InstanceOptions & { yes?: boolean }) => {
      const { instance } = options;
      const { slot } = await session.client.call('token.show', { instance, id });
      if (slot !== null) session.terminal.note(revocationWarnings[slot]);
      const request = { action: 'token.revoke', instance, project: String(id) } as const;
      const confirmation = await requestConfirmation(session, request, options);
      return followTokenJob(
        session,
        await session.client.call('token.revoke', { instance, id, confirmation }),
      );
    });

  const spare = token.subcommand(
    'spare',
    'a second token of the same user, which makes rotating the token in use safe',
  );

  spare
    .subcommand('set', 'check the second token and store it in the keychain')
    .instanceOptions()
    .operations('get-own-token')
    .withApp(async (session, options: InstanceOptions) => {
      const token = await readTokenOption(options);
      if (token === null) throw usageError('Give the spare token with --token-stdin or --token-file.');
      const { instance } = options;
      const spare = await session.client.call('token.setSpare', { instance, token, keep: 'keychain' });
      session.terminal.result(spare, () => `${tokenText(spare)}\nStored in the keychain.`);
    });

  spare
    .subcommand('forget', 'remove the spare token from the keychain; it still works on the instance')
    .neededOption('--instance <name>', 'the instance')
    .withApp(async (session, { instance }: { instance: string }) => {
      await session.client.call('token.forgetSpare', { instance });
      const document = { instance, forgotten: true };
      session.terminal.result(
        document,
        () => 'Removed from the keychain. The token still works on the instance.',
      );
    });
}
