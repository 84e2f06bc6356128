/**
 * @file Plants forbidden imports in a small tree like ours and checks that the intended rule reports each of them. The
 * allowed imports are planted in another tree and must cause no violation.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const repository = join(import.meta.dirname, '../../..');

/** The importing file; the imported file, package or built-in module; and the kind of import. */
type Import = readonly [from: string, to: string, kind?: 'type'];

const planted: Record<string, readonly Import[]> = {
  'contract-is-pure': [
    ['src-contract/plans/plan.ts', 'src-main/platform/clock.ts'],
    ['src-contract/plans/plan.ts', 'src-main/jobs/ports.ts', 'type'],
    ['src-contract/plans/plan.ts', 'node:fs'],
    ['src-contract/plans/plan.ts', 'svelte'],
    ['src-contract/plans/plan.ts', 'src-preload/preload.ts'],
  ],
  'nouns-load-no-schema': [
    ['src-contract/plans/plan.ts', 'src-contract/schema.ts'],
    ['src-contract/plans/plan.ts', 'src-contract/plans/plan-schema.ts'],
    ['src-contract/words/states.ts', 'src-contract/plans/plan-schema.ts'],
    ['src-contract/plans/plan.ts', 'zod'],
  ],
  'nouns-know-no-call': [
    ['src-contract/plans/plan.ts', 'src-contract/calls.ts', 'type'],
    ['src-contract/words/states.ts', 'src-contract/calls/plan-calls.ts'],
  ],
  'preload-knows-names-only': [
    ['src-preload/preload.ts', 'src-contract/calls.ts'],
    ['src-preload/preload.ts', 'src-main/platform/clock.ts', 'type'],
    ['src-preload/preload.ts', 'node:path'],
    ['src-preload/preload.ts', 'got'],
  ],
  'platform-is-bottom': [
    ['src-main/platform/paths.ts', 'src-main/catalogue/database.ts'],
    ['src-main/platform/paths.ts', 'src-main/jobs/ports.ts', 'type'],
    ['src-main/platform/paths.ts', 'src-renderer/client.ts'],
  ],
  'gitlab-is-a-leaf': [
    ['src-main/gitlab/http/pages.ts', 'src-main/archive/store.ts'],
    ['src-main/gitlab/http/pages.ts', 'src-main/catalogue/database.ts', 'type'],
    ['src-main/gitlab/http/pages.ts', 'src-main/jobs/ports.ts', 'type'],
  ],
  'archive-is-a-leaf': [
    ['src-main/archive/store.ts', 'src-main/gitlab/http/pages.ts'],
    ['src-main/archive/store.ts', 'src-main/bridge/handler.ts', 'type'],
    ['src-main/archive/store.ts', 'src-main/sandbox/requests/server.ts'],
  ],
  'catalogue-is-a-leaf': [
    ['src-main/catalogue/database.ts', 'src-main/archive/store.ts'],
    ['src-main/catalogue/database.ts', 'src-main/compose/compose.ts'],
  ],
  'sandbox-is-a-leaf': [
    ['src-main/sandbox/requests/server.ts', 'src-main/archive/store.ts'],
    ['src-main/sandbox/requests/server.ts', 'src-main/gitlab/http/pages.ts', 'type'],
    ['src-main/sandbox/requests/server.ts', 'src-main/platform/paths.ts'],
    ['src-main/sandbox/projects/attributes.ts', 'src-contract/projects/project-attributes.ts', 'type'],
    ['src-main/sandbox/projects/attributes.ts', 'src-contract/calls.ts', 'type'],
  ],
  'jobs-through-ports': [
    ['src-main/jobs/exporting/export-job.ts', 'src-main/gitlab/http/client.ts'],
    ['src-main/jobs/exporting/export-job.ts', 'src-main/archive/store.ts'],
    ['src-main/jobs/exporting/export-job.ts', 'src-main/catalogue/database.ts'],
    ['src-main/jobs/exporting/export-job.ts', 'src-main/platform/credentials.ts'],
  ],
  'jobs-name-nothing-above': [
    ['src-main/jobs/exporting/export-job.ts', 'src-main/services/events.ts', 'type'],
    ['src-main/jobs/exporting/export-job.ts', 'src-main/bridge/handler.ts', 'type'],
    ['src-main/jobs/exporting/export-job.ts', 'src-main/compose/compose.ts', 'type'],
    ['src-main/jobs/exporting/export-job.ts', 'src-main/hosts/cli.ts', 'type'],
    ['src-main/jobs/exporting/export-job.ts', 'src-main/sandbox/requests/server.ts', 'type'],
  ],
  'services-name-nothing-above': [
    ['src-main/services/plans/plan-services.ts', 'src-main/bridge/handler.ts', 'type'],
    ['src-main/services/plans/plan-services.ts', 'src-main/bridge/dispatch.ts'],
    ['src-main/services/plans/plan-services.ts', 'src-main/compose/app.ts', 'type'],
    ['src-main/services/plans/plan-services.ts', 'src-main/hosts/cli.ts'],
    ['src-main/services/plans/plan-services.ts', 'src-renderer/client.ts', 'type'],
    ['src-main/services/plans/plan-services.ts', 'src-preload/preload.ts'],
  ],
  'bridge-over-services': [
    ['src-main/bridge/handlers.ts', 'src-main/catalogue/database.ts'],
    ['src-main/bridge/handlers.ts', 'src-main/jobs/ports.ts', 'type'],
    ['src-main/bridge/handlers.ts', 'src-main/platform/paths.ts'],
    ['src-main/bridge/handlers.ts', 'src-main/compose/app.ts', 'type'],
    ['src-main/bridge/handlers.ts', 'src-renderer/client.ts', 'type'],
  ],
  'compose-not-to-hosts-or-renderer': [
    ['src-main/compose/compose.ts', 'src-main/hosts/cli.ts'],
    ['src-main/compose/compose.ts', 'src-renderer/client.ts', 'type'],
    ['src-main/compose/compose.ts', 'src-preload/preload.ts'],
  ],
  'hosts-through-compose': [
    ['src-main/hosts/cli.ts', 'src-main/jobs/ports.ts', 'type'],
    ['src-main/hosts/cli.ts', 'src-main/archive/store.ts'],
    ['src-main/hosts/cli.ts', 'src-main/catalogue/database.ts'],
    ['src-main/hosts/cli.ts', 'src-renderer/client.ts'],
  ],
  'renderer-sees-only-the-contract': [
    ['src-renderer/client.ts', 'src-main/platform/clock.ts', 'type'],
    ['src-renderer/client.ts', 'src-preload/preload.ts'],
  ],
  'kit-knows-no-call': [
    ['src-renderer/kit/format.ts', 'src-renderer/client.ts'],
    ['src-renderer/kit/format.ts', 'src-renderer/data/settings.svelte.ts'],
    ['src-renderer/kit/format.ts', 'src-renderer/views/projects/find/find-query.ts', 'type'],
    ['src-renderer/kit/format.ts', 'src-renderer/shell/rank.ts'],
    ['src-renderer/kit/format.ts', 'src-contract/calls.ts', 'type'],
    ['src-renderer/kit/format.ts', 'src-contract/call-names.ts', 'type'],
  ],
  'data-knows-no-view': [
    ['src-renderer/data/settings.svelte.ts', 'src-renderer/views/projects/find/find-query.ts', 'type'],
    ['src-renderer/data/settings.svelte.ts', 'src-renderer/shell/rank.ts'],
    ['src-renderer/client.ts', 'src-renderer/views/projects/find/find-query.ts'],
  ],
  'shell-knows-no-view': [
    ['src-renderer/shell/rank.ts', 'src-renderer/views/projects/find/find-query.ts', 'type'],
  ],
  'views-know-no-shell': [
    ['src-renderer/views/projects/find/find-query.ts', 'src-renderer/shell/rank.ts', 'type'],
  ],
  'renderer-uses-ui-packages-only': [
    ['src-renderer/client.ts', 'got'],
    ['src-renderer/client.ts', 'zod'],
  ],
  'renderer-has-no-node': [
    ['src-renderer/client.ts', 'node:fs'],
    ['src-renderer/client.ts', 'path'],
  ],
  'nothing-imports-hosts': [['src-main/bridge/handlers.ts', 'src-main/hosts/cli.ts']],
  'nothing-imports-test': [['src-main/platform/paths.ts', 'test/support/world.ts']],
  'zod-through-schema': [
    ['src-contract/plans/plan.ts', 'zod', 'type'],
    ['src-main/gitlab/http/pages.ts', 'zod', 'type'],
    ['src-renderer/client.ts', 'zod'],
  ],
  'diff-in-the-words': [
    ['src-contract/words/differences.ts', 'diff'],
    ['src-main/services/migrations/passport/page.ts', 'diff'],
  ],
  'electron-at-the-edge': [
    ['src-main/jobs/exporting/export-job.ts', 'electron'],
    ['src-main/hosts/cli.ts', 'electron'],
    ['src-main/hosts/desktop/window/guards.ts', 'electron', 'type'],
    ['src-main/bridge/transports/electron-sender.ts', 'electron'],
    ['src-renderer/client.ts', 'electron', 'type'],
  ],
  'keytar-in-credentials': [
    ['src-main/jobs/exporting/export-job.ts', 'keytar'],
    ['src-main/platform/credentials.ts', 'keytar'],
    ['src-main/compose/compose.ts', 'keytar'],
  ],
  'got-in-the-sender': [
    ['src-main/gitlab/http/pages.ts', 'got', 'type'],
    ['src-main/compose/compose.ts', 'got'],
  ],
  'sqlite-in-the-catalogue': [
    ['src-main/jobs/exporting/export-job.ts', 'better-sqlite3', 'type'],
    ['src-main/compose/compose.ts', 'better-sqlite3'],
  ],
  'core-runs-on-dependencies': [
    ['src-main/archive/store.ts', 'svelte'],
    ['src-main/archive/store.ts', 'not-listed'],
  ],
  'no-unresolvable': [['src-main/archive/store.ts', 'src-main/archive/nowhere.ts']],
};

