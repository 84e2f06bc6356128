/** @file The folder for archives is created by the first process; a parallel process does not report it as missing. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ArchiveRoots } from '../../../src-main/services/archives/folders/archive-roots.ts';
import { markRoot } from '../../../src-main/services/archives/folders/root-folder.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { SettingsStore, type Settings } from '../../../src-main/platform/settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Settings during whose reads another process first creates the folder, and later marks and records it. */
class SettingsOfTwo extends SettingsStore {
  #looks = 0;
  readonly #folder: string;
  readonly #madeAt: number;
  readonly #markedAt: number;

  constructor(dataFolder: string, folder: string, madeAt: number, markedAt: number) {
    super(join(dataFolder, 'settings.json'), systemClock);
    this.#folder = folder;
    this.#madeAt = madeAt;
    this.#markedAt = markedAt;
  }

  override read(): Settings {
    this.#looks += 1;
    if (this.#looks === this.#madeAt) mkdirSync(this.#folder, { recursive: true });
    if (this.#looks === this.#markedAt) markRoot(this.#folder);
    return { ...super.read(), defaultRootMarked: this.#looks >= this.#markedAt };
  }
}

const looks = Array.from({ length: 14 }, (_, look) => look + 1);

test.each(looks)(
  'another process creates it at read %d and marks it at a later one: it exists',
  async (madeAt) => {
    for (const markedAt of looks.filter((look) => look > madeAt)) {
      const dataFolder = temporaryFolder();
      const standard = join(dataFolder, 'archives');
      const roots = new ArchiveRoots({
        settings: new SettingsOfTwo(dataFolder, standard, madeAt, markedAt),
        ...{ defaultPath: standard, dataFolder, clock: systemClock, disk: undefined },
        ...{ hasArchives: () => false, onPresenceChecked: () => undefined },
      });
      expect(await roots.requirePresent(), `marked at ${markedAt}`).toMatchObject({ path: standard });
    }
  },
);
