/**
 * @file The built product in Electron's own binary if it exists and can show a window here, otherwise on the fake
 * Electron. For tests that need only the page, the menu and the visibility of the window. Prints which of the two is
 * used.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { _electron as playwrightElectron, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { findElectron } from '../../../src-main/hosts/start/electron-program.ts';
import { startProblem } from '../../../src-main/hosts/start/obstacles.ts';
import { builtProduct } from '../processes/product-build.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openDesktop } from './desktop-app.ts';

export interface ShownDesktop {
  page: Page;
  dataDir: string;
  /** Presses an entry of the window's menu. */
  clickMenu: (id: string) => Promise<void>;
  isVisible: () => Promise<boolean>;
  /** Saves a screenshot in `out/screenshots`. */
  shot: (name: string) => Promise<void>;
}

const repository = join(import.meta.dirname, '../../..');
let isReported = false;

/** Returns the path of Electron's own binary, or why it is not used. */
function findUsableElectron(): { program: string } | { why: string } {
  const program = findElectron({
    packageFolder: join(repository, 'node_modules/electron'),
    overrideDist: process.env['ELECTRON_OVERRIDE_DIST_PATH'],
  });
  if (program === null) return { why: 'its binary is not installed' };
  const { platform, env } = process;
  const obstacle = startProblem({ platform, env, uid: process.getuid?.() ?? null });
  return obstacle === null ? { program } : { why: obstacle };
}

export async function showDesktop(): Promise<ShownDesktop> {
  const electron = findUsableElectron();
  if (!isReported) {
    const line = 'why' in electron ? `the stand-in for Electron (${electron.why})` : electron.program;
    process.stdout.write(`The desktop host runs in ${line}.\n`);
    isReported = true;
  }
  return 'why' in electron ? standIn() : real(electron.program);
}

async function standIn(): Promise<ShownDesktop> {
  const { page, process: program, shot } = await openDesktop();
  await program.until(({ visible }) => visible);
  return {
    page,
    dataDir: program.dataDir,
    async clickMenu(id) {
      await program.request('clickMenu', { of: 'window', id });
    },
    isVisible: () => Promise.resolve(program.state?.visible === true),
    shot,
  };
}

async function real(program: string): Promise<ShownDesktop> {
  const dataDir = temporaryFolder();
  const { ELECTRON_RUN_AS_NODE: _asNode, ...env } = process.env;
  const app = await playwrightElectron.launch({
    executablePath: program,
    args: [await builtProduct()],
    env: { ...(env as Record<string, string>), PACKHORSE_DATA_DIR: dataDir },
  });
  // Ends the program without a question, like the system would.
  onTestFinished(async () => {
    const ended = app.waitForEvent('close');
    app.process().kill('SIGTERM');
    await ended;
  });
  const page = await app.firstWindow();
  return {
    page,
    dataDir,
    clickMenu: (id) =>
      app.evaluate(({ Menu }, wanted) => {
        Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click();
      }, id),
    isVisible: () =>
      app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true),
    async shot(name) {
      const folder = join(repository, 'out/screenshots');
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${name}.png`) });
    },
  };
}
