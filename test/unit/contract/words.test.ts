import { expect, test } from 'vitest';
import { partText, relationLabel, relationText } from '../../../src-contract/words/relations.ts';
import { roleText } from '../../../src-contract/words/roles.ts';
import { formatBytes } from '../../../src-contract/words/sizes.ts';
import { lowerFirst } from '../../../src-contract/words/first-letter.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [999_499, '999 kB'],
  [999_500, '1 MB'],
  [527_400_123, '527 MB'],
  [1_234_567_890, '1.23 GB'],
  [2_400_000_000, '2.4 GB'],
  [5e15, '5000 TB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  ['merge_requests', 'merge requests', 'Merge requests'],
  ['issue_notes', 'comments on issues', 'Comments on issues'],
  ['ci_cd_settings', 'CI/CD settings', 'CI/CD settings'],
  ['from_a_later_version', 'from a later version', 'From a later version'],
  ['_', '_', '_'],
])('the relation %s is named "%s" in a sentence and "%s" as a label', (relation, text, label) => {
  expect([relationText(relation), relationLabel(relation)]).toEqual([text, label]);
});

test.each([
  ['merge access level', '40', 'no role', 'merge access level: "no role" instead of "Maintainer"'],
  ['push access level', '0', '30', 'push access level: "Developer" instead of "No one"'],
  ['force push', '0', '1', 'force push: "allowed" instead of "not allowed"'],
  ['code owner approval', '1', '0', 'code owner approval: "not required" instead of "required"'],
])(
  'the rule "%s" of a protected branch that changed from %s to %s is shown in words',
  (name, expected, found, text) => {
    expect(partText({ name, values: { expected, found } })).toBe(text);
  },
);

test('a role of a later version is shown by its access level', () => {
  expect([roleText(40), roleText(77)]).toEqual(['Maintainer', '77']);
});

test.each([
  ['Not all arrived', 'not all arrived'],
  ['GitLab does not respond', 'GitLab does not respond'],
  ['CI/CD settings', 'CI/CD settings'],
])('within a sentence "%s" becomes "%s"', (words, inside) => {
  expect(lowerFirst(words)).toBe(inside);
});
