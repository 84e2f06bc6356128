import { expect, test } from 'vitest';
import { ignoredAttributes } from '../../../../src-contract/projects/project-attribute-answers.ts';
import type { AttributeValue } from '../../../../src-contract/projects/project-attributes.ts';

type Requested = Record<string, AttributeValue>;

test.each<[string, Requested, Record<string, unknown>]>([
  ['has the value', { merge_method: 'ff', lfs_enabled: false }, { merge_method: 'ff', lfs_enabled: false }],
  ['has the topics in another order', { topics: ['b', 'a'] }, { topics: ['a', 'b'] }],
  ['has the topics once', { topics: ['a', 'a'] }, { topics: ['a'] }],
  ['has no topics', { topics: [] }, { topics: [] }],
  ['shows an empty text as null', { description: '' }, { description: null }],
  ['has the attribute that replaced a list', { tag_list: ['a'] }, { topics: ['a'], tag_list: [] }],
  [
    'shows the feature that a deprecated boolean enables as private',
    { issues_enabled: true },
    { issues_access_level: 'private' },
  ],
  [
    'shows the feature that a deprecated boolean disables as disabled',
    { jobs_enabled: false },
    { builds_access_level: 'disabled' },
  ],
  ['has only the deprecated boolean', { issues_enabled: true }, { issues_enabled: true }],
  [
    'has the opposite value of the attribute with the opposite meaning',
    { emails_disabled: true },
    { emails_enabled: false },
  ],
  ['has the newer name of public_builds', { public_builds: false }, { public_jobs: false }],
  [
    'spells the attribute of the merge request link differently',
    { printing_merge_request_link_enabled: false },
    { printing_merge_requests_link_enabled: false },
  ],
  [
    'has the requested fields of the expiration policy',
    { container_expiration_policy_attributes: { cadence: '1d', name_regex: '.*', keep_n: 5 } },
    { container_expiration_policy: { cadence: '1d', name_regex_delete: '.*', keep_n: 5, enabled: true } },
  ],
  ['does not show secrets', { import_url: 'https://user:secret@example.com/a.git' }, { import_url: null }],
  ['does not show files', { avatar: '/tmp/a.png' }, { avatar_url: null }],
  [
    'does not show attributes that only apply to the creation of a project',
    { initialize_with_readme: true, template_name: 'rails' },
    {},
  ],
  ['lacks it and need not show it', { show_default_award_emojis: true }, {}],
])('an attribute counts as applied if the reply %s', (_, requested, reply) => {
  expect(ignoredAttributes(requested, reply)).toEqual([]);
});

test.each<[string, Requested, Record<string, unknown>, unknown]>([
  ['has another value', { merge_method: 'ff' }, { merge_method: 'merge' }, 'merge'],
  [
    'has another value, although it need not show it',
    { build_git_strategy: 'clone' },
    { build_git_strategy: 'fetch' },
    'fetch',
  ],
  ['lacks it because of the tier', { mirror: true }, {}, null],
  ['lacks it because of an older release', { model_registry_access_level: 'private' }, {}, null],
  ['lacks one topic', { topics: ['a', 'b'] }, { topics: ['a'] }, ['a']],
  ['shows null instead of a list of topics', { topics: ['a'] }, { topics: null }, null],
  [
    'shows the feature that a deprecated boolean enables as disabled',
    { wiki_enabled: true },
    { wiki_access_level: 'disabled' },
    'disabled',
  ],
  [
    'shows the feature that a deprecated boolean disables as enabled',
    { wiki_enabled: false },
    { wiki_access_level: 'enabled' },
    'enabled',
  ],
  ['shows emails as enabled', { emails_disabled: true }, { emails_enabled: true }, true],
  [
    'has another value in the expiration policy',
    { container_expiration_policy_attributes: { keep_n: 5 } },
    { container_expiration_policy: { keep_n: 10 } },
    { keep_n: 10 },
  ],
  ['lacks the expiration policy', { container_expiration_policy_attributes: { keep_n: 5 } }, {}, null],
])('an attribute counts as ignored if the reply %s', (_, requested, reply, is) => {
  const [attribute = ''] = Object.keys(requested);
  expect(ignoredAttributes(requested, reply)).toEqual([{ attribute, asked: requested[attribute], is }]);
});
