/** @file A data folder whose catalogue lists many projects of one unreachable instance. */
import { openCatalogue } from '../../../src-main/catalogue/database.ts';
import { ProjectListStore } from '../../../src-main/catalogue/projects/projects.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { createDataPaths } from '../../../src-main/platform/paths.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import { presetPaces, type Instance, instanceDefaults } from '../../../src-contract/instances/instance.ts';
import type { Project } from '../../../src-contract/projects/project.ts';

const words = [
  'atlas',
  'beacon',
  'compass',
  'delta',
  'ember',
  'ferry',
  'granite',
  'harbour',
  'iris',
  'juniper',
];
const pageSize = 1_000;
const start = Date.UTC(2025, 0, 1);

/** Returns the nth project, always with the same values. Paths, sizes and dates are spread, so that every order differs. */
export function manyProject(at: number): Project {
  const word = (step: number): string => words[Math.floor(at / step) % words.length] ?? '';
  const path = `${word(1_000)}-${word(100)}/${word(10)}-${word(1)}-${at}`;
  return {
    id: at + 1,
    fullPath: path,
    name: `${word(10)} ${word(1)} ${at}`,
    description: null,
    visibility: at % 3 === 0 ? 'public' : 'private',
    archived: at % 17 === 0,
    defaultBranch: 'main',
    emptyRepository: false,
    webUrl: `https://gitlab.invalid/${path}`,
    createdAt: new Date(start).toISOString(),
    lastActivityAt: new Date(start + ((at * 7_919) % 600_000) * 60_000).toISOString(),
    creatorId: 1,
    importStatus: 'none',
    importType: null,
    accessLevel: at % 29 === 0 ? 30 : 50,
    repositorySizeBytes: (at * 104_729) % 2_000_000_000,
    markedForDeletionOn: null,
  };
}

/** Registers the instance `large` in an empty data folder and stores its list of projects. */
export async function storeManyProjects(dataDir: string, count: number): Promise<void> {
  const paths = createDataPaths(dataDir);
  const instance: Instance = {
    name: 'large',
    url: 'https://gitlab.invalid',
    caFile: null,
    pacePreset: 'gitlab',
    pace: presetPaces.gitlab,
    username: 'operator',
    userId: 1,
    administrator: false,
    serverVersion: '18.5.0',
    tokenExpiresOn: null,
    tokenCanWrite: null,
    addedAt: new Date(start).toISOString(),
    ...instanceDefaults,
  };
  await new SettingsStore(paths.settings, systemClock).change((settings) => ({
    ...settings,
    instances: [instance],
  }));
  const catalogue = openCatalogue({ path: paths.catalogue, clock: systemClock });
  try {
    await new ProjectListStore(catalogue).replace(instance, pages(count), systemClock.now());
  } finally {
    catalogue.close();
  }
}

function* pages(count: number): Generator<Project[]> {
  for (let from = 0; from < count; from += pageSize) {
    yield Array.from({ length: Math.min(pageSize, count - from) }, (_, at) => manyProject(from + at));
  }
}