const allowed: readonly Import[] = [
  ['src-contract/schema.ts', 'zod'],
  ['src-contract/words/changed-words.ts', 'diff'],
  ['src-contract/calls.ts', 'src-contract/schema.ts'],
  ['src-contract/plans/plan-schema.ts', 'src-contract/plans/plan.ts'],
  ['src-contract/plans/plan-schema.ts', 'src-contract/schema.ts'],
  ['src-contract/plans/plan.ts', 'src-contract/plans/plan-schema.ts', 'type'],
  ['src-contract/plans/plan.ts', 'src-contract/schema.ts', 'type'],
  ['src-contract/calls/plan-calls.ts', 'src-contract/plans/plan-schema.ts'],
  ['src-preload/preload.ts', 'src-contract/call-names.ts'],
  ['src-preload/preload.ts', 'electron'],
  ['src-main/platform/paths.ts', 'src-contract/calls.ts'],
  ['src-main/platform/paths.ts', 'src-main/platform/clock.ts'],
  ['src-main/platform/credentials-keychain.ts', 'keytar'],
  ['src-main/gitlab/http/sender.ts', 'got'],
  ['src-main/gitlab/http/pages.ts', 'src-main/platform/clock.ts'],
  ['src-main/archive/store.ts', 'src-main/platform/clock.ts'],
  ['src-main/catalogue/database.ts', 'better-sqlite3'],
  ['src-main/sandbox/requests/server.ts', 'src-main/platform/clock.ts'],
  ['src-main/sandbox/requests/server.ts', 'src-contract/errors.ts'],
  ['src-main/jobs/exporting/export-job.ts', 'src-main/archive/retention.ts'],
  ['src-main/jobs/exporting/export-job.ts', 'src-main/archive/compare.ts'],
  ['src-main/jobs/exporting/export-job.ts', 'src-main/platform/clock.ts'],
  ['src-main/jobs/exporting/export-job.ts', 'src-main/jobs/ports.ts'],
  ['src-main/jobs/ports.ts', 'src-contract/calls.ts'],
  ['src-main/jobs/ports.ts', 'src-main/archive/store.ts', 'type'],
  ['src-main/services/plans/plan-services.ts', 'src-main/catalogue/database.ts'],
  ['src-main/services/plans/plan-services.ts', 'src-main/jobs/ports.ts'],
  ['src-main/bridge/handlers.ts', 'src-main/bridge/handler.ts'],
  ['src-main/bridge/handlers.ts', 'src-main/services/events.ts'],
  ['src-main/bridge/transports/electron.ts', 'electron'],
  ['src-main/compose/compose.ts', 'src-main/archive/store.ts'],
  ['src-main/compose/compose.ts', 'src-main/sandbox/requests/server.ts'],
  ['src-main/compose/compose.ts', 'src-main/bridge/handlers.ts'],
  ['src-main/hosts/cli.ts', 'src-main/compose/compose.ts'],
  ['src-main/hosts/cli.ts', 'src-main/services/version.ts'],
  ['src-main/hosts/desktop.ts', 'electron'],
  ['src-renderer/kit/format.ts', 'src-contract/words/sizes.ts'],
  ['src-renderer/data/settings.svelte.ts', 'src-renderer/kit/format.ts'],
  ['src-renderer/data/settings.svelte.ts', 'src-renderer/client.ts'],
  ['src-renderer/shell/rank.ts', 'src-renderer/data/settings.svelte.ts'],
  ['src-renderer/views/projects/find/find-query.ts', 'src-renderer/data/settings.svelte.ts'],
  ['src-renderer/views/projects/find/find-query.ts', 'src-renderer/kit/format.ts'],
  ['src-main/hosts/desktop/window/electron-window.ts', 'electron'],
  ['src-main/hosts/desktop.ts', 'src-main/bridge/transports/electron.ts'],
  ['src-renderer/client.ts', 'src-contract/calls.ts'],
  ['src-renderer/client.ts', 'svelte'],
  ['test/support/world.ts', 'src-main/catalogue/database.ts'],
  ['test/support/world.ts', 'better-sqlite3'],
];

