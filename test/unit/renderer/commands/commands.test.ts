/** @file The real program reads the equivalent commands of the window as the same request. */
import { expect, test } from 'vitest';
import { initialValues } from '../../../../src-contract/options.ts';
import { planSettings } from '../../../../src-contract/plans/options/settings.ts';
import type { PlanDraft, Selection } from '../../../../src-contract/plans/plan.ts';
import { unlimitedRetention } from '../../../../src-contract/plans/retention-periods.ts';
import { registerArchive } from '../../../../src-main/hosts/cli/archives/archive.ts';
import { backupCommand } from '../../../../src-main/hosts/cli/transfers/backup.ts';
import { registerDoctor } from '../../../../src-main/hosts/cli/running/doctor.ts';
import { importCommand } from '../../../../src-main/hosts/cli/transfers/import.ts';
import { registerInstance } from '../../../../src-main/hosts/cli/instances/instance.ts';
import { migrationCommand } from '../../../../src-main/hosts/cli/migrations/migration.ts';
import { jobCommand } from '../../../../src-main/hosts/cli/runs/job.ts';
import { planCommand } from '../../../../src-main/hosts/cli/plans/plan.ts';
import { settingsCommand } from '../../../../src-main/hosts/cli/running/settings.ts';
import { registerStorage } from '../../../../src-main/hosts/cli/instances/storage.ts';
import { cliCommands } from '../../../../src-renderer/data/commands/commands.ts';
import { planCommands } from '../../../../src-renderer/data/commands/plan-commands.ts';
import { expectParsed, parseLine, type ExpectedLine } from '../../../support/understood.ts';

const registers = [
  registerInstance,
  backupCommand,
  registerArchive,
  importCommand,
  jobCommand,
  migrationCommand,
  planCommand,
  settingsCommand,
  registerStorage,
  registerDoctor,
];
const odd = "it's $HOME/`a`";
const storage = { name: 'exports', region: 'eu-central-1', bucket: odd, accessKeyId: 'AKIAEXAMPLE' };
const remote = {
  instance: 'lab',
  namespace: 'partners',
  path: 'two',
  name: odd,
  archive: '0123abcd',
  overwrite: true,
  overrideParams: { visibility: 'private' },
};

