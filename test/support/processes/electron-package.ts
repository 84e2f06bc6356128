/**
 * @file A fake package `electron` whose program and installer are scripts. Their actions are recorded; nothing is
 * downloaded.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';

export const version = '45.3.4';

export interface Package {
  folder: string;
  place: { packageFolder: string; overrideDist: string | undefined };
  /** Returns the record of a script. */
  readRecord: (name: string) => string | null;
}

/** Creates the package like npm: without the program. */
export function electronPackage(installer = ''): Package {
  const folder = join(temporaryFolder(), 'electron');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'electron', version }));
  // The real file would start a download; no test may load it.
  writeFileSync(
    join(folder, 'index.js'),
    "require('fs').writeFileSync(__dirname + '/required', ''); throw 1;",
  );
  writeFileSync(
    join(folder, 'install.js'),
    `const fs = require('node:fs'); const path = require('node:path');
     const note = (name, text) => fs.writeFileSync(path.join(__dirname, name), text);
     note('installer-ran', String(process.pid));
     ${installer}`,
  );
  return {
    folder,
    place: { packageFolder: folder, overrideDist: undefined },
    readRecord: (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null),
  };
}

/** Adds a program, like the installer; `script` is a shell script. */
export function addProgram({ folder }: Package, script: string): string {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'dist/version'), version);
  writeFileSync(join(folder, 'path.txt'), 'electron');
  const program = join(folder, 'dist/electron');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return program;
}

/** A script of a working installer. */
export const installerScript = `
  fs.mkdirSync(path.join(__dirname, 'dist'));
  fs.writeFileSync(path.join(__dirname, 'dist/electron'), '#!/bin/sh\\nexit 0\\n', { mode: 0o755 });
  fs.writeFileSync(path.join(__dirname, 'dist/version'), '${version}');
  fs.writeFileSync(path.join(__dirname, 'path.txt'), 'electron');`;
