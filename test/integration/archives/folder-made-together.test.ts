/** @file The folder for archives is created by the first process; a parallel process does not report it as missing. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ArchiveRoots } from '../../../src-main/services/archives/folders/archive-roots.ts';
import { markRoot } from '../../../src-main/services/archives/folders/root-folder.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { SettingsStore, type Settings } from '../../../src-main/platform/settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Settings that act as another process: one read creates the folder, and a later read marks and records it. */
class SettingsOfTwo extends SettingsStore {
  #reads = 0;
  readonly #folder: string;
  readonly #createdAt: number;
  readonly #markedAt: number;

  constructor(dataFolder: string, folder: string, createdAt: number, markedAt: number) {
    super(join(dataFolder, 'settings.json'), systemClock);
    this.#folder = folder;
    this.#createdAt = createdAt;
    this.#markedAt = markedAt;
  }

  override read(): Settings {
    this.#reads += 1;
    if (this.#reads === this.#createdAt) mkdirSync(this.#folder, { recursive: true });
    if (this.#reads === this.#markedAt) markRoot(this.#folder);
    return { ...super.read(), defaultRootMarked: this.#reads >= this.#markedAt };
  }
}

const readNumbers = Array.from({ length: 14 }, (_, index) => index + 1);

test.each(readNumbers)(
  'the folder counts as present if another process creates it at read %d and marks it at a later read',
  async (createdAt) => {
    for (const markedAt of readNumbers.filter((number) => number > createdAt)) {
      const dataFolder = temporaryFolder();
      const standard = join(dataFolder, 'archives');
      const roots = new ArchiveRoots({
        settings: new SettingsOfTwo(dataFolder, standard, createdAt, markedAt),
        ...{ defaultPath: standard, dataFolder, clock: systemClock, disk: undefined },
        ...{ hasArchives: () => false, onPresenceChecked: () => undefined },
      });
      expect(await roots.requirePresent(), `marked at ${markedAt}`).toMatchObject({ path: standard });
    }
  },
);