const lines: Record<keyof typeof cliCommands, ExpectedLine[]> = {
  instanceAdd: [
    [
      cliCommands.instanceAdd({
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
      cliCommands.instanceAdd({
        name: 'work',
        url: 'https://x.example',
        caFile: null,
        pace: 'gitlab',
        keep: 'keychain',
      }),
      { options: { pace: 'gitlab', tokenStdin: true, keychain: true } },
    ],
  ],
  forgetArchiveRoot: [
    [cliCommands.forgetArchiveRoot(odd), { command: 'settings change', options: { forgetArchiveRoot: odd } }],
  ],
  instanceSetToken: [
    [
      cliCommands.instanceSetToken('work'),
      { command: 'instance set-token', args: ['work'], options: { tokenStdin: true } },
    ],
  ],
  instanceSetReadOnly: [
    [
      cliCommands.instanceSetReadOnly('work', true),
      { command: 'instance change', args: ['work'], options: { readOnly: true } },
    ],
    [cliCommands.instanceSetReadOnly('work', false), { options: { readOnly: false } }],
  ],
  instanceSetProxy: [
    [
      cliCommands.instanceSetProxy('work', 'http://proxy.example:3128'),
      { command: 'instance change', args: ['work'], options: { proxy: 'http://proxy.example:3128' } },
    ],
    [cliCommands.instanceSetProxy('work', null), { options: { proxy: false } }],
  ],
  storageAdd: [
    [
      cliCommands.storageAdd(storage, true),
      {
        command: 'storage add',
        args: ['exports'],
        options: { region: 'eu-central-1', bucket: odd, accessKeyId: 'AKIAEXAMPLE', secretStdin: true },
      },
    ],
    [cliCommands.storageAdd(storage, false), { options: { bucket: odd } }],
  ],
  storageRemove: [[cliCommands.storageRemove(odd), { command: 'storage remove', args: [odd] }]],
  importUrl: [
    [
      cliCommands.importUrl(remote),
      {
        command: 'import url',
        options: {
          instance: 'lab',
          namespace: 'partners',
          path: 'two',
          name: odd,
          archive: '0123abcd',
          overwrite: true,
          override: ['visibility=private'],
        },
      },
    ],
  ],
  importS3: [
    [
      cliCommands.importS3('exports', odd, { ...remote, archive: null, overwrite: false }),
      { command: 'import s3', args: ['exports', odd], options: { instance: 'lab', path: 'two' } },
    ],
  ],
  instanceCheck: [[cliCommands.instanceCheck('work'), { command: 'instance check', args: ['work'] }]],
  backup: [
    [
      cliCommands.backup('work', 'all'),
      { command: 'backup', args: [[]], options: { instance: 'work', all: true } },
    ],
    [
      cliCommands.backup('work', ['group/app', odd]),
      { args: [['group/app', odd]], options: { instance: 'work' } },
    ],
  ],
  archiveShow: [[cliCommands.archiveShow(odd), { command: 'archive show', args: [odd] }]],
  archiveInspect: [[cliCommands.archiveInspect(odd), { command: 'archive inspect', args: [odd] }]],
  archiveVerify: [
    [
      cliCommands.archiveVerify('0123abcd', 'L1'),
      { command: 'archive verify', args: ['0123abcd'], options: { level: 'L1' } },
    ],
  ],
  archiveRecord: [
    [cliCommands.archiveRecord(odd, 'issues', 12), { command: 'archive record', args: [odd, 'issues', 12] }],
  ],
  archiveRescan: [[cliCommands.archiveRescan(), { command: 'archive rescan' }]],
  archivePin: [
    [cliCommands.archivePin(odd, odd), { command: 'archive pin', args: [odd], options: { note: odd } }],
    [cliCommands.archivePin(odd, ''), { command: 'archive pin', args: [odd], options: {} }],
  ],
  archiveToTrash: [[cliCommands.archiveToTrash(odd), { command: 'archive trash add', args: [odd] }]],
  archiveIdentify: [
    [
      cliCommands.archiveIdentify(odd, 'lab', 'group/app'),
      { command: 'archive identify', args: [odd], options: { instance: 'lab', project: 'group/app' } },
    ],
  ],
  importFile: [
    [
      cliCommands.importFile({
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
      cliCommands.importStatus('group/app', { instance: 'lab', archive: odd, watch: true }),
      {
        command: 'import status',
        args: ['group/app'],
        options: { instance: 'lab', archive: odd, watch: true },
      },
    ],
  ],
  importMarkUndelivered: [
    [cliCommands.importMarkUndelivered('17'), { command: 'import not-arrived', args: ['17'] }],
  ],
  migrationRepair: [
    [
      cliCommands.migrationRepair(odd, 'group/app', null),
      { command: 'migration repair', args: [odd, 'group/app'], options: {} },
    ],
    [
      cliCommands.migrationRepair('move', 'group/app', ['1-a', '1-b']),
      { command: 'migration repair', options: { difference: ['1-a', '1-b'] } },
    ],
  ],
  jobShow: [[cliCommands.jobShow('17'), { command: 'job show', args: ['17'] }]],
  jobLog: [[cliCommands.jobLog('17'), { command: 'job log', args: ['17'] }]],
  doctor: [[cliCommands.doctor(), { command: 'doctor' }]],
};

test.each(Object.entries(lines).flatMap(([name, rows]) => rows.map((row) => [name, row[0], row] as const)))(
  'the program reads the command of %s as the same request: %s',
  (_name, _line, row) => {
    expectParsed(row, registers);
  },
);

const draft: PlanDraft = {
  id: null,
  name: odd,
  instance: 'work',
  selection: { kind: 'all', scope: 'member' },
  schedule: { kind: 'daily', at: '02:30', timeZone: null },
  retention: unlimitedRetention,
  ...initialValues(planSettings),
};
const rule: Extract<Selection, { kind: 'rule' }> = {
  kind: 'rule',
  scope: 'member',
  group: 'atlas',
  topic: null,
  visibility: 'private',
  markedArchived: false,
  activeWithinDays: 30,
  starred: true,
  owned: null,
  name: '*-api',
  except: ['atlas/old', odd],
};
const saves: ExpectedLine[] = [
  [
    planCommands.planSave(draft, null) ?? '',
    {
      command: 'plan add',
      options: {
        instance: 'work',
        name: odd,
        all: true,
        daily: { kind: 'daily', at: '02:30' },
        keep: 'all',
      },
    },
  ],
  [
    planCommands.planSave(
      {
        ...draft,
        selection: rule,
        schedule: { kind: 'weekly', weekdays: [1, 5], at: '04:00', timeZone: 'UTC' },
        retention: { ...unlimitedRetention, keepLast: 3, weekly: 4 },
        skipUnchanged: false,
        enabled: false,
      },
      'nightly',
    ) ?? '',
    {
      command: 'plan edit',
      args: ['nightly'],
      options: {
        name: odd,
        group: 'atlas',
        visibility: 'private',
        notArchived: true,
        activeWithin: 30,
        starred: true,
        namePattern: '*-api',
        except: ['atlas/old', odd],
        weekly: { kind: 'weekly', weekdays: [1, 5], at: '04:00' },
        timeZone: 'UTC',
        keep: 3,
        keepDays: 'none',
        keepHourly: 'none',
        keepDaily: 'none',
        keepWeekly: 4,
        keepMonthly: 'none',
        keepYearly: 'none',
        everyTime: true,
        off: true,
      },
    },
  ],
  [
    planCommands.planSave(
      {
        ...draft,
        selection: {
          kind: 'projects',
          projects: [
            { id: 1, fullPath: 'a/b' },
            { id: 2, fullPath: 'a/c' },
          ],
        },
        schedule: { kind: 'cron', expression: '30 2 * * 1-5', timeZone: 'UTC' },
      },
      null,
    ) ?? '',
    { options: { project: ['a/b', 'a/c'], cron: { kind: 'cron', expression: '30 2 * * 1-5' } } },
  ],
  [planCommands.planRemove(odd), { command: 'plan remove', args: [odd] }],
];

test.each(saves)('the program reads the command of a plan as the same request: %s', (...row) => {
  expectParsed(row, registers);
});

test('a plan that the command line cannot express has no command', () => {
  expect(planCommands.planSave({ ...draft, selection: { ...rule, starred: false } }, null)).toBeNull();
  expect(planCommands.planSave({ ...draft, enabled: false }, null)).toBeNull();
  expect(planCommands.planSave(draft, 'nightly')).toBeNull();
});

test('an unknown option and an unknown command are reported', () => {
  expect(() => parseLine('backup --instance work --everything', registers)).toThrow(/unknown option/);
  expect(() => parseLine('instance forget work', registers)).toThrow(/unknown command/);
});
