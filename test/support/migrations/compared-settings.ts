/** @file Compares settings of projects, for tests that give only the sides and parts that matter. */
import {
  differingSettings,
  type SettingsOfSides,
} from '../../../src-main/jobs/migrations/comparing/settings/differing-settings.ts';
import type { ArchivedSettings } from '../../../src-main/jobs/migrations/comparing/settings/setting-table.ts';

/** Compares a target without attributes with neither a source nor an archive, except for the given sides. */
export const differing = (sides: Partial<SettingsOfSides>) =>
  differingSettings({
    ...{ source: null, overrides: {}, archive: null, target: {}, visibilityLimits: null },
    ...sides,
  });

/** Returns the settings of an archive whose other parts are empty. */
export const archiveWith = (parts: Partial<ArchivedSettings>): ArchivedSettings => ({
  ...{ project: {}, project_feature: {}, ci_cd_settings: {}, auto_devops: {} },
  ...{ container_expiration_policy: {}, error_tracking_setting: {}, custom_attributes: {} },
  ...parts,
});

/** The result of a comparison that has nothing to say. */
export const nothing = { settings: [], declared: [], remarks: [] };