const folders = ['src-main', 'src-contract', 'src-preload', 'src-renderer', 'test'];
const dependencies = ['zod', 'diff', 'got', 'keytar', 'better-sqlite3'];
const devDependencies = ['svelte', 'electron'];

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: 'a' });
}

function isFile(name: string): boolean {
  return /^(src-|test\/)/.test(name);
}

/** Creates a source tree with exactly these imports and with empty packages. Returns its folder. */
function plant(imports: readonly Import[]): string {
  const root = temporaryFolder();
  for (const folder of folders) mkdirSync(join(root, folder));
  for (const name of [...dependencies, ...devDependencies, 'not-listed']) {
    write(join(root, 'node_modules', name, 'package.json'), JSON.stringify({ name, main: 'index.js' }));
    write(join(root, 'node_modules', name, 'index.js'), '');
  }
  const versions = (names: string[]) => Object.fromEntries(names.map((name) => [name, '*']));
  write(
    join(root, 'package.json'),
    JSON.stringify({
      dependencies: versions(dependencies),
      devDependencies: versions(devDependencies),
    }),
  );
  for (const [from, to, kind] of imports) {
    const target = isFile(to) ? relative(dirname(from), to) : to;
    const specifier = isFile(to) && !target.startsWith('.') ? `./${target}` : target;
    write(
      join(root, from),
      kind === 'type' ? `import type { a } from '${specifier}';\n` : `import '${specifier}';\n`,
    );
    if (isFile(to) && !to.endsWith('nowhere.ts')) write(join(root, to), 'export {};\n');
  }
  return root;
}

