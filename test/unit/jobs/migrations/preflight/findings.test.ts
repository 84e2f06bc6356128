/** @file Tests the rules of the preflight. The facts of each test differ only in the subject of the rule. */
import { expect, test } from 'vitest';
import { findingsOf } from '../../../../../src-main/jobs/migrations/preflight/findings.ts';
import type {
  Facts,
  NamespaceFacts,
  ProjectFacts,
  SideFacts,
  SideUser,
  SourceProjectFacts,
  ExistingProjectFacts,
} from '../../../../../src-main/jobs/migrations/preflight/facts.ts';
import {
  notExportedKinds,
  type NotExportedCounts,
} from '../../../../../src-contract/migrations/migration.ts';
import { countedParts, uncountedSentences } from '../../../../../src-main/jobs/migrations/never-exported.ts';

const gib = 1024 ** 3;
const administrator: SideUser = {
  id: 1,
  username: 'root',
  administrator: true,
  bot: false,
  mayCreateGroups: true,
  projectsLimit: 100,
};
const member: SideUser = { ...administrator, id: 2, username: 'mel', administrator: false };

const side = (name: string, changes: Partial<SideFacts> = {}): SideFacts => ({
  name,
  url: `https://${name}.example.com`,
  version: '18.5.0',
  user: administrator,
  token: { scopes: ['api'], expiresOn: null },
  settings: {
    importSources: ['gitlab_project'],
    exportEnabled: true,
    maxImportBytes: 0,
    maxExportBytes: 0,
    maxUnpackedBytes: 0,
    restrictedVisibilities: [],
  },
  ...changes,
});
const place = (changes: Partial<NamespaceFacts> = {}): NamespaceFacts => ({
  fullPath: 'group',
  kind: 'group',
  visibility: 'public',
  projectCreation: 'maintainer',
  subgroupCreation: 'maintainer',
  sharedRunners: 'enabled',
  markedForDeletionOn: null,
  role: 50,
  ...changes,
});
const source = (changes: Partial<SourceProjectFacts> = {}): SourceProjectFacts => ({
  fullPath: 'group/app',
  archived: false,
  visibility: 'private',
  role: 50,
  ownedByUser: false,
  markedForDeletionOn: null,
  sharedRunnersEnabled: true,
  repositoryBytes: gib,
  storageBytes: gib,
  exportState: 'none',
  extras: Object.fromEntries(notExportedKinds.map((kind) => [kind, 0])) as NotExportedCounts,
  members: { total: 2, withEmail: 2 },
  ...changes,
});
const project = (changes: Partial<ProjectFacts> = {}): ProjectFacts => ({
  sourceId: 1,
  sourcePath: 'group/app',
  wave: 1,
  placement: { namespace: 'group', path: 'app', name: null, overwrite: false, overrideParams: {} },
  conflicts: [],
  source: source(),
  sourceError: null,
  existingProject: null,
  targetError: null,
  archiveBytes: null,
  lint: null,
  hasExportJob: false,
  ...changes,
});
const replacing = { placement: { ...project().placement, overwrite: true } };
const taken = (changes: Partial<ExistingProjectFacts> = {}): ExistingProjectFacts => ({
  fullPath: 'group/app',
  markedForDeletionOn: null,
  role: 50,
  ...changes,
});
const places = (...all: NamespaceFacts[]): Facts['namespacesByPath'] =>
  new Map(all.map((namespace) => [namespace.fullPath.toLowerCase(), namespace]));
const only = (changes: Partial<ProjectFacts>): Partial<Facts> => ({ projects: [project(changes)] });
const fromSource = (changes: Partial<SourceProjectFacts>): Partial<Facts> =>
  only({ source: source(changes) });

const facts = (changes: Partial<Facts> = {}): Facts => ({
  draft: { source: 'source', target: 'target', freeze: false, overrideParams: {}, rules: [] },
  source: side('source'),
  target: side('target'),
  namespacesByPath: places(place()),
  missingGroups: [],
  projects: [project()],
  freeBytes: 10 * gib,
  now: Date.UTC(2026, 10, 21),
  endsAt: null,
  ...changes,
});
/** Returns the findings without `not-carried`, which every project has. */
const found = (changes: Partial<Facts> = {}): string[] =>
  findingsOf(facts(changes))
    .filter(({ code }) => code !== 'not-carried')
    .map(({ severity, id }) => `${severity} ${id}`);

