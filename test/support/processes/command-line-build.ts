/**
 * @file Builds the command line that tests start hundreds of times: a few files instead of six hundred, which halves
 * the time of a start. The product's own build, file by file, is run by `test/integration/serve/` and
 * `test/integration/build.test.ts`; from source it runs in the unit of systemd.
 */
import { copyFileSync, globSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'vite';
import { commandLineVariable as variable } from './command-line.ts';

const repository = join(import.meta.dirname, '../../..');
const sources = join(repository, 'src-main');

const withoutExtension = (file: string): string => file.replace(/\.ts$/, '');

/** Gives every module of the product the address that it would have as a separate file, by which it finds other files. */
const keepsPlaces: Plugin = {
  name: 'keeps-places',
  transform(code, id) {
    if (!id.startsWith(sources)) return null;
    // The file is always one folder below `out/main`.
    const place = JSON.stringify(`../${withoutExtension(relative(sources, id))}.js`);
    return code.replaceAll(/import\.meta\.(url|filename)/g, (_whole, name) =>
      name === 'url' ? `new URL(${place}, import.meta.url).href` : `(import.meta.dirname + '/' + ${place})`,
    );
  },
};

/**
 * Writes the build into a folder that looks like an installed product. Idempotent.
 * @returns the absolute path of its entry.
 */
async function bundle(folder: string): Promise<string> {
  const entries = ['hosts/cli.ts', ...globSync('**/*-worker.ts', { cwd: sources })];
  await build({
    configFile: false,
    root: repository,
    logLevel: 'warn',
    plugins: [keepsPlaces],
    ssr: { noExternal: true, external: ['better-sqlite3', 'keytar', '@node-rs/crc32'] },
    build: {
      ssr: true,
      outDir: join(folder, 'out/main'),
      emptyOutDir: false,
      rolldownOptions: {
        input: {
          ...Object.fromEntries(entries.map((file) => [withoutExtension(file), join(sources, file)])),
          'hosts/program': join(sources, 'hosts/cli/program.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name].js' },
      },
    },
  });
  return join(folder, 'out/main/hosts/cli.js');
}

/** Builds the command line for all tests of this run, which find it by their environment. A second call does nothing. */
export async function buildCommandLine(folder: string): Promise<() => Promise<void>> {
  const again = async (): Promise<void> => {
    await bundle(folder);
  };
  if (process.env[variable] !== undefined) return again;
  process.env[variable] = await bundle(folder);
  copyFileSync(join(repository, 'package.json'), join(folder, 'package.json'));
  for (const name of ['resources', 'node_modules']) symlinkSync(join(repository, name), join(folder, name));
  // The pages exist once `builtProduct()` has built them.
  symlinkSync(join(dirname(folder), 'product/out/renderer'), join(folder, 'out/renderer'));
  return again;
}
