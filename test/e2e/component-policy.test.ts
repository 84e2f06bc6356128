import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentSecurityPolicy, securityHeaders, listBuiltFiles } from '../../src-main/hosts/page-bundle.ts';
import { launchChromium, isWithoutChromium } from '../support/browser/chromium.ts';

const mediaTypes: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

describe.skipIf(await isWithoutChromium())(
  'components under the content security policy of the window',
  () => {
    let folder: string;
    let server: Server;
    let browser: Browser;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'packhorse-design-'));
      const configFile = resolve(import.meta.dirname, '../../ui.config.ts');
      await build({ configFile, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
      const pages = listBuiltFiles(folder);
      server = createServer((request, response) => {
        const file = pages.get(request.url ?? '');
        if (file === undefined) {
          response.writeHead(404).end();
          return;
        }
        void readFile(file).then((content) => {
          const type = mediaTypes[extname(file)] ?? 'application/octet-stream';
          response.writeHead(200, {
            ...securityHeaders(contentSecurityPolicy('none')),
            'Content-Type': type,
          });
          response.end(content);
        });
      });
      await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
      browser = await launchChromium();
    });

    afterAll(async () => {
      await browser.close();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test('are drawn in their gallery, and dialogs, menus, tabs, toasts and the grid work, without a console message', async () => {
      const page = await browser.newPage({ viewport: { width: 1240, height: 900 } });
      const messages: string[] = [];
      page.on('console', (message) => messages.push(message.text()));
      page.on('pageerror', (error) => messages.push(error.message));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

      for (const name of ['Open a dialog', 'Overwrite…']) {
        await page.getByRole('button', { name }).click();
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await page.getByRole('button', { name: 'Actions', exact: true }).click();
      await page.getByRole('menu').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('Right-click here').click({ button: 'right' });
      await page.getByRole('menu').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Log' }).click();
      await page.getByRole('tabpanel').getByText('Content of log').waitFor();
      await page.getByRole('button', { name: 'Say something', exact: true }).click();
      await page.getByText('The backup of 12 projects was started.').waitFor();
      const grid = page.getByRole('grid');
      await grid.focus();
      await page.keyboard.press('End');
      await page.getByRole('row', { name: /project-49999/ }).waitFor();
      await page.getByRole('row', { name: /project-49999/ }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: /project-49999/ }).click();

      expect(messages).toEqual([]);
      // The component styles apply, and the policy allows the picture of a badge.
      const badge = await page.evaluate<string>(
        `getComputedStyle(document.querySelector('.badge-picture')).maskImage.slice(0, 20)`,
      );
      expect(badge).toBe('url("data:image/svg+');
      await page.close();
    });

    test('cannot add an inline style or send a request, and the console reports both attempts', async () => {
      const page = await browser.newPage();
      const messages: string[] = [];
      page.on('console', (message) => messages.push(message.text()));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const attempts = await page.evaluate(`(async () => {
        const textContent = 'body { opacity: 0.5 }';
        document.head.append(Object.assign(document.createElement('style'), { textContent }));
        return [getComputedStyle(document.body).opacity, await fetch('/').then(() => 'sent', () => 'refused')];
      })()`);
      expect(attempts).toEqual(['1', 'refused']);
      await expect.poll(() => messages.join()).toMatch(/style-src[^]*connect-src/);
      await page.close();
    });
  },
);
