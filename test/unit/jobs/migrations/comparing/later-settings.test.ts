/** @file Settings that people may have changed on the source after its export, without a time that shows it. */
import { expect, it } from 'vitest';
import {
  differingSettings,
  type SettingsOfSides,
} from '../../../../../src-main/jobs/migrations/comparing/settings/differing-settings.ts';
import type { ArchivedSettings } from '../../../../../src-main/jobs/migrations/comparing/settings/setting-table.ts';

const differing = (sides: Partial<SettingsOfSides>) =>
  differingSettings({ source: null, overrides: {}, archive: null, target: {}, ...sides });
const archiveWith = (parts: Partial<ArchivedSettings>): ArchivedSettings => ({
  ...{ project: {}, project_feature: {}, ci_cd_settings: {}, auto_devops: {} },
  ...parts,
});

it('a feature or a setting of pipelines with another value in the archive may have been changed after the export', () => {
  const compared = differing({
    source: { wiki_access_level: 'private', group_runners_enabled: false, public_jobs: false },
    archive: archiveWith({
      project: { public_builds: true },
      project_feature: { wiki_access_level: 20 },
      ci_cd_settings: { group_runners_enabled: true },
    }),
    target: { wiki_access_level: 'enabled', group_runners_enabled: true, public_jobs: true },
  });
  // The project has a time of its last change.
  expect(compared.settings).toMatchObject([{ attribute: 'public_jobs', lost: 'on-export' }]);
  expect(compared.declared).toEqual([
    expect.stringMatching(
      /changed there after the export.*wiki_access_level is enabled and was private; group_runners_enabled is true and was false/,
    ),
  ]);
});

it('a feature that was changed after the export is still compared between archive and target', () => {
  const { settings } = differing({
    source: { wiki_access_level: 'private' },
    archive: archiveWith({ project_feature: { wiki_access_level: 20 } }),
    target: { wiki_access_level: 'disabled' },
  });
  expect(settings).toEqual([
    { attribute: 'wiki_access_level', expected: 'enabled', found: 'disabled', lost: 'on-import' },
  ]);
});
