// @ts-check
/**
 * @file The measured program of the upload bench: `send-archive.js SUBJECT URL TOKEN FILE SHA256 PATH` uploads an archive
 * once as an import into `atlas/PATH` and prints seconds and peak memory. `ours` uploads with the built product like an
 * import job, which compares the hash meanwhile. `gitbeaker` uploads a blob. Loading is not counted; reading the archive
 * is.
 */
import { readFileSync, statSync } from 'node:fs';
import { load } from './built.js';
import { peakMegabytes } from './peak-memory.js';

const [subject, url = '', token = '', file = '', sha256 = '', path = ''] = process.argv.slice(2);

async function ours() {
  const { collectBuffersPromptly } = await load('platform/memory.js');
  collectBuffersPromptly();
  await load('gitlab/http/sender.js');
  const { createInstanceClient } = await load('gitlab/http/client.js');
  const { importFile } = await load('gitlab/transfers/imports.js');
  const { systemClock } = await load('platform/clock.js');
  const { Token } = await load('platform/token.js');
  const client = createInstanceClient({
    baseUrl: url,
    token: () => Promise.resolve(new Token(token)),
    clock: systemClock,
    userAgent: 'Packhorse bench',
  });
  const start = performance.now();
  await importFile(client, {
    path: file,
    expectedSha256: sha256,
    sizeBytes: statSync(file).size,
    fileName: 'bench_export.tar.gz',
    namespace: 'atlas',
    projectPath: path,
    overwrite: false,
    overrideParams: {},
  });
  const seconds = (performance.now() - start) / 1000;
  client.close();
  return seconds;
}

async function gitbeaker() {
  const { Gitlab } = await import('@gitbeaker/rest');
  const client = new Gitlab({ host: url, token, queryTimeout: 600_000 });
  const start = performance.now();
  const archive = { content: new Blob([readFileSync(file)]), filename: 'bench_export.tar.gz' };
  await client.ProjectImportExports.import(archive, path, { namespace: 'atlas' });
  return (performance.now() - start) / 1000;
}

const seconds = await (subject === 'ours' ? ours() : gitbeaker());
process.stdout.write(JSON.stringify({ seconds, peakMegabytes: peakMegabytes() }));
