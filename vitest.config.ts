import { defineConfig } from 'vitest/config';

/** One project per folder of `test/`, so that a part can be run alone: `npx vitest run --project unit`. */
const project = (name: string, testTimeout: number) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout: testTimeout },
});

export default defineConfig({
  test: {
    env: { TZ: 'Europe/Berlin', PACKHORSE_TEST: '1' },
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      project('unit', 20_000),
      project('contract', 20_000),
      project('integration', 60_000),
      project('fault', 120_000),
    ],
  },
});
