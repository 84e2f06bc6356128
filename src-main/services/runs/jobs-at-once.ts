/** @file How many jobs may run at once, as a person prefers it. */
import { initialPreferences } from '../../../src-contract/settings.ts';
import type { SettingsStore } from '../../platform/settings.ts';

/** Returns the number from the settings; while they cannot be read, the last number. */
export function jobsAtOnce(settings: SettingsStore): () => number {
  let last = initialPreferences.jobsAtOnce;
  return () => {
    try {
      last = settings.read().preferences.jobsAtOnce;
    } catch {
      // A change of the settings reports their errors.
    }
    return last;
  };
}
