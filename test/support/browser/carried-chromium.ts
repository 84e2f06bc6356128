/**
 * @file The Chromium in a devDependency, with the libraries and fonts that a bare machine lacks. The package unpacks
 * its libraries only on the servers of one cloud, so everything is unpacked here.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';

const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
const packageFolder = dirname(dirname(entry));
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  version: string;
};

export interface BundledChromium {
  executablePath: string;
  /** The variables that name the folders of its libraries and fonts. */
  env: Record<string, string>;
}

/**
 * Unpacks the browser once for all later runs, which takes some seconds. An interrupted or concurrent unpacking leaves
 * nothing incomplete. Rejects if the package was made for another kind of machine.
 */
export async function bundledChromium(): Promise<BundledChromium> {
  const folder = join(tmpdir(), `packhorse-chromium-${version}`);
  if (!existsSync(folder)) await unpackInto(folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: fontsFile(folder),
    },
  };
}

function fontsFile(folder: string): string {
  return join(folder, 'fonts.conf');
}

async function unpackInto(folder: string): Promise<void> {
  const parent = tmpdir();
  mkdirSync(parent, { recursive: true });
  const staging = mkdtempSync(join(parent, 'packhorse-chromium-unpacking-'));
  const before = process.env['TMPDIR'];
  // `inflate` writes to the temporary folder and nowhere else.
  process.env['TMPDIR'] = staging;
  try {
    const names = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'];
    await Promise.all(names.map((name) => inflate(join(packageFolder, 'bin', name))));
    // The settings in the package name folders of that cloud's servers.
    writeFileSync(
      fontsFile(staging),
      `<fontconfig><dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'cache')}</cachedir></fontconfig>\n`,
    );
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
  try {
    renameSync(staging, folder);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}
