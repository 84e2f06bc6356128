/**
 * @file P1, P2 and P8 of the goals: compares a download that is verified and durable when it ends with the usual shell
 * commands. Packhorse runs in its own process. Its time runs from the request to the committed manifest and a `sync`,
 * like that of the other side. Everything runs on loopback; on a real network the network dominates.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { halfGigabyte } from '../support/archives/archive-large.ts';
import {
  benchArchive,
  benchFolder,
  build,
  median,
  ratioOf,
  secondsOf,
  versionOf,
  type Report,
  rounds,
} from './measuring.ts';
import { hasNginx, withNginx } from './nginx.ts';

const script = fileURLToPath(import.meta.url);
const receiver = fileURLToPath(new URL('./receive.js', import.meta.url));
const path = '/api/v4/projects/1/export/download';

interface Measured {
  seconds: number;
  peakMegabytes: number;
}

/** Serves one file under the address of an export download. */
async function withServer<T>(archive: string, measure: (baseUrl: string) => T): Promise<T> {
  if (hasNginx) return withNginx(`location = ${path} { alias ${archive}; }`, measure);
  const server = spawn(process.execPath, [script, 'serve', archive], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [url] = (await once(createInterface(server.stdout), 'line')) as [string];
    return measure(url);
  } finally {
    server.kill();
    await once(server, 'close');
  }
}

/** Serves the file without nginx, in its own process. */
async function serve(archive: string): Promise<void> {
  const size = statSync(archive).size;
  const server = createServer((request, response) => {
    if (request.url !== path) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
    createReadStream(archive, { highWaterMark: 1024 * 1024 }).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
}

function ours(baseUrl: string): Measured {
  const folder = join(benchFolder, 'store');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const measured = execFileSync(process.execPath, [receiver, baseUrl, folder]).toString();
  rmSync(folder, { recursive: true, force: true });
  return JSON.parse(measured) as Measured;
}

export async function run(): Promise<Report> {
  build();
  const archive = await benchArchive('half-gigabyte', halfGigabyte);
  const file = join(benchFolder, 'curl.tar.gz');
  const measured = await withServer(archive, (baseUrl) =>
    Array.from({ length: rounds }, () => {
      const url = baseUrl + path;
      const sequence = secondsOf(`curl -so '${file}' '${url}'; sha256sum '${file}'; tar tzf '${file}'; sync`);
      const mine = ours(baseUrl);
      const pipe = secondsOf(`curl -s '${url}' | tee >(sha256sum) '${file}' | pigz -dc | tar t; sync`);
      return { sequence, mine, pipe };
    }),
  );
  rmSync(file, { force: true });
  const gigabyte = await benchArchive('gigabyte', { ...halfGigabyte, packBytes: 840e6 });
  const small = await benchArchive('ten-megabytes', {
    packBytes: 9e6,
    uploads: 50,
    uploadBytes: 16_000,
    issues: 500,
  });
  const memoryBySize = [
    { name: '10 MB', memory: await withServer(small, (baseUrl) => ours(baseUrl).peakMegabytes) },
    { name: '1 GB', memory: await withServer(gigabyte, (baseUrl) => ours(baseUrl).peakMegabytes) },
  ];

  const seconds = median(measured.map((round) => round.mine.seconds));
  const fasterThanSequence = ratioOf(measured, ({ sequence, mine }) => sequence / mine.seconds);
  const fasterThanPipe = ratioOf(measured, ({ pipe, mine }) => pipe / mine.seconds);
  const memory = Math.max(
    ...measured.map((round) => round.mine.peakMegabytes),
    ...memoryBySize.map(({ memory }) => memory),
  );
  const megabytes = Math.round(statSync(archive).size / 1e6);
  return {
    title: `A verified, durable download of ${megabytes} MB from ${hasNginx ? 'nginx' : 'a Node server'} on loopback, median of ${rounds}`,
    rows: [
      {
        goal: 'P1',
        what: 'faster than curl -o; sha256sum; tar tzf; sync',
        measured: `${fasterThanSequence.text}, ${seconds.toFixed(2)} s`,
        goalValue: '≥ 2.5 ×',
        isReached: fasterThanSequence.median >= 2.5,
      },
      {
        goal: 'P2',
        what: 'faster than curl | tee >(sha256sum) | pigz -dc | tar t; sync',
        measured: fasterThanPipe.text,
        goalValue: '≥ 1.5 ×',
        isReached: fasterThanPipe.median >= 1.5,
      },
      {
        goal: 'P8',
        what: `peak memory (${memoryBySize.map(({ name, memory }) => `${name}: ${memory.toFixed(0)} MB`).join(', ')})`,
        measured: `${memory.toFixed(0)} MB`,
        goalValue: '≤ 180 MB',
        isReached: memory <= 180,
      },
    ],
    rounds: measured.map(
      ({ sequence, mine, pipe }) =>
        `sequence ${sequence.toFixed(2)} s, Packhorse ${mine.seconds.toFixed(2)} s (${mine.peakMegabytes.toFixed(0)} MB), pipe ${pipe.toFixed(2)} s`,
    ),
    versions: [`Node ${process.version}`, ...['curl', 'tar', 'gzip', 'sha256sum'].map(versionOf)],
  };
}

if (process.argv[1] === script) await serve(process.argv[3] ?? '');
