/** @file Settings that older versions of GitLab have under another name. */
import { expect, it } from 'vitest';
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
