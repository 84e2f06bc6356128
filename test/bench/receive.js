// @ts-check
/**
 * @file The measured program of the download bench: `receive.js URL FOLDER` downloads one export with the built product,
 * like an export job, and prints seconds and peak memory. Plain JavaScript, because stripping types would cost memory
 * that the installed product does not need.
 */
import { execFileSync } from 'node:child_process';
import { load } from './built.js';
import { peakMegabytes } from './peak-memory.js';

const { collectBuffersPromptly } = await load('platform/memory.js');
collectBuffersPromptly();
// Loading is not counted.
await load('gitlab/http/sender.js');
const { openArchiveStore } = await load('archive/store.js');
const { createInstanceClient } = await load('gitlab/http/client.js');
const { downloadExport } = await load('gitlab/transfers/exports.js');
const { systemClock } = await load('platform/clock.js');
const { Token } = await load('platform/token.js');

const [url = '', root = ''] = process.argv.slice(2);
const store = openArchiveStore({ root, clock: systemClock });
const client = createInstanceClient({
  baseUrl: url,
  token: () => Promise.resolve(new Token('glpat-bench')),
  clock: systemClock,
  userAgent: 'Packhorse bench',
});
const start = performance.now();
const pending = await store.createPending({
  instanceUrl: url,
  fullPath: 'bench/project',
  projectId: 1,
  receivedAt: 0,
});
await downloadExport(client, 1, { onChunk: (chunk) => pending.write(chunk) });
const { verdict } = await pending.finish();
if (verdict !== 'sound') throw new Error(`The archive is ${verdict}`);
await pending.commit({
  instance: { name: 'bench', url, username: null },
  project: { id: 1, fullPath: 'bench/project', name: 'project' },
  serverVersion: null,
  jobId: 'bench',
  appVersion: 'bench',
  sourceCounts: null,
  findings: [],
});
execFileSync('sync');
const seconds = (performance.now() - start) / 1000;
client.close();
process.stdout.write(JSON.stringify({ seconds, peakMegabytes: peakMegabytes() }));