test('the preflight reports nothing if there is no obstacle', () => {
  expect(found()).toEqual([]);
});

const asMember = { target: side('target', { user: member }) };
/** The finding for every account that is not an administrator. */
const notMapped = 'warning users-not-mapped';

test.each<[string, Partial<Facts>, string[]]>([
  [
    'a source three minor releases older than the target',
    { source: side('source', { version: '18.2.0' }) },
    ['warning versions-far-apart'],
  ],
  [
    'a source whose layout the target rejects',
    { source: side('source', { version: '12.10.0' }) },
    ['blocker layout-refused', 'warning versions-far-apart', 'info source-before-17-2'],
  ],
  [
    'an archive whose records could not be read',
    only({ lint: { findings: [], more: 0, recordsRead: false } }),
    ['warning archive-records-not-read:group/app'],
  ],
  [
    'an archive with more problems than the check can list',
    only({ lint: { findings: [], more: 7, recordsRead: true } }),
    ['warning archive-findings-cut:group/app'],
  ],
  [
    'a rule that matches no project',
    {
      draft: {
        ...facts().draft,
        rules: [
          { from: 'GROUP', to: 'new' },
          { from: 'grup', to: 'new' },
        ],
      },
    },
    ['warning rule-without-project:grup'],
  ],
  [
    'settings that no project has',
    {
      draft: { ...facts().draft, overrideParams: { foo: 'bar', visibility: 'private' } },
      ...only({ placement: { ...project().placement, overrideParams: { foo: 'baz', fu: '' } } }),
    },
    ['blocker override-unknown:foo', 'blocker override-unknown:fu'],
  ],
  [
    'an archive that is larger than the target accepts',
    {
      target: side('target', {
        settings: { ...(side('target').settings as object), maxImportBytes: gib } as SideFacts['settings'],
      }),
      ...only({ archiveBytes: 2 * gib }),
    },
    ['blocker import-too-large:group/app'],
  ],
  [
    'members without a public e-mail address',
    fromSource({ members: { total: 3, withEmail: 1 } }),
    ['warning members-without-email'],
  ],
  ['too little free space for the archives', { freeBytes: gib - 1 }, ['blocker disk-too-small']],
  [
    'a group that is marked for deletion',
    { namespacesByPath: places(place({ markedForDeletionOn: '2026-11-20' })) },
    ['blocker group-pending-deletion:group'],
  ],
  [
    'a group that accepts no projects, even from administrators',
    { namespacesByPath: places(place({ projectCreation: 'noone' })) },
    ['blocker group-takes-no-projects:group'],
  ],
  [
    'a group in which the role of the account is unknown',
    { ...asMember, namespacesByPath: places(place({ role: null })) },
    [notMapped, 'info group-role-unknown:group'],
  ],
  [
    'the personal namespace of another user',
    { ...asMember, namespacesByPath: places(place({ kind: 'user' })) },
    ['blocker namespace-of-another:group', notMapped],
  ],
  [
    'a personal namespace that allows no projects',
    {
      target: side('target', { user: { ...administrator, username: 'group', projectsLimit: 0 } }),
      namespacesByPath: places(place({ kind: 'user' })),
    },
    ['blocker no-personal-projects:group'],
  ],
  ['a missing group that can be created', { missingGroups: ['new'] }, ['warning group-missing:new']],
  [
    'a missing group that the account may not create',
    { target: side('target', { user: { ...member, mayCreateGroups: false } }), missingGroups: ['new'] },
    ['blocker group-missing:new', notMapped],
  ],
  [
    'a missing top-level group on GitLab.com',
    { target: side('target', { url: 'https://gitlab.com' }), missingGroups: ['new'] },
    ['blocker group-missing:new'],
  ],
  [
    'a missing group below a group in which the role of the account is too low',
    {
      ...asMember,
      namespacesByPath: places(place({ subgroupCreation: 'owner', role: 40 })),
      missingGroups: ['group/new'],
    },
    ['blocker group-missing:group/new', notMapped],
  ],
  [
    'a project whose target group is below a personal namespace',
    {
      namespacesByPath: places(
        place({ fullPath: 'mel', kind: 'user' }),
        place({ fullPath: 'mel/new', kind: 'missing' }),
        place({ fullPath: 'mel/new/deep', kind: 'missing' }),
      ),
      ...only({ placement: { ...project().placement, namespace: 'Mel/new/deep' } }),
    },
    ['blocker group-below-person:group/app'],
  ],
  ['a project that is missing on the source', only({ source: null }), ['blocker source-missing:group/app']],
  [
    'a project that cannot be read on the source',
    only({ source: null, sourceError: 'The server failed (HTTP 500).' }),
    ['blocker source-unreadable:group/app'],
  ],
  [
    'a project whose place cannot be read on the target',
    only({ targetError: 'The server failed (HTTP 500).' }),
    ['blocker target-unreadable:group/app'],
  ],
  [
    'a source that the account may export but not archive',
    {
      source: side('source', { user: member }),
      draft: { ...facts().draft, freeze: true },
      ...fromSource({ role: 40 }),
    },
    ['blocker source-not-owner:group/app'],
  ],
  [
    'a source that the account cannot archive after the migration',
    { source: side('source', { user: member }), ...fromSource({ role: 40 }) },
    ['info source-not-owner'],
  ],
  [
    'a source that is marked for deletion',
    fromSource({ markedForDeletionOn: '2026-11-20' }),
    ['warning source-pending-deletion:group/app'],
  ],
  ['an archived source', fromSource({ archived: true }), ['info source-archived:group/app']],
  [
    'a target project that is marked for deletion',
    only({ existingProject: taken({ markedForDeletionOn: '2026-11-20' }) }),
    ['blocker target-pending-deletion:group/app'],
  ],
  [
    'a target project that is to be replaced',
    only({ ...replacing, existingProject: taken() }),
    ['warning target-replaced:group/app'],
  ],
  [
    'a target project that the account may not replace',
    { ...asMember, ...only({ ...replacing, existingProject: taken({ role: 40 }) }) },
    ['blocker target-not-replaceable:group/app', notMapped, 'warning target-replaced:group/app'],
  ],
  [
    'shared runners that the group does not allow',
    { namespacesByPath: places(place({ sharedRunners: 'disabled_and_unoverridable' })) },
    ['warning shared-runners:group/app'],
  ],
])('the preflight reports %s', (_what, changes, expected) => {
  expect(found(changes)).toEqual(expected);
});

