/** @file Settings that older versions of GitLab have under another name. */
import { describe, expect, it } from 'vitest';
import { archiveWith, differing, nothing } from '../../../../support/migrations/compared-settings.ts';
import { formerOperations } from '../../../../../src-main/jobs/migrations/comparing/settings/older-names.ts';

const levels = (level: string) =>
  Object.fromEntries(formerOperations.map((feature) => [`${feature}_access_level`, level]));

const archive = archiveWith({ project_feature: { operations_access_level: 10 } });
const source = { operations_access_level: 'private' };

it('the level of operations is compared with the levels of the features that GitLab separated from it', () => {
  const lost = formerOperations.map((feature) => ({
    ...{ attribute: `${feature}_access_level`, expected: 'private', found: 'enabled' },
    lost: 'on-import',
  }));
  for (const readable of [source, null])
    expect(differing({ source: readable, archive, target: levels('enabled') })).toEqual({
      ...nothing,
      settings: lost,
    });
  expect(differing({ source, archive, target: levels('private') })).toEqual(nothing);
  expect(differing({ source, archive, target: source })).toEqual(nothing);
});

it('the level of operations is compared under its own name if no side has the newer ones', () => {
  const lost = {
    attribute: 'operations_access_level',
    expected: 'private',
    found: 'enabled',
    lost: 'on-import',
  };
  const target = { operations_access_level: 'enabled' };
  for (const readable of [source, null])
    expect(differing({ source: readable, archive, target })).toEqual({ ...nothing, settings: [lost] });
});

it('the newer names of operations are compared if only the source has them', () => {
  const newer = archiveWith({ project_feature: { environments_access_level: 10 } });
  const shown = { ...levels('enabled'), environments_access_level: 'private' };
  const { settings } = differing({
    source: shown,
    archive: newer,
    target: { operations_access_level: 'enabled' },
  });
  expect(settings.map(({ attribute }) => attribute)).toEqual(['environments_access_level']);
});

it('the present name of a level counts if there are both', () => {
  const both = archiveWith({
    project_feature: { operations_access_level: 10, environments_access_level: 20 },
  });
  const target = { ...levels('private'), environments_access_level: 'enabled' };
  const shown = { operations_access_level: 'private', environments_access_level: 'enabled' };
  expect(differing({ source: shown, archive: both, target })).toEqual(nothing);
});

it('the disabling of e-mails is compared with the newer switch', () => {
  const compare = (isDisabled: boolean | null, isEnabled: boolean) =>
    differing({
      source: { emails_disabled: isDisabled },
      archive: archiveWith({}),
      target: { emails_enabled: isEnabled, emails_disabled: !isEnabled },
    });
  expect(compare(true, true)).toEqual({
    ...nothing,
    remarks: [expect.stringMatching(/does not carry.*: emails_enabled is true and was false\.$/)],
  });
  for (const isDisabled of [false, null]) expect(compare(isDisabled, true)).toEqual(nothing);
  expect(compare(true, false)).toEqual(nothing);
});

describe('the switch of the container registry', () => {
  const attribute = 'container_registry_access_level';
  const archived = (isOn: boolean, feature = {}) =>
    archiveWith({ project: { container_registry_enabled: isOn }, project_feature: { ...feature } });

  it('is compared with the level of newer versions', () => {
    for (const shown of [{ container_registry_enabled: false }, null])
      expect(
        differing({ source: shown, archive: archived(false), target: { [attribute]: 'enabled' } }),
      ).toEqual({
        ...nothing,
        settings: [{ attribute, expected: 'disabled', found: 'enabled', lost: 'on-import' }],
      });
    const same = { source: null, archive: archived(true), target: { [attribute]: 'enabled' } };
    expect(differing(same)).toEqual(nothing);
  });

  it('does not count if the archive has a level', () => {
    const archive = archived(true, { [attribute]: 10 });
    expect(differing({ source: null, archive, target: { [attribute]: 'private' } })).toEqual(nothing);
  });
});

describe('the pattern of test coverage', () => {
  const pattern = { build_coverage_regex: String.raw`\d+%` };
  const archive = archiveWith({ project: pattern });

  it('is named with its replacement if the target has no such setting', () => {
    for (const source of [pattern, null])
      expect(differing({ source, archive, target: {} })).toEqual({
        ...nothing,
        remarks: [
          String.raw`Newer versions of GitLab, such as that of the target, have no setting build_coverage_regex (it was \d+%). Use the keyword coverage in .gitlab-ci.yml instead.`,
        ],
      });
    expect(differing({ source: null, archive: archiveWith({}), target: {} })).toEqual(nothing);
  });

  it('is compared if the target shows it', () => {
    const target = { build_coverage_regex: null };
    expect(differing({ source: pattern, archive, target }).settings).toMatchObject([
      { attribute: 'build_coverage_regex', lost: 'on-import' },
    ]);
    expect(differing({ source: pattern, archive, target: pattern })).toEqual(nothing);
  });
});
