/** @file How many jobs may run at once, as a person prefers it. */
import { initialPreferences } from '../../../src-contract/settings.ts';
import type { SettingsStore } from '../../platform/settings.ts';

/** As the settings say now; while they cannot be read, as they said last. */
export function jobsAtOnce(settings: SettingsStore): () => number {
  let last = initialPreferences.jobsAtOnce;
  return () => {
    try {
      last = settings.read().preferences.jobsAtOnce;
    } catch {
      // Whoever changes the settings is told what is wrong with them.
    }
    return last;
  };
}
