import { expect, test } from 'vitest';
import { ignoredAttributes } from '../../../../src-contract/projects/project-attribute-answers.ts';
import type { AttributeValue } from '../../../../src-contract/projects/project-attributes.ts';

type Asked = Record<string, AttributeValue>;

test.each<[string, Asked, Record<string, unknown>]>([
  ['has the value', { merge_method: 'ff', lfs_enabled: false }, { merge_method: 'ff', lfs_enabled: false }],
  ['has the topics in another order', { topics: ['b', 'a'] }, { topics: ['a', 'b'] }],
  ['has the topics once', { topics: ['a', 'a'] }, { topics: ['a'] }],
  ['has no topics', { topics: [] }, { topics: [] }],
  ['tells an empty text as null', { description: '' }, { description: null }],
  ['has what replaced a list', { tag_list: ['a'] }, { topics: ['a'], tag_list: [] }],
  ['has on what an old boolean switches on', { issues_enabled: true }, { issues_access_level: 'private' }],
  ['has off what an old boolean switches off', { jobs_enabled: false }, { builds_access_level: 'disabled' }],
  ['tells only the old boolean', { issues_enabled: true }, { issues_enabled: true }],
  ['has the opposite of the opposite', { emails_disabled: true }, { emails_enabled: false }],
  ['has the newer name of public_builds', { public_builds: false }, { public_jobs: false }],
  [
    'spells the merge request link otherwise',
    { printing_merge_request_link_enabled: false },
    { printing_merge_requests_link_enabled: false },
  ],
  [
    'has what was asked of the expiration policy',
    { container_expiration_policy_attributes: { cadence: '1d', name_regex: '.*', keep_n: 5 } },
    { container_expiration_policy: { cadence: '1d', name_regex_delete: '.*', keep_n: 5, enabled: true } },
  ],
  ['does not tell secrets', { import_url: 'https://user:secret@example.com/a.git' }, { import_url: null }],
  ['does not tell files', { avatar: '/tmp/a.png' }, { avatar_url: null }],
  ['does not tell what only makes a project', { initialize_with_readme: true, template_name: 'rails' }, {}],
  ['need not tell it', { show_default_award_emojis: true }, {}],
])('an attribute counts as taken when the answer %s', (_, asked, answered) => {
  expect(ignoredAttributes(asked, answered)).toEqual([]);
});

test.each<[string, Asked, Record<string, unknown>, unknown]>([
  ['has another value', { merge_method: 'ff' }, { merge_method: 'merge' }, 'merge'],
  [
    'has another value where it need not tell it',
    { build_git_strategy: 'clone' },
    { build_git_strategy: 'fetch' },
    'fetch',
  ],
  ['lacks it, as a tier does', { mirror: true }, {}, null],
  ['lacks it, as an older release does', { model_registry_access_level: 'private' }, {}, null],
  ['lacks one topic', { topics: ['a', 'b'] }, { topics: ['a'] }, ['a']],
  ['tells topics in no list', { topics: ['a'] }, { topics: null }, null],
  [
    'has off what an old boolean switches on',
    { wiki_enabled: true },
    { wiki_access_level: 'disabled' },
    'disabled',
  ],
  [
    'has on what an old boolean switches off',
    { wiki_enabled: false },
    { wiki_access_level: 'enabled' },
    'enabled',
  ],
  ['has mails on', { emails_disabled: true }, { emails_enabled: true }, true],
  [
    'has another part of the expiration policy',
    { container_expiration_policy_attributes: { keep_n: 5 } },
    { container_expiration_policy: { keep_n: 10 } },
    { keep_n: 10 },
  ],
  ['lacks the expiration policy', { container_expiration_policy_attributes: { keep_n: 5 } }, {}, null],
])('an attribute counts as not taken when the answer %s', (_, asked, answered, is) => {
  const [attribute = ''] = Object.keys(asked);
  expect(ignoredAttributes(asked, answered)).toEqual([{ attribute, asked: asked[attribute], is }]);
});
