/**
 * @file Reads and writes `settings.json`: instances, plans, archive folders and preferences, never a token. An
 * unreadable file is never replaced.
 */
import { readFileSync } from 'node:fs';
import { AppError } from '../../src-contract/errors.ts';
import { instanceSchema } from '../../src-contract/instances/instance-schema.ts';
import type { Instance } from '../../src-contract/instances/instance.ts';
import { storedPlanSchema } from '../../src-contract/plans/plan-schema.ts';
import { z } from '../../src-contract/schema.ts';
import { initialPreferences } from '../../src-contract/settings.ts';
import { preferencesSchema } from '../../src-contract/settings-schema.ts';
import { storageSchema } from '../../src-contract/transfers/transfer-schema.ts';
import { replaceFileSync } from './disk/durable-file.ts';
import type { Clock } from './clock.ts';
import { withFileLock } from './file-lock.ts';

const sandboxServerSchema = z.object({
  /** Name of the instance. */
  name: z.string(),
  /** `source` has projects. `target` is empty, and the projects can be imported into it. */
  role: z.enum(['source', 'target']),
  port: z.number().int(),
});
/** An embedded server that the user requested once. Every long-lived host starts it again. */
export type SandboxServer = z.infer<typeof sandboxServerSchema>;

/** Fields that were added in later versions have defaults, so that files of older versions can be read. */
const settingsSchema = z.object({
  schemaVersion: z.literal(1),
  /** The root of new archives: an absolute path, or null for the default below the data folder. */
  archiveRoot: z.string().nullable(),
  /**
   * Every root ever used, oldest first. Rows store the position in this list, so no root is removed. Empty until the
   * root is first changed.
   */
  archiveRoots: z.array(z.string().nullable()).default([]),
  /** True once the default root has its marker file. If the file is missing after that, the root is lost. */
  defaultRootMarked: z.boolean().default(false),
  /** Roots that the user no longer wants to see. */
  forgottenRoots: z.array(z.string().nullable()).default([]),
  instances: z.array(instanceSchema),
  plans: z.array(storedPlanSchema).default([]),
  practice: z.array(sandboxServerSchema).default([]),
  /** Storages that archives are imported from; their secret access keys are in the keychain. */
  storages: z.array(storageSchema).default([]),
  preferences: z
    .record(z.string(), z.unknown())
    .default({})
    .transform((chosen) => ({ ...initialPreferences, ...chosen }))
    .pipe(preferencesSchema),
});
export type Settings = z.infer<typeof settingsSchema>;

/**
 * Reads settings that the previous version wrote. `longestPollMs` of a pace is now called `maxPollMs`, and the column
 * `standing` of the list of projects is now called `backupStatus`.
 */
function reviveRenamedField(key: string, value: unknown): unknown {
  if (value === 'standing' && (key === 'id' || key === 'column')) return 'backupStatus';
  if (typeof value !== 'object' || value === null || !('longestPollMs' in value)) return value;
  const { longestPollMs, ...others } = value;
  return { ...others, maxPollMs: longestPollMs };
}

const initialSettings = deepFreeze(
  settingsSchema.parse({ schemaVersion: 1, archiveRoot: null, instances: [] }),
);

/** Freezes the value and everything inside it, because all readers share it. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** Returns all roots in order of their numbers, including the current root. */
export function numberedRoots(settings: Pick<Settings, 'archiveRoot' | 'archiveRoots'>): (string | null)[] {
  const { archiveRoot, archiveRoots } = settings;
  return archiveRoots.includes(archiveRoot) ? archiveRoots : [...archiveRoots, archiveRoot];
}

export class SettingsStore {
  readonly #path: string;
  readonly #clock: Clock;
  /** Jobs read the settings often, and validating them costs far more than reading them. */
  #cached: { text: string; settings: Settings } | null = null;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  /** Returns the settings on disk, frozen; the initial settings if there is no file. Throws `settings-unreadable`. */
  read(): Settings {
    try {
      const text = readFileSync(this.#path, 'utf8');
      if (text !== this.#cached?.text) {
        this.#cached = {
          text,
          settings: deepFreeze(settingsSchema.parse(JSON.parse(text, reviveRenamedField))),
        };
      }
      return this.#cached.settings;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return initialSettings;
      throw new AppError('settings-unreadable', 'The settings cannot be read.', {
        details: {
          path: this.#path,
          why: error instanceof z.ZodError ? z.prettifyError(error) : String(error),
        },
        cause: error,
      });
    }
  }

  /** Throws `instance-unknown`. */
  instance(name: string): Instance {
    const found = this.read().instances.find((instance) => instance.name === name);
    if (found === undefined) {
      throw new AppError('instance-unknown', `There is no instance "${name}".`, { details: { name } });
    }
    return found;
  }

  /**
   * Applies `update` while no other process can write. If it throws, nothing is written. Throws `settings-unreadable`.
   */
  async change(update: (settings: Settings) => Settings): Promise<Settings> {
    return withFileLock(`${this.#path}.lock`, this.#clock, () => {
      const changed = settingsSchema.parse(update(this.read()));
      replaceFileSync(this.#path, `${JSON.stringify(changed, null, 2)}\n`);
      return changed;
    });
  }
}
