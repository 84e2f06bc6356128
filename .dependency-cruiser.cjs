// The layering table of design.md, section 3, as a dependency-cruiser configuration: a starting point. One allow-list
// per row; complete it with a test that plants one bad import per row. Type-only imports inside .svelte files are not
// seen here: an ESLint no-restricted-imports rule covers those.
const contract = '^src-preload/contract/';
const leaf = (name) => ({
  name: `${name}-is-a-leaf`,
  severity: 'error',
  from: { path: `^src-main/${name}/` },
  to: { path: '^src-', pathNot: [`^src-main/${name}/`, '^src-main/platform/', contract] },
});

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'contract-is-pure',
      severity: 'error',
      from: { path: contract },
      to: { pathNot: [contract, '^node_modules/zod/'] },
    },
    {
      name: 'zod-only-in-schema',
      severity: 'error',
      from: { path: '^src-(preload|renderer)/', pathNot: `${contract}schema` },
      to: { path: '^node_modules/zod/' },
    },
    {
      name: 'platform-is-bottom',
      severity: 'error',
      from: { path: '^src-main/platform/' },
      to: { path: '^src-', pathNot: ['^src-main/platform/', contract] },
    },
    leaf('instance'),
    leaf('archive'),
    leaf('catalogue'),
    leaf('sandbox'),
    {
      name: 'jobs-through-ports',
      severity: 'error', // pure functions of archive may be called, types may be named
      from: { path: '^src-main/jobs/' },
      to: {
        path: '^src-',
        pathNot: ['^src-main/jobs/', contract, '^src-main/archive/retention'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'bridge-through-ports',
      severity: 'error',
      from: { path: '^src-main/bridge/' },
      to: { path: '^src-', pathNot: ['^src-main/bridge/', contract], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'app-not-to-hosts-or-renderer',
      severity: 'error',
      from: { path: '^src-main/app/' },
      to: { path: '^(src-main/hosts|src-renderer)/' },
    },
    {
      name: 'hosts-through-app-and-bridge',
      severity: 'error',
      from: { path: '^src-main/hosts/' },
      to: { path: '^src-', pathNot: ['^src-main/(hosts|app|bridge|platform)/', contract] },
    },
    {
      name: 'nothing-imports-hosts',
      severity: 'error',
      from: { pathNot: '^(src-main/hosts|test)/' },
      to: { path: '^src-main/hosts/' },
    },
    {
      name: 'electron-at-the-edge',
      severity: 'error',
      from: { path: '^src-main/', pathNot: '^src-main/(hosts/desktop|bridge/electron)' },
      to: { path: '^(node_modules/)?electron(/|$)' },
    },
    {
      name: 'keytar-in-credentials',
      severity: 'error',
      from: { pathNot: '^src-main/platform/credentials' },
      to: { path: '^(node_modules/)?(keytar|@github/keytar)(/|$)' },
    },
    {
      name: 'got-in-the-client',
      severity: 'error',
      from: { pathNot: '^(src-main/instance/client|test/)' },
      to: { path: '^(node_modules/)?got(/|$)' },
    },
    {
      name: 'preload-knows-names-only',
      severity: 'error',
      from: { path: '^src-preload/preload' },
      to: { path: '^src-', pathNot: `${contract}call-names` },
    },
    {
      name: 'renderer-sees-only-the-contract',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { path: '^src-(main|preload)/', pathNot: contract },
    },
    {
      name: 'renderer-has-no-node',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'nothing-imports-test', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(svelte/internal|electron$)' },
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