test('the preflight does not report an archived source if the migration itself archives its sources', () => {
  const draft = { ...facts().draft, freeze: true };
  expect(found({ draft, ...fromSource({ archived: true }) })).toEqual([]);
});

test('the preflight does not report shared runners that an override disables', () => {
  const draft = { ...facts().draft, overrideParams: { shared_runners_enabled: 'false' } };
  expect(
    found({ draft, namespacesByPath: places(place({ sharedRunners: 'disabled_and_unoverridable' })) }),
  ).toEqual([]);
});

test('only a project that cannot be read is blocked without blocking the start of the others', () => {
  const blockers = findingsOf(
    facts({
      projects: [
        project({ source: null, sourceError: 'It failed.', targetError: 'It failed.' }),
        project({ sourcePath: 'group/gone', source: null }),
      ],
    }),
  ).filter(({ severity }) => severity === 'blocker');
  expect(blockers.map(({ id, blocksOnlyProject = false }) => [id, blocksOnlyProject])).toEqual([
    ['target-unreadable:group/app', true],
    ['source-unreadable:group/app', true],
    ['source-missing:group/gone', false],
  ]);
});

test('the preflight names each kind of data that no export contains with its number', () => {
  const extras = Object.fromEntries(notExportedKinds.map((kind, index) => [kind, index + 1]));
  const notCarried = findingsOf(facts(fromSource({ extras: extras as NotExportedCounts }))).find(
    ({ code }) => code === 'not-carried',
  );
  const names = notExportedKinds.map(
    (kind, index) => `${index + 1} ${countedParts[kind][index === 0 ? 'one' : 'many']}`,
  );
  expect(notCarried?.message).toBe(
    `An export does not carry ${names.join(', ')}. ${uncountedSentences.join(' ')}`,
  );
});
