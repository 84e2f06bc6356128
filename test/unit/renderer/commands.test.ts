/** @file What the window shows as the equivalent command is understood by the real program, as it was meant. */
import { execFileSync } from 'node:child_process';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { archiveCommand } from '../../../src-main/hosts/cli/archive.ts';
import { backupCommand } from '../../../src-main/hosts/cli/backup.ts';
import { doctorCommand } from '../../../src-main/hosts/cli/doctor.ts';
import { importCommand } from '../../../src-main/hosts/cli/import.ts';
import { instanceCommand } from '../../../src-main/hosts/cli/instance.ts';
import { jobCommand } from '../../../src-main/hosts/cli/job.ts';
import { planCommand } from '../../../src-main/hosts/cli/plan.ts';
import { commands } from '../../../src-renderer/state/commands.ts';

/** What the program makes of a line that is typed into a shell. */
function understood(line: string): { command: string; args: unknown[]; options: Record<string, unknown> } {
  const words = execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\0' "$word"; done`], {
    encoding: 'utf8',
  });
  const program = new Command('packhorse').exitOverride().configureOutput({ writeErr: () => undefined });
  for (const register of [
    instanceCommand,
    backupCommand,
    archiveCommand,
    importCommand,
    jobCommand,
    planCommand,
    doctorCommand,
  ]) {
    register(program);
  }
  const heard: ReturnType<typeof understood>[] = [];
  const listen = (command: Command, path: string[]): void => {
    for (const sub of command.commands) listen(sub, [...path, sub.name()]);
    if (command.commands.length > 0) return;
    command.action(() => {
      const options = command.opts<Record<string, unknown>>();
      heard.push({ command: path.join(' '), args: command.processedArgs as unknown[], options });
    });
  };
  listen(program, []);
  program.parse(words.split('\0').slice(0, -1), { from: 'user' });
  const [only] = heard;
  if (only === undefined) throw new Error(`${line} does nothing.`);
  return only;
}

const odd = "it's $HOME/`a`";
const schedule = { at: '02:30', timeZone: 'Europe/Berlin', keepLast: 7 };

const lines: Record<
  keyof typeof commands,
  [line: string, expected: Partial<ReturnType<typeof understood>>][]
> = {
  instanceAdd: [
    [
      commands.instanceAdd({
        name: 'work',
        url: 'https://gitlab.example.com',
        caFile: odd,
        pace: 'sandbox',
        keep: 'session',
      }),
      {
        command: 'instance add',
        args: ['work', 'https://gitlab.example.com'],
        options: { caFile: odd, pace: 'sandbox', tokenStdin: true, keychain: false },
      },
    ],
    [
      commands.instanceAdd({
        name: 'work',
        url: 'https://x.example',
        caFile: null,
        pace: 'gitlab',
        keep: 'keychain',
      }),
      { options: { pace: 'gitlab', tokenStdin: true, keychain: true } },
    ],
  ],
  instanceSetToken: [
    [
      commands.instanceSetToken('work'),
      { command: 'instance set-token', args: ['work'], options: { tokenStdin: true } },
    ],
  ],
  instanceCheck: [[commands.instanceCheck('work'), { command: 'instance check', args: ['work'] }]],
  backup: [
    [
      commands.backup('work', 'all'),
      { command: 'backup', args: [[]], options: { instance: 'work', all: true } },
    ],
    [
      commands.backup('work', ['group/app', odd]),
      { args: [['group/app', odd]], options: { instance: 'work' } },
    ],
  ],
  planAdd: [
    [
      commands.planAdd('work', schedule),
      {
        command: 'plan add',
        options: { instance: 'work', daily: '02:30', timeZone: 'Europe/Berlin', keep: 7 },
      },
    ],
    [
      commands.planAdd('work', { at: '23:00', timeZone: null, keepLast: null }),
      { options: { instance: 'work', daily: '23:00', keep: 'all' } },
    ],
  ],
  planEdit: [
    [
      commands.planEdit('work', schedule, false),
      {
        command: 'plan edit',
        args: ['work'],
        options: { daily: '02:30', timeZone: 'Europe/Berlin', keep: 7, off: true },
      },
    ],
    [
      commands.planEdit('work', schedule, true),
      { options: { daily: '02:30', timeZone: 'Europe/Berlin', keep: 7, on: true } },
    ],
  ],
  archiveShow: [[commands.archiveShow(odd), { command: 'archive show', args: [odd] }]],
  archiveInspect: [[commands.archiveInspect(odd), { command: 'archive inspect', args: [odd] }]],
  archiveVerify: [
    [
      commands.archiveVerify('0123abcd', 'L1'),
      { command: 'archive verify', args: ['0123abcd'], options: { level: 'L1' } },
    ],
  ],
  archiveRecord: [
    [commands.archiveRecord(odd, 'issues', 12), { command: 'archive record', args: [odd, 'issues', 12] }],
  ],
  archiveRescan: [[commands.archiveRescan(), { command: 'archive rescan' }]],
  importFile: [
    [
      commands.importFile({
        instance: 'lab',
        archive: odd,
        namespace: 'group',
        path: 'app',
        name: 'App Two',
        overwrite: true,
        allowSuspicious: true,
        overrideParams: { description: odd, visibility: 'private' },
      }),
      {
        command: 'import file',
        args: [odd],
        options: {
          instance: 'lab',
          namespace: 'group',
          path: 'app',
          name: 'App Two',
          overwrite: true,
          allowSuspicious: true,
          override: [`description=${odd}`, 'visibility=private'],
        },
      },
    ],
  ],
  importStatus: [
    [
      commands.importStatus({ instance: 'lab', project: 'group/app', archive: odd, watch: true }),
      {
        command: 'import status',
        args: ['group/app'],
        options: { instance: 'lab', archive: odd, watch: true },
      },
    ],
  ],
  jobShow: [[commands.jobShow('17'), { command: 'job show', args: ['17'] }]],
  jobLog: [[commands.jobLog('17'), { command: 'job log', args: ['17'] }]],
  doctor: [[commands.doctor(), { command: 'doctor' }]],
};

test.each(Object.entries(lines).flatMap(([name, rows]) => rows.map((row) => [name, ...row] as const)))(
  '%s: %s',
  (_name, line, expected) => {
    expect(understood(line)).toEqual({ ...understood(line), ...expected });
  },
);

test('what the program does not know is noticed', () => {
  expect(() => understood('backup --instance work --everything')).toThrow(/unknown option/);
  expect(() => understood('instance forget work')).toThrow(/unknown command/);
});

test('no command carries a token', () => {
  for (const [line] of Object.values(lines).flat()) expect(line).not.toMatch(/--token[= ](?!stdin|file)/);
});
