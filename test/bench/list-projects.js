// @ts-check
/**
 * @file The measured program of the listing bench: `list-projects.js SUBJECT URL TOKEN FOLDER` lists all projects of a
 * user once and prints seconds, their number and peak memory. `ours` is the refresh of an instance as the window and
 * the command line call it, with the built product in its own data folder. `gitbeaker` keeps the list in memory.
 * Loading is not counted.
 */
import { load } from './built.js';
import { peakMegabytes } from './peak-memory.js';

const [subject, url = '', token = '', folder = ''] = process.argv.slice(2);

async function ours() {
  const { composeApp } = await load('compose/compose.js');
  await load('gitlab/http/sender.js');
  const { inProcessClient } = await load('bridge/transports/in-process.js');
  const app = await composeApp({ dataDir: folder, env: { PACKHORSE_TOKEN_BENCH: token } });
  const client = inProcessClient(app.dispatch, new AbortController().signal);
  const start = performance.now();
  const { projects } = await client.call('instance.refresh', { name: 'bench', visible: false });
  const seconds = (performance.now() - start) / 1000;
  await app.close();
  return { seconds, projects };
}

async function gitbeaker() {
  const { Gitlab } = await import('@gitbeaker/rest');
  const client = new Gitlab({ host: url, token, rateLimits: { '**': 100_000 } });
  const start = performance.now();
  const projects = await client.Projects.all({
    membership: true,
    statistics: true,
    pagination: 'keyset',
    orderBy: 'id',
    sort: 'asc',
    perPage: 100,
  });
  return { seconds: (performance.now() - start) / 1000, projects: projects.length };
}

const measured = await (subject === 'ours' ? ours() : gitbeaker());
process.stdout.write(JSON.stringify({ ...measured, peakMegabytes: peakMegabytes() }));
