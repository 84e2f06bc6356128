/** @file The real program reads the equivalent commands in the view of tokens as the same request. */
import { test } from 'vitest';
import { registerInstance } from '../../../../src-main/hosts/cli/instances/instance.ts';
import { tokenCommand } from '../../../../src-main/hosts/cli/tokens/token.ts';
import { tokenCommands as commands } from '../../../../src-renderer/data/commands/token-commands.ts';
import { expectParsed, type ExpectedLine } from '../../../support/understood.ts';

const registers = [tokenCommand, registerInstance];
const odd = "it's $HOME/`a`";
const options = { instance: 'work' };

const lines: Record<keyof typeof commands, ExpectedLine[]> = {
  tokenList: [
    [
      commands.tokenList('work', {
        state: 'active',
        revoked: false,
        search: odd,
        createdAfter: '2026-01-31',
        createdBefore: null,
        lastUsedAfter: null,
        lastUsedBefore: '2026-10-01',
        user: 12,
      }),
      {
        command: 'token list',
        options: {
          ...options,
          state: 'active',
          revoked: 'no',
          search: odd,
          createdAfter: '2026-01-31',
          lastUsedBefore: '2026-10-01',
          user: '12',
        },
      },
    ],
  ],
  tokenHandOver: [
    [
      commands.tokenHandOver('work', 12),
      { command: 'token rotate', args: [12], options: { ...options, toFile: 'new-token' } },
    ],
    [
      commands.tokenHandOver('work', null),
      { command: 'token rotate', options: { ...options, toFile: 'new-token' } },
    ],
  ],
  setRotation: [
    [
      commands.setRotation('work', 14),
      { command: 'instance change', args: ['work'], options: { rotateDaysBefore: 14 } },
    ],
    [commands.setRotation('work', null), { options: { rotateDaysBefore: false } }],
  ],
  tokenShow: [[commands.tokenShow('work', 7), { command: 'token show', args: [7], options }]],
  tokenRotate: [
    [
      commands.tokenRotate('work', 'spare', '2027-01-31'),
      { command: 'token rotate', options: { ...options, spare: true, expiresOn: '2027-01-31' } },
    ],
    [commands.tokenRotate('work', 'main', null), { command: 'token rotate', options }],
  ],
  tokenRevoke: [[commands.tokenRevoke('work', 7), { command: 'token revoke', args: [7], options }]],
  spareSet: [
    [commands.spareSet('work'), { command: 'token spare set', options: { ...options, tokenStdin: true } }],
  ],
  spareForget: [[commands.spareForget('work'), { command: 'token spare forget', options }]],
};

test.each(Object.entries(lines).flatMap(([name, rows]) => rows.map((row) => [name, row[0], row] as const)))(
  'the program reads the command of %s as the same request: %s',
  (_name, _line, row) => {
    expectParsed(row, registers);
  },
);
