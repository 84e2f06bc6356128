/** @file Settings that an instance may decide for its projects, and settings that no export carries. */
import { describe, expect, it } from 'vitest';
import {
  differingSettings,
  type SettingsOfSides,
} from '../../../../../src-main/jobs/migrations/comparing/settings/differing-settings.ts';
import type { ArchivedSettings } from '../../../../../src-main/jobs/migrations/comparing/settings/setting-table.ts';

const differing = (sides: Partial<SettingsOfSides>) =>
  differingSettings({
    ...{ source: null, overrides: {}, archive: null, target: {}, visibilityLimits: null },
    ...sides,
  });
const archiveWith = (parts: Partial<ArchivedSettings>): ArchivedSettings => ({
  ...{ project: {}, project_feature: {}, ci_cd_settings: {}, auto_devops: {} },
  ...{ container_expiration_policy: {}, error_tracking_setting: {}, custom_attributes: {} },
  ...parts,
});

describe('Service Desk, which GitLab shows as off on an instance that receives no mail,', () => {
  const archive = (isOn: boolean) => archiveWith({ project: { service_desk_enabled: isOn } });
  const shown = (isOn: boolean) => ({ service_desk_enabled: isOn });

  it('is compared with the archive if the source shows it as off', () => {
    const hidden = differing({ source: shown(false), archive: archive(true), target: shown(true) });
    expect(hidden).toEqual({ settings: [], declared: [], remarks: [] });
    const gained = differing({ source: shown(false), archive: archive(false), target: shown(true) });
    expect(gained.settings).toMatchObject([{ attribute: 'service_desk_enabled', lost: 'on-import' }]);
  });

  it('may be off because of the target, but not on', () => {
    const off = differing({ source: shown(true), archive: archive(true), target: shown(false) });
    expect(off).toMatchObject({ settings: [], declared: [expect.stringContaining('service_desk_enabled')] });
    const on = differing({ source: null, archive: archive(false), target: shown(true) });
    expect(on.settings).toMatchObject([{ attribute: 'service_desk_enabled', expected: 'false' }]);
  });
});

it('settings of pipelines that no export carries are named if source and target differ', () => {
  const settings = (isOn: boolean) => ({
    ci_display_pipeline_variables: isOn,
    job_token_scope: { inbound_enabled: isOn },
  });
  const { remarks, ...others } = differing({ source: settings(true), target: settings(false) });
  expect(others).toEqual({ settings: [], declared: [] });
  expect(remarks).toEqual([
    expect.stringMatching(/ci_display_pipeline_variables is false and was true.*job_token_scope\.inbound_en/),
  ]);
});
