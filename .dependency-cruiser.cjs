// Who may import whom: one allow-list per row of the table in ARCHITECTURE.md, and the single owners of what must not
// spread. A rule matches what an import resolves to; type-only imports count as imports unless a rule excepts them.
// Imports inside .svelte files are checked by ESLint (eslint.config.js): their types are not seen here.
// test/unit/layers plants one forbidden import per rule.
const contract = '^src-contract/';
const calls = `${contract}(calls|calls/.*)\\.ts$`;
const schemas = `${contract}(.*-schema|schema)\\.ts$`;
const packages = (...names) => `^node_modules/(${names.join('|')})/`;

/** Of our own source, `from` may import nothing but `allowed` (itself must be listed, too). */
const row = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^src-', pathNot: allowed },
});

/** Only files that match `owner` may import what matches `what`; tests may where `tests` says so. */
const owner = (name, what, owners, { tests = true } = {}) => ({
  name,
  severity: 'error',
  from: { pathNot: tests ? [...owners, '^test/'] : owners },
  to: { path: what },
});

const leaf = (folder) =>
  row(`${folder}-is-a-leaf`, `^src-main/${folder}/`, [
    `^src-main/${folder}/`,
    '^src-main/platform/',
    contract,
  ]);

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: { pathNot: contract }, to: { circular: true } },
    {
      // A noun takes its types from its schemas, which use its constants: a cycle in types alone, which loads nothing.
      name: 'no-circular-in-contract',
      severity: 'error',
      from: { path: contract },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },

    {
      name: 'contract-is-pure',
      severity: 'error',
      from: { path: contract },
      to: { pathNot: [contract, packages('zod', 'diff')] },
    },
    {
      // Whatever imports a noun, such as the page, must not load zod with it. Types load nothing.
      name: 'nouns-load-no-schema',
      severity: 'error',
      from: { path: contract, pathNot: [schemas, calls] },
      to: { path: [schemas, packages('zod')], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nouns-know-no-call',
      severity: 'error',
      from: { path: contract, pathNot: [schemas, calls] },
      to: { path: calls },
    },
    {
      name: 'preload-knows-names-only',
      severity: 'error',
      from: { path: '^src-preload/preload' },
      to: { pathNot: [`${contract}call-names`, packages('electron')] },
    },
    row('platform-is-bottom', '^src-main/platform/', ['^src-main/platform/', contract]),
    leaf('gitlab'),
    leaf('archive'),
    leaf('catalogue'),
    // What the product knows of GitLab must not be what the sandbox knows of it: a wrong name would then be right in every test.
    row('sandbox-is-a-leaf', '^src-main/sandbox/', [
      '^src-main/sandbox/',
      '^src-main/platform/clock\\.ts$',
      `${contract}(errors|schema)\\.ts$`,
    ]),
    {
      // Types of the layers below may be named; of their functions only pure ones may be called.
      name: 'jobs-through-ports',
      severity: 'error',
      from: { path: '^src-main/jobs/' },
      to: {
        path: '^src-',
        pathNot: [
          '^src-main/(jobs/|archive/(retention|compare|export-time)\\.ts|platform/clock\\.ts)',
          contract,
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'jobs-name-nothing-above',
      severity: 'error',
      from: { path: '^src-main/jobs/' },
      to: { path: '^src-(main/(services|bridge|compose|hosts|sandbox)|renderer)/' },
    },
    {
      name: 'services-name-nothing-above',
      severity: 'error',
      from: { path: '^src-main/services/' },
      to: { path: ['^src-main/(bridge|compose|hosts)/', '^src-renderer/', '^src-preload/preload'] },
    },
    row('bridge-over-services', '^src-main/bridge/', ['^src-main/(bridge|services)/', contract]),
    {
      name: 'compose-not-to-hosts-or-renderer',
      severity: 'error',
      from: { path: '^src-main/compose/' },
      to: { path: ['^src-main/hosts/', '^src-renderer/', '^src-preload/preload'] },
    },
    row('hosts-through-compose', '^src-main/hosts/', [
      '^src-main/(hosts|compose|services|bridge|platform)/',
      contract,
    ]),
    row('renderer-sees-only-the-contract', '^src-renderer/', ['^src-renderer/', contract]),
    row('kit-knows-no-call', '^src-renderer/kit/', ['^src-renderer/kit/', `${contract}(?!call)`]),
    row('data-knows-no-view', '^src-renderer/(data/|bridge/|client\\.ts$)', [
      '^src-renderer/(kit/|data/|bridge/|client\\.ts$)',
      contract,
    ]),
    // App.svelte puts the two together.
    row('shell-knows-no-view', '^src-renderer/shell/', [
      '^src-renderer/(kit/|data/|shell/|client\\.ts$)',
      contract,
    ]),
    row('views-know-no-shell', '^src-renderer/views/', [
      '^src-renderer/(kit/|data/|views/|client\\.ts$)',
      contract,
    ]),
    {
      name: 'renderer-uses-ui-packages-only',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: {
        path: '^node_modules/',
        pathNot: packages('svelte', 'vite', 'bits-ui', '@lucide/svelte'),
      },
    },
    {
      name: 'renderer-has-no-node',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'nothing-imports-hosts',
      severity: 'error',
      from: { pathNot: '^(src-main/hosts|test)/' },
      to: { path: '^src-main/hosts/' },
    },
    { name: 'nothing-imports-test', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },

    owner('zod-through-schema', packages('zod'), [`${contract}schema\\.ts$`], { tests: false }),
    owner('diff-in-the-words', packages('diff'), [`${contract}words/changed-words\\.ts$`], { tests: false }),
    owner(
      'electron-at-the-edge',
      packages('electron'),
      [
        '^src-main/hosts/desktop(\\.ts|/[^/]+/electron-[^/]+\\.ts)$',
        '^src-main/bridge/transports/electron\\.ts$',
        '^src-preload/preload\\.ts$',
      ],
      { tests: false },
    ),
    owner('keytar-in-credentials', packages('keytar', '@github/keytar'), [
      '^src-main/platform/credentials-keychain\\.ts$',
    ]),
    owner('got-in-the-sender', packages('got'), ['^src-main/gitlab/http/sender\\.ts$']),
    owner('sqlite-in-the-catalogue', packages('better-sqlite3', '@types/better-sqlite3'), [
      '^src-main/catalogue/',
    ]),
    {
      name: 'core-runs-on-dependencies',
      comment: 'What main imports at run time is not bundled, so it must be installed with the product.',
      severity: 'error',
      from: { path: '^src-main/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: packages('electron'),
      },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^svelte/internal' },
    },
  ],
  options: {
    tsPreCompilationDeps: true, // type-only imports count as imports
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['svelte', 'import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
