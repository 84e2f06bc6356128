/** @file Passports saved from a page in a browser: the same browser can download them as one file, and nothing else. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Parser } from 'tar';
import { expect, onTestFinished, test } from 'vitest';
import { createAccess, type Access } from '../../../src-main/hosts/browser/access.ts';
import { openPageServer } from '../../../src-main/hosts/browser/page-server.ts';
import { openUploads } from '../../../src-main/hosts/browser/uploads.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const signIn = (access: Access): string => (access.redeem(access.newLinkSecret()) ?? '').split(';')[0] ?? '';

async function namesIn(answer: Response): Promise<string[]> {
  const names: string[] = [];
  const parser = new Parser({
    onReadEntry(entry) {
      names.push(entry.path);
      entry.resume();
    },
  });
  await pipeline(Readable.fromWeb(answer.body ?? new ReadableStream()), parser);
  return names;
}

test('a session can download the passports that it saved, and no other folder', async () => {
  const clock = systemClock;
  const access = createAccess(clock);
  const uploads = openUploads({
    folder: temporaryFolder(),
    clock,
    findUsedPaths: () => Promise.resolve(new Set<string>()),
  });
  const ignored = (): void => undefined;
  const options = { port: 0, files: new Map(), access, uploads, clock };
  const server = await openPageServer({ ...options, onPageConnected: () => ignored, onLinkUsed: ignored });
  onTestFinished(async () => {
    await server.close();
    await uploads.close();
  });
  const cookie = signIn(access);
  const other = signIn(access);
  const folder = join(temporaryFolder(), "migration-autumn's Zürich");
  const beside = join(temporaryFolder(), 'beside');
  for (const directory of [folder, beside]) {
    mkdirSync(directory);
    writeFileSync(join(directory, 'index.html'), 'the evidence');
  }
  access.sessionOf(cookie)?.grantedPaths.grant(folder, 'passports');

  const ask = (path: string, as: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}/passports?folder=${encodeURIComponent(path)}`, {
      headers: { cookie: as },
    });
  const answer = await ask(folder, cookie);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toBe(
    "attachment; filename*=UTF-8''migration-autumn%27s%20Z%C3%BCrich.tar.gz",
  );
  const name = "./migration-autumn's Zürich";
  expect(await namesIn(answer)).toEqual([`${name}/`, `${name}/index.html`]);

  const refused = async (path: string, as: string): Promise<[number, string]> => {
    const refusal = await ask(path, as);
    return [refusal.status, await refusal.text()];
  };
  expect(await refused(beside, cookie)).toEqual([404, '']);
  expect(await refused(join(folder, '..'), cookie)).toEqual([404, '']);
  expect(await refused(folder, other)).toEqual([404, '']);
  expect((await refused(folder, ''))[0]).toBe(403);
});
