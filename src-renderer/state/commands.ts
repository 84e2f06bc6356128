/**
 * @file The command lines that do what the window does, one function per action; what `CommandLine` shows. A test hands each
 * to the real program. They never contain a token: it is asked for, or comes from the keychain.
 */
import { commandOf } from '../ui/content/command-of.ts';

export const commands = {
  instanceAdd: (to: { name: string; url: string; caFile: string | null; keep: 'session' | 'keychain' }) =>
    commandOf(['instance', 'add', to.name, to.url], {
      'ca-file': to.caFile,
      'token-stdin': true,
      'no-keychain': to.keep === 'session',
    }),
  instanceSetToken: (name: string) => commandOf(['instance', 'set-token', name], { 'token-stdin': true }),
  instanceCheck: (name: string) => commandOf(['instance', 'check', name]),
  instanceRefresh: (name: string) => commandOf(['instance', 'refresh', name]),
  instanceRemove: (name: string) => commandOf(['instance', 'remove', name]),

  /** `projects`: full paths; `'all'` that the account may export. */
  backup: (instance: string, projects: readonly string[] | 'all') =>
    commandOf(['backup', ...(projects === 'all' ? [] : projects)], { instance, all: projects === 'all' }),

  doctor: () => commandOf(['doctor']),
} as const;
