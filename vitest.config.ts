import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { componentCommands } from './test/support/browser/component-commands.ts';
import { compileCache } from './test/support/processes/compile-cache.ts';
import { findChromium, type ChromiumChoice } from './test/support/browser/chromium.ts';

/**
 * The order of the projects, and the number of their workers. Browsers and the processes of fault tests are busy themselves, and
 * tests that wait for something fail when a dozen processes share two cores. Integration tests often wait for the disk.
 */
const groups = {
  fault: { groupOrder: 0, maxWorkers: 4 },
  product: { groupOrder: 1, maxWorkers: 5 },
  // On two cores a fourth page saves no time and makes each test slower.
  component: { groupOrder: 2, maxWorkers: 3 },
  e2e: { groupOrder: 3, maxWorkers: 4 },
};

/**
 * One project per folder of `test/`, so that a part can be run alone: `npx vitest run --project unit`. Files that leave nothing
 * behind share a process: otherwise each would load the product again.
 */
const project = (name: string, testTimeout: number, group: { groupOrder: number; maxWorkers: number }) => ({
  test: {
    name,
    isolate: false,
    sequence: { groupOrder: group.groupOrder },
    maxWorkers: group.maxWorkers,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: testTimeout,
    // What is waited for comes late on a busy machine.
    expect: { poll: { timeout: testTimeout / 2 } },
    globalSetup: ['test/support/run-folder.ts'],
  },
});

/**
 * The files that take longest: what they need is said at their head. They start first, so that no core is idle while the
 * last of them ends.
 */
const slowest = [
  'e2e/access',
  'e2e/desktop-jobs',
  'e2e/migrations',
  'fault/benches',
  'fault/migration-benches',
  'fault/outage',
  'fault/kill',
  'fault/interruptions',
  'integration/migrations/migration-losses',
  'integration/migrations/migration-life',
  'integration/migrations/migration-run',
  'integration/migrations/contradictory-lists',
  'integration/jobs/change-effects',
  'integration/tokens/token-rotation-model',
];

/** Starts the slowest files of each project first; vitest starts the largest first if it has not run them before. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = slowest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return place === -1 ? slowest.length : place;
    };
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).toSorted((a, b) => rank(a) - rank(b)),
    );
  }
}

/** Tests that run in a page of a real browser, because layout, focus and keys are what they are about. */
const componentProject = (chromium: ChromiumChoice) => ({
  plugins: [svelte({ configFile: new URL('./svelte.config.js', import.meta.url).pathname })],
  // An icon that is met for the first time must not make the server bundle anew in the middle of a run.
  optimizeDeps: {
    include: ['svelte', 'bits-ui', 'diff', 'zod', 'vitest-browser-svelte'],
    exclude: ['@lucide/svelte'],
  },
  test: {
    name: 'component',
    // A page loads the window once. `forgetWindow` resets what the window keeps between views.
    isolate: false,
    sequence: { groupOrder: groups.component.groupOrder },
    maxWorkers: groups.component.maxWorkers,
    include: ['test/component/**/*.test.ts'],
    setupFiles: ['test/component/support/setup.ts'],
    testTimeout: 90_000,
    hookTimeout: 90_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 1280, height: 800 },
      instances: [{ browser: 'chromium' as const }],
      commands: componentCommands,
      provider: playwright({
        launchOptions: {
          executablePath: chromium.executablePath,
          args: chromium.args,
          env: { ...process.env, ...chromium.env },
        },
        contextOptions: { locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' },
      }),
    },
  },
});

export default defineConfig(async () => {
  // `test/run.ts` says that these were skipped, and how to enable them.
  const chromium = await findChromium().catch(() => null);
  return {
    test: {
      // A worker is started for every archive that is inspected: three quarters of what that costs is compiling it.
      env: { TZ: 'Europe/Berlin', PACKHORSE_TEST: '1', NODE_COMPILE_CACHE: compileCache },
      pool: 'forks',
      sequence: { sequencer: SlowestFirst },
      projects: [
        // What hangs is ended; how long a thing may take is no matter of these limits, which hold on a slow and busy machine.
        project('unit', 60_000, groups.product),
        project('contract', 60_000, groups.product),
        project('integration', 120_000, groups.product),
        project('fault', 300_000, groups.fault),
        // One walks through every view, another from an empty list to passports.
        project('e2e', 900_000, groups.e2e),
        ...(chromium === null ? [] : [componentProject(chromium)]),
      ],
    },
  };
});
