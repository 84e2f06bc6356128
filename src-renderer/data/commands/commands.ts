/**
 * @file The command lines that do the same as actions of the window. A test runs each in the real program. No command
 * line contains a token: the program prompts for it, or reads it from the keychain.
 */
import type { Scope } from '../../../src-contract/projects/scope.ts';
import type { CallRequest } from '../../../src-contract/calls.ts';
import type { ChosenDepth } from '../../../src-contract/transfers/import.ts';
import type { Storage } from '../../../src-contract/transfers/transfer.ts';
import { commandOf } from '../../kit/content/command-of.ts';

interface ImportTarget {
  instance: string;
  namespace: string | null;
  name: string | null;
  overwrite: boolean;
  overrideParams: Readonly<Record<string, string>>;
  /** Default: contents. */
  compare?: ChosenDepth | undefined;
}
type RemoteTarget = ImportTarget & { path: string; archive: string | null };

const overrides = ({ overrideParams }: ImportTarget): string[] =>
  Object.entries(overrideParams).flatMap(([key, value]) => ['--override', `${key}=${value}`]);
const targetOptions = ({ instance, namespace, name, overwrite, compare = 'contents' }: ImportTarget) => ({
  instance,
  namespace,
  name,
  overwrite,
  compare: compare === 'contents' ? null : compare,
});
const remoteOptions = (target: RemoteTarget) => ({
  ...targetOptions(target),
  path: target.path,
  archive: target.archive,
});

export const cliCommands = {
  instanceAdd: (instance: Omit<CallRequest<'instance.add'>, 'anonymous'>) =>
    commandOf(['instance', 'add', instance.name, instance.url], {
      'ca-file': instance.caFile,
      pace: instance.pace === 'gitlab' ? null : instance.pace,
      'token-stdin': true,
      'no-keychain': instance.keep === 'session',
    }),
  forgetArchiveRoot: (folder: string) => commandOf(['settings', 'change'], { 'forget-archive-root': folder }),
  instanceSetToken: (name: string) => commandOf(['instance', 'set-token', name], { 'token-stdin': true }),
  instanceSetReadOnly: (name: string, readOnly: boolean) =>
    commandOf(['instance', 'change', name], { 'read-only': readOnly, 'no-read-only': !readOnly }),
  /** If `proxy` is null, the instance uses the proxy of the settings, or none. */
  instanceSetProxy: (name: string, proxy: string | null) =>
    commandOf(['instance', 'change', name], { proxy, 'no-proxy': proxy === null }),
  instanceCheck: (name: string) => commandOf(['instance', 'check', name]),

  /** `projects` are full paths, or `'all'` for all projects that the account may export. */
  backup: (instance: string, projects: readonly string[] | 'all', scope: Scope = 'member') =>
    commandOf(['backup', ...(projects === 'all' ? [] : projects)], {
      instance,
      all: projects === 'all',
      scope: scope === 'member' ? null : scope,
    }),

  /** `archive` is a file, a path in the store, or digits of the SHA-256. */
  archiveShow: (archive: string) => commandOf(['archive', 'show', archive]),
  archiveInspect: (archive: string) => commandOf(['archive', 'inspect', archive]),
  archiveVerify: (archive: string, level: 'L1' | 'L2') =>
    commandOf(['archive', 'verify', archive], { level }),
  archiveRecord: (archive: string, relation: string, line: number) =>
    commandOf(['archive', 'record', archive, relation, String(line)]),
  archiveRescan: () => commandOf(['archive', 'rescan']),
  archivePin: (archive: string, note: string) =>
    commandOf(['archive', 'pin', archive], { note: note === '' ? null : note }),
  archiveToTrash: (archive: string) => commandOf(['archive', 'trash', 'add', archive]),
  archiveIdentify: (archive: string, instance: string, project: string) =>
    commandOf(['archive', 'identify', archive], { instance, project }),

  importFile: (target: ImportTarget & { archive: string; path: string | null; allowSuspicious: boolean }) =>
    commandOf(['import', 'file', target.archive, ...overrides(target)], {
      ...targetOptions(target),
      path: target.path,
      'allow-suspicious': target.allowSuspicious,
    }),
  /** The program prompts for the address. The imported project is compared with `archive`. */
  importUrl: (target: RemoteTarget) =>
    commandOf(['import', 'url', ...overrides(target)], remoteOptions(target)),
  importS3: (storage: string, key: string, target: RemoteTarget) =>
    commandOf(['import', 's3', storage, key, ...overrides(target)], remoteOptions(target)),
  importStatus: (project: string, options: { instance: string; archive: string | null; watch: boolean }) =>
    commandOf(['import', 'status', project], options),
  importMarkUndelivered: (job: string) => commandOf(['import', 'not-arrived', job]),

  /** If `differences` is null, all repairs are sent. */
  migrationRepair: (migration: string, project: string, differences: readonly string[] | null) =>
    commandOf([
      ...['migration', 'repair', migration, project],
      ...(differences ?? []).flatMap((difference) => ['--difference', difference]),
    ]),

  jobShow: (job: string) => commandOf(['job', 'show', job]),
  jobLog: (job: string) => commandOf(['job', 'log', job]),

  /** If `newSecret` is true, the program prompts for the secret access key. Otherwise the stored key is kept. */
  storageAdd: ({ name, region, bucket, accessKeyId }: Storage, newSecret: boolean) =>
    commandOf(['storage', 'add', name], {
      region,
      bucket,
      'access-key-id': accessKeyId,
      'secret-stdin': newSecret,
    }),
  storageRemove: (name: string) => commandOf(['storage', 'remove', name]),

  doctor: () => commandOf(['doctor']),
} as const;
