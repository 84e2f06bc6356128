/**
 * @file The command lines that do what the window does, one function per action; what `CommandLine` shows. A test hands each
 * to the real program. They never contain a token: it is asked for, or comes from the keychain.
 */
import type { PacePreset } from '../../src-preload/contract/instance.ts';
import { commandOf } from '../ui/content/command-of.ts';

interface Schedule {
  at: string;
  /** Null: that of the machine. */
  timeZone: string | null;
  /** Null: all. */
  keepLast: number | null;
}

const scheduleOptions = ({ at, timeZone, keepLast }: Schedule) => ({
  daily: at,
  'time-zone': timeZone,
  keep: keepLast ?? 'all',
});

export const commands = {
  instanceAdd: (to: {
    name: string;
    url: string;
    caFile: string | null;
    pace: PacePreset;
    keep: 'session' | 'keychain';
  }) =>
    commandOf(['instance', 'add', to.name, to.url], {
      'ca-file': to.caFile,
      pace: to.pace === 'gitlab' ? null : to.pace,
      'token-stdin': true,
      'no-keychain': to.keep === 'session',
    }),
  instanceSetToken: (name: string) => commandOf(['instance', 'set-token', name], { 'token-stdin': true }),
  instanceCheck: (name: string) => commandOf(['instance', 'check', name]),

  /** `projects`: full paths; `'all'` that the account may export. */
  backup: (instance: string, projects: readonly string[] | 'all') =>
    commandOf(['backup', ...(projects === 'all' ? [] : projects)], { instance, all: projects === 'all' }),

  planAdd: (instance: string, schedule: Schedule) =>
    commandOf(['plan', 'add'], { instance, ...scheduleOptions(schedule) }),
  planEdit: (instance: string, schedule: Schedule, enabled: boolean) =>
    commandOf(['plan', 'edit', instance], { ...scheduleOptions(schedule), on: enabled, off: !enabled }),

  /** `archive`: a file, a path in the store, or digits of the SHA-256. */
  archiveShow: (archive: string) => commandOf(['archive', 'show', archive]),
  archiveInspect: (archive: string) => commandOf(['archive', 'inspect', archive]),
  archiveVerify: (archive: string, level: 'L1' | 'L2') =>
    commandOf(['archive', 'verify', archive], { level }),
  archiveRecord: (archive: string, relation: string, line: number) =>
    commandOf(['archive', 'record', archive, relation, String(line)]),
  archiveRescan: () => commandOf(['archive', 'rescan']),

  importFile: (of: {
    instance: string;
    archive: string;
    namespace: string | null;
    path: string | null;
    name: string | null;
    overwrite: boolean;
    allowSuspicious: boolean;
    overrideParams: Readonly<Record<string, string>>;
  }) =>
    commandOf(
      [
        'import',
        'file',
        of.archive,
        ...Object.entries(of.overrideParams).flatMap(([key, value]) => ['--override', `${key}=${value}`]),
      ],
      {
        instance: of.instance,
        namespace: of.namespace,
        path: of.path,
        name: of.name,
        overwrite: of.overwrite,
        'allow-suspicious': of.allowSuspicious,
      },
    ),
  importStatus: (of: { instance: string; project: string; archive: string | null; watch: boolean }) =>
    commandOf(['import', 'status', of.project], {
      instance: of.instance,
      archive: of.archive,
      watch: of.watch,
    }),

  jobShow: (job: string) => commandOf(['job', 'show', job]),
  jobLog: (job: string) => commandOf(['job', 'log', job]),

  doctor: () => commandOf(['doctor']),
} as const;
