/**
 * @file `settings.json`: the instances, the plans, where archives are kept and what a person prefers. Written atomically,
 * one writer at a time; what cannot be read is left alone for a person to look at. There is no token in it.
 */
import { readFileSync } from 'node:fs';
import { AppError } from '../../src-contract/errors.ts';
import { instanceSchema } from '../../src-contract/instance-schema.ts';
import type { Instance } from '../../src-contract/instance.ts';
import { storedPlanSchema } from '../../src-contract/plans/plan-schema.ts';
import { z } from '../../src-contract/schema.ts';
import { initialPreferences } from '../../src-contract/settings.ts';
import { preferencesSchema } from '../../src-contract/settings-schema.ts';
import { storageSchema } from '../../src-contract/projects/transfer-schema.ts';
import { replaceFileSync } from './disk/durable-file.ts';
import type { Clock } from './clock.ts';
import { withFileLock } from './file-lock.ts';

const sandboxServerSchema = z.object({
  /** Name of the instance. */
  name: z.string(),
  /** The one with projects, or the empty one that they can be imported into. */
  role: z.enum(['source', 'target']),
  port: z.number().int(),
});
/** An embedded server that a person asked for once and that runs again with every long-lived host. */
export type SandboxServer = z.infer<typeof sandboxServerSchema>;

/** What was added later has a default, so that files of older versions are still read. */
const settingsSchema = z.object({
  schemaVersion: z.literal(1),
  /** Where new archives go: an absolute path, or null for the default below the data folder. */
  archiveRoot: z.string().nullable(),
  /**
   * Every root that archives were ever kept in, in the order in which they came; a row of the catalogue stores the position,
   * so none is ever taken out. Empty until the root is changed for the first time.
   */
  archiveRoots: z.array(z.string().nullable()).default([]),
  /** Whether the default root has its mark: one that is not there is then gone, and not one that was never made. */
  defaultRootMarked: z.boolean().default(false),
  /** Those of them that a person wants to know nothing of any more. */
  forgottenRoots: z.array(z.string().nullable()).default([]),
  instances: z.array(instanceSchema),
  plans: z.array(storedPlanSchema).default([]),
  practice: z.array(sandboxServerSchema).default([]),
  /** Places that archives are imported from; their secret access keys are in the keychain. */
  storages: z.array(storageSchema).default([]),
  preferences: z
    .record(z.string(), z.unknown())
    .default({})
    .transform((chosen) => ({ ...initialPreferences, ...chosen }))
    .pipe(preferencesSchema),
});
export type Settings = z.infer<typeof settingsSchema>;

const initial = frozen(settingsSchema.parse({ schemaVersion: 1, archiveRoot: null, instances: [] }));

/** The same, so that whoever gets it cannot change it for the others, down to its leaves. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/** All roots by their numbers; the current one is among them. */
export function numberedRoots(settings: Pick<Settings, 'archiveRoot' | 'archiveRoots'>): (string | null)[] {
  const { archiveRoot, archiveRoots } = settings;
  return archiveRoots.includes(archiveRoot) ? archiveRoots : [...archiveRoots, archiveRoot];
}

export class SettingsStore {
  readonly #path: string;
  readonly #clock: Clock;
  /** What the file said last: jobs ask for the settings again and again, and to check them costs far more than to read them. */
  #last: { text: string; settings: Settings } | null = null;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  /** The settings on disk now, frozen; the initial ones when there is no file. Throws `settings-unreadable`. */
  read(): Settings {
    try {
      const text = readFileSync(this.#path, 'utf8');
      if (text !== this.#last?.text) {
        this.#last = { text, settings: frozen(settingsSchema.parse(JSON.parse(text))) };
      }
      return this.#last.settings;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return initial;
      throw new AppError('settings-unreadable', 'the settings cannot be read', {
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
      throw new AppError('instance-unknown', 'no such instance is registered', { details: { name } });
    }
    return found;
  }

  /**
   * Reads, lets `update` make new settings, and writes them, with every other process kept out meanwhile. What `update`
   * throws is passed on and nothing is written. Throws `settings-unreadable` and leaves an unreadable file as it is.
   */
  async change(update: (settings: Settings) => Settings): Promise<Settings> {
    return withFileLock(`${this.#path}.lock`, this.#clock, () => {
      const changed = settingsSchema.parse(update(this.read()));
      replaceFileSync(this.#path, `${JSON.stringify(changed, null, 2)}\n`);
      return changed;
    });
  }
}
