/** @file Building the window if necessary, and the whole `npm start` in its own checkout. */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { build, isBuildUpToDate } from '../../../src-main/hosts/start/build.ts';
import { compileCache } from '../../support/processes/compile-cache.ts';
import { builtProduct } from '../../support/processes/product-build.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the build of the window', () => {
  /** Creates a checkout whose builder is a script. */
  function checkout(builder: string | null): string {
    const folder = temporaryFolder();
    for (const [path, text] of Object.entries({
      'src-main/hosts/desktop.ts': '',
      'src-contract/runs/job.ts': '',
      'src-preload/preload.ts': '',
      'src-renderer/views/deep/view.svelte': '',
      'package.json': '{}',
      'electron.vite.config.ts': '',
      'svelte.config.js': '',
    })) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    if (builder !== null) {
      mkdirSync(join(folder, 'node_modules/electron-vite/bin'), { recursive: true });
      writeFileSync(join(folder, 'node_modules/electron-vite/bin/electron-vite.js'), builder);
    }
    return folder;
  }

  const results = ['out/main/hosts/desktop.js', 'out/preload/preload.cjs', 'out/renderer/index.html'];
  const buildScript = `
    const fs = require('node:fs'); const path = require('node:path');
    if (process.env.NODE_ENV !== 'production') process.exit(9);
    for (const file of ${JSON.stringify(results)}) {
      fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, '');
    }
    console.log(process.argv.slice(2).join(' '));`;

  test('runs if there is none, and not again while nothing changes', async () => {
    const folder = checkout(buildScript);
    expect(isBuildUpToDate(folder)).toBe(false);
    await build(folder, process.env);
    expect(isBuildUpToDate(folder)).toBe(true);
  });

  test.each([
    'src-main/hosts/desktop.ts',
    'src-renderer/views/deep/view.svelte',
    'package.json',
    'electron.vite.config.ts',
  ])('runs again if %s is newer', async (source) => {
    const folder = checkout(buildScript);
    await build(folder, process.env);
    const later = Date.now() / 1000 + 60;
    utimesSync(join(folder, source), later, later);
    expect(isBuildUpToDate(folder)).toBe(false);
  });

  test.each(results)('runs again if %s is missing or older than the sources', async (result) => {
    const folder = checkout(buildScript);
    await build(folder, process.env);
    const earlier = Date.now() / 1000 - 600;
    utimesSync(join(folder, result), earlier, earlier);
    expect(isBuildUpToDate(folder)).toBe(false);
    rmSync(join(folder, result));
    expect(isBuildUpToDate(folder)).toBe(false);
  });

  test("reports the builder's output if it fails", async () => {
    const folder = checkout("console.error('view.svelte:3 unexpected token'); process.exit(1)");
    await expect(build(folder, process.env)).rejects.toMatchObject({
      code: 'page-not-built',
      message: expect.stringContaining('view.svelte:3 unexpected token') as string,
    });
  });

  test('reports an error if there is no builder', async () => {
    await expect(build(checkout(null), process.env)).rejects.toMatchObject({ code: 'page-not-built' });
  });
});

describe.skipIf(process.platform !== 'linux')('npm start in a checkout', () => {
  /** Creates a checkout with the sources, the tools and the build output, as after `npm run build`. */
  async function builtCheckout(): Promise<string> {
    const folder = temporaryFolder();
    const repository = join(import.meta.dirname, '../../..');
    for (const name of [
      'src-main',
      'src-contract',
      'src-preload',
      'src-renderer',
      'package.json',
      'electron.vite.config.ts',
      'svelte.config.js',
    ]) {
      cpSync(join(repository, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(await builtProduct(), 'out'), join(folder, 'out'), { recursive: true });
    return folder;
  }

  test('reports a missing display, and then serves the window until it is stopped', async () => {
    const checkout = await builtCheckout();
    const home = temporaryFolder();
    const child = spawn(process.execPath, [join(checkout, 'src-main/hosts/start.ts')], {
      cwd: checkout,
      env: { PATH: '/nowhere', HOME: home, TMPDIR: tmpdir(), NODE_COMPILE_CACHE: compileCache },
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let printed = '';
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding('utf8').on('data', (text: string) => (printed += text));
    }
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await expect.poll(() => printed, { timeout: 20_000 }).toContain('Stop with Ctrl-C.');
    expect(printed).toMatch(/^There is no display here.*, so the window opens in a browser instead\.$/m);
    expect(printed).toMatch(/ssh -L (\d+):127\.0\.0\.1:\1 /);
    expect(printed).not.toContain('Building');
    const [link = ''] = /http:\S+\/open\?link=\S+/.exec(printed) ?? [];
    const response = await fetch(link, { redirect: 'manual' });
    expect(response.status).toBe(303);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
