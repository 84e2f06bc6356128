/** @file A draft of a migration that makes no sense is refused before it is stored. */
import { expect, test } from 'vitest';
import { validateDraft } from '../../../../src-main/services/migrations/migration-validation.ts';

const rule = (from: string) => ({ from, to: 'new' });

test('two rules about one group are refused, ignoring case', () => {
  expect(() => {
    validateDraft({ rules: [rule('atlas'), rule('other'), rule('Atlas')], overrideParams: {} });
  }).toThrow('Two rules are about Atlas');
  expect(() => {
    validateDraft({ rules: [rule(''), rule('')], overrideParams: {} });
  }).toThrow('Two rules are about every group');
});

test('a setting that would make every import fail is refused, and so is one that GitLab would ignore', () => {
  expect(() => {
    validateDraft({ rules: [], overrideParams: { visibility: 'purple' } });
  }).toThrow('"visibility" must be one of private, internal, public.');
  expect(() => {
    validateDraft({ rules: [], overrideParams: { newer: 'x' } });
  }).toThrow('There is no attribute "newer"');
});

test('rules about a group and its subgroups, and settings that GitLab applies, are accepted', () => {
  expect(() => {
    validateDraft({
      rules: [rule(''), rule('atlas'), rule('atlas/tools')],
      overrideParams: { visibility: 'internal' },
    });
  }).not.toThrow();
});