/** Returns the violations of our own rules in `root` as `rule: from → to`. A package is named without its path. */
async function violations(root: string): Promise<string[]> {
  const options = await extractOptions(join(repository, '.dependency-cruiser.cjs'));
  const { output } = await cruise(
    folders,
    { ...options, baseDir: root },
    {},
    { tsConfig: extractTSConfig(join(repository, 'tsconfig.base.json')) },
  );
  return (output as ICruiseResult).summary.violations.map(
    ({ rule, from, to }) => `${rule.name}: ${from} → ${to.replace(/^node_modules\/([^/]+)\/.*$/, '$1')}`,
  );
}

describe('forbidden imports are reported, each by the rule of its row', () => {
  test.each(Object.entries(planted))('%s', async (rule, imports) => {
    const expected = imports.map(([from, to]) => {
      const resolved = to.endsWith('nowhere.ts') ? './nowhere.ts' : to.replace(/^node:/, '');
      return `${rule}: ${from} → ${resolved}`;
    });
    const found = await violations(plant(imports));
    expect(found.filter((violation) => violation.startsWith(`${rule}: `)).sort()).toEqual(expected.sort());
  });
});

test('a cycle is reported, even a cycle of type imports', async () => {
  const root = plant([
    ['src-main/platform/clock.ts', 'src-main/platform/paths.ts', 'type'],
    ['src-main/platform/paths.ts', 'src-main/platform/clock.ts'],
  ]);
  expect(await violations(root)).toEqual([
    'no-circular: src-main/platform/clock.ts → src-main/platform/paths.ts',
  ]);
});

test('a cycle in the contract is reported if each file loads the other one', async () => {
  const root = plant([
    ['src-contract/plans/plan.ts', 'src-contract/runs/run.ts'],
    ['src-contract/runs/run.ts', 'src-contract/plans/plan.ts'],
  ]);
  expect(await violations(root)).toContain(
    'no-circular-in-contract: src-contract/plans/plan.ts → src-contract/runs/run.ts',
  );
});

test('the allowed imports cause no violation', async () => {
  expect(await violations(plant(allowed))).toEqual([]);
});

test('every rule of the configuration has a planted violation', async () => {
  const { ruleSet } = await extractOptions(join(repository, '.dependency-cruiser.cjs'));
  const rules = ruleSet?.forbidden?.map((rule) => rule.name);
  const cycles = ['no-circular', 'no-circular-in-contract'];
  expect([...Object.keys(planted), ...cycles].sort()).toEqual(rules?.sort());
});
