/**
 * @file P7 and P8 of the goals: uploads 500 MB as an import, and compares this with curl and with a client that uploads
 * the archive as a blob. The server is nginx if it is installed, which stores the body, like GitLab's own front end.
 * Otherwise the server is a sandbox in its own process, whose imports end before they read the archive. Each upload
 * runs in a new process; the uploads are interleaved.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
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
  versionOfPackage,
  type Report,
  rounds,
  warmUp,
} from './measuring.ts';
import { hasNginx, withNginx } from './nginx.ts';
import { withSandbox, type SandboxProcess } from './sandbox-process.ts';

const sender = fileURLToPath(new URL('./send-archive.js', import.meta.url));

interface Measured {
  seconds: number;
  peakMegabytes: number;
}

interface Archive {
  file: string;
  sha256: string;
}

async function archiveOf(file: string): Promise<Archive> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return { file, sha256: hash.digest('hex') };
}

/** The target of uploads. */
type Server = Pick<SandboxProcess, 'url' | 'token'>;

const accepted = '{"id":1,"path_with_namespace":"atlas/project","import_status":"scheduled"}';

/** Runs a server that accepts any import, stores it and then discards it. */
async function withServer<T>(measure: (server: Server) => T): Promise<T> {
  if (hasNginx) {
    return withNginx(
      `client_max_body_size 0; client_body_buffer_size 1m;
       location = /answer { default_type application/json; return 201 '${accepted}'; }
       location = /api/v4/projects/import { client_body_in_file_only clean; proxy_pass $self/answer; proxy_method GET;
         proxy_pass_request_body off; proxy_set_header Content-Length ""; }`,
      (url) => measure({ url, token: 'glpat-bench' }),
    );
  }
  const faults = join(benchFolder, 'imports-end.json');
  writeFileSync(
    faults,
    JSON.stringify([{ match: {}, action: { kind: 'end-import', at: 'scheduled', as: 'failed' } }]),
  );
  // The time of the server's garbage collector would be counted as the client's.
  const collector = ['--max-semi-space-size=1', '--no-incremental-marking'];
  return withSandbox(['--projects', '0', '--faults', faults], measure, collector);
}

/** Returns functions that upload an archive, each time to a new path. */
function uploadsTo({ url, token }: Server) {
  let count = 0;
  // Pending writes of the previous upload must not slow the next one.
  const path = (): string => {
    execFileSync('sync');
    return `upload-${(count += 1)}`;
  };
  return {
    by: (subject: 'ours' | 'gitbeaker', { file, sha256 }: Archive): Measured =>
      JSON.parse(
        execFileSync(process.execPath, [sender, subject, url, token, file, sha256, path()]).toString(),
      ) as Measured,
    byCurl: ({ file }: Archive): number =>
      secondsOf(
        `curl -sf -o /dev/null -H 'PRIVATE-TOKEN: ${token}' -F path=${path()} -F namespace=atlas ` +
          `-F 'file=@${file}' '${url}/api/v4/projects/import'`,
      ),
  };
}

export async function run(): Promise<Report> {
  build();
  const archive = await archiveOf(await benchArchive('half-gigabyte', halfGigabyte));
  const ten = { packBytes: 9e6, uploads: 50, uploadBytes: 16_000, issues: 500 };
  const sizes = [
    { name: '10 MB', other: await archiveOf(await benchArchive('ten-megabytes', ten)) },
    {
      name: '1 GB',
      other: await archiveOf(await benchArchive('gigabyte', { ...halfGigabyte, packBytes: 840e6 })),
    },
  ];
  const upload = (server: Server) => {
    const uploads = uploadsTo(server);
    // The first uploads to a server and the first read of the archive take longer than later ones.
    warmUp(() => {
      uploads.byCurl(archive);
      uploads.by('ours', archive);
      uploads.by('gitbeaker', archive);
    });
    const measured = Array.from({ length: rounds }, () => {
      const mine = uploads.by('ours', archive);
      const curl = uploads.byCurl(archive);
      const theirs = uploads.by('gitbeaker', archive);
      const [load = 0] = loadavg();
      return { mine, curl, theirs, load };
    });
    const memoryBySize = sizes.map(({ name, other }) => ({
      name,
      memory: uploads.by('ours', other).peakMegabytes,
    }));
    return { measured, memoryBySize };
  };
  const { measured, memoryBySize } = await withServer(upload);

  const seconds = median(measured.map(({ mine }) => mine.seconds));
  const overGitbeaker = ratioOf(measured, ({ theirs, mine }) => theirs.seconds / mine.seconds);
  const overCurl = ratioOf(measured, ({ curl, mine }) => curl / mine.seconds);
  const memory = Math.max(
    ...measured.map(({ mine }) => mine.peakMegabytes),
    ...memoryBySize.map((each) => each.memory),
  );
  const ofGitbeaker = median(measured.map(({ theirs }) => theirs.peakMegabytes));
  return {
    title:
      `An import of ${Math.round(statSync(archive.file).size / 1e6)} MB uploaded to ${hasNginx ? 'nginx' : 'a sandbox in its own process'} on ` +
      `loopback, which stores it, with ${availableParallelism()} processors; median of ${rounds}`,
    rows: [
      {
        goal: 'P7',
        what: 'faster than @gitbeaker/rest',
        measured: `${overGitbeaker.text}, ${seconds.toFixed(2)} s`,
        goalValue: '≥ 2.5 ×',
        isReached: overGitbeaker.median >= 2.5,
      },
      {
        goal: 'P7',
        what: 'speed compared with curl -F, which checks no hash',
        measured: overCurl.text,
        goalValue: '≥ 0.8 ×',
        isReached: overCurl.median >= 0.8,
      },
      {
        goal: 'P8',
        what: `peak memory (${memoryBySize.map((each) => `${each.name}: ${each.memory.toFixed(0)} MB`).join(', ')}; gitbeaker: ${ofGitbeaker.toFixed(0)} MB)`,
        measured: `${memory.toFixed(0)} MB`,
        goalValue: '≤ 180 MB',
        isReached: memory <= 180,
      },
    ],
    rounds: measured.map(
      ({ mine, curl, theirs, load }) =>
        `Packhorse ${mine.seconds.toFixed(2)} s (${mine.peakMegabytes.toFixed(0)} MB), curl ${curl.toFixed(2)} s, ` +
        `gitbeaker ${theirs.seconds.toFixed(2)} s (load ${load.toFixed(1)})`,
    ),
    versions: [
      `Node ${process.version}`,
      versionOf('curl'),
      `@gitbeaker/rest ${versionOfPackage('@gitbeaker/rest')}`,
    ],
  };
}
