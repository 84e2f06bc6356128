/**
 * @file The output of `npm run build`, built once per test run into a folder that looks like an installed product. The
 * first test that needs it builds it; the others wait.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, watch, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';

const repository = join(import.meta.dirname, '../../..');

/**
 * Returns the absolute path of a folder with `package.json`, `node_modules`, `resources` and `out`. Tests must not
 * write there.
 */
export async function builtProduct(): Promise<string> {
  const run = inject('runFolder');
  const product = join(run, 'product');
  const done = join(run, 'build-ended');
  try {
    mkdirSync(product);
  } catch {
    await waitForFile(run, done);
    const failure = readFileSync(done, 'utf8');
    if (failure !== '') throw new Error(failure);
    return product;
  }
  const failure = await build(product).then(
    () => '',
    (thrown: unknown) => `The product could not be built. ${String(thrown)}`,
  );
  writeFileSync(`${done}.part`, failure);
  renameSync(`${done}.part`, done);
  if (failure !== '') throw new Error(failure);
  return product;
}

async function build(product: string): Promise<void> {
  await cp(join(repository, 'package.json'), join(product, 'package.json'));
  await cp(join(repository, 'resources'), join(product, 'resources'), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(product, 'node_modules'));
  const builder = join(repository, 'node_modules/electron-vite/bin/electron-vite.js');
  await promisify(execFile)(
    process.execPath,
    [builder, 'build', '--outDir', join(product, 'out'), '--logLevel', 'warn'],
    { cwd: repository, env: { ...process.env, NODE_ENV: 'production' } },
  );
}

/** Resolves when the file exists. */
async function waitForFile(folder: string, file: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const check = (): void => {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(folder, check);
    check();
  });
}
