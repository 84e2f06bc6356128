/** @file The number of jobs that may run at once, from the settings. */
import { initialPreferences } from '../../../src-contract/settings.ts';
import type { SettingsStore } from '../../platform/settings.ts';

/** Returns a function that reads the number from the settings. If they cannot be read, it returns the last number. */
export function createConcurrencyReader(settings: SettingsStore): () => number {
  let last = initialPreferences.jobsAtOnce;
  return () => {
    try {
      last = settings.read().preferences.jobsAtOnce;
    } catch {
      // Unreadable settings are reported when they are changed.
    }
    return last;
  };
}
