/**
 * @file P3, P4, P5, P9 and P10 of the goals: compares one inspection with `tar tzf` and node-tar's `list`, which only
 * walk. An inspection inflates, checks gzip and SHA-256, walks, parses every record and checks every pack. Also measures
 * an inspection with a record index, a bomb, and the read of one record from 5 GB. The rounds are interleaved; the
 * result is the median of five. Packhorse and node-tar run in their own processes. Their time is taken inside them
 * without loading, and their memory is their peak.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { member } from '../support/archives/archive-builder.ts';
import { halfGigabyte, manyRecords } from '../support/archives/archive-large.ts';
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
  type Row,
  rounds,
  atSize,
  smallestExport,
} from './measuring.ts';

interface Measured {
  seconds: number;
  peakMegabytes: number;
}

const reader = fileURLToPath(new URL('./read-archive.js', import.meta.url));

type Subject = 'ours' | 'indexed' | 'record' | 'walked' | 'node-tar' | 'bomb';

function inOwnProcess(subject: Subject, path: string, ...more: string[]): Measured {
  return JSON.parse(execFileSync(process.execPath, [reader, subject, path, ...more]).toString()) as Measured;
}

/** Inspects the archive into a new folder of indexes and passes the index to `use`. */
function indexed<T>(path: string, use: (index: string, measured: Measured) => T): T {
  const folder = mkdtempSync(join(benchFolder, 'indexes-'));
  try {
    const measured = inOwnProcess('indexed', path, folder);
    return use(join(folder, readdirSync(folder)[0] ?? 'none'), measured);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** About 5 GB compressed, most of it the repository, with 400,000 issues. */
const fiveGigabytes = { ...halfGigabyte, packBytes: 4_700e6, issues: 400_000 };

/** Writes ten GiB of zeros in ten megabytes: a gzip stream may be a concatenation of many. */
function writeBomb(): string {
  const path = join(benchFolder, 'bomb_export.tar.gz');
  const head = member({ name: './bomb', size: 10 * 1024 ** 3 - 1 }).subarray(0, 512);
  const zeros = gzipSync(Buffer.alloc(64 * 1024 ** 2), { level: 9 });
  writeFileSync(path, Buffer.concat([gzipSync(head), ...Array.from({ length: 160 }, () => zeros)]));
  return path;
}

/** Deletes the large archive after the measurement, because it would fill the temporary folder. */
async function oneRecordOfMany(): Promise<{ indexedMs: number; walked: Measured }> {
  const large = await benchArchive('five-gigabytes', fiveGigabytes);
  try {
    const found = indexed(large, (index) =>
      Array.from({ length: rounds }, () => inOwnProcess('record', index)),
    );
    const indexedMs = median(found.map((round) => round.seconds)) * 1000;
    return {
      indexedMs,
      walked: inOwnProcess('walked', large, String(atSize(fiveGigabytes, smallestExport).issues - 1)),
    };
  } finally {
    rmSync(large);
  }
}

export async function run(): Promise<Report> {
  build();
  const path = await benchArchive('half-gigabyte', halfGigabyte);
  const records = await benchArchive('many-records', manyRecords);
  const measured = Array.from({ length: rounds }, () => ({
    gnuTar: secondsOf(`tar tzf ${path}`),
    ours: inOwnProcess('ours', path),
    nodeTar: inOwnProcess('node-tar', path),
    gnuTarRecords: secondsOf(`tar tzf ${records}`),
    oursRecords: indexed(records, (_index, measured) => measured),
  }));
  const { indexedMs, walked } = await oneRecordOfMany();
  const indexMemory = median(measured.map(({ oursRecords }) => oursRecords.peakMegabytes));
  const bomb = inOwnProcess('bomb', writeBomb());
  const seconds = {
    gnuTar: median(measured.map(({ gnuTar }) => gnuTar)),
    ours: median(measured.map(({ ours }) => ours.seconds)),
    nodeTar: median(measured.map(({ nodeTar }) => nodeTar.seconds)),
  };
  const overGnuTarRecords = ratioOf(measured, (round) => round.gnuTarRecords / round.oursRecords.seconds);
  const memory = {
    ours: median(measured.map(({ ours }) => ours.peakMegabytes)),
    nodeTar: median(measured.map(({ nodeTar }) => nodeTar.peakMegabytes)),
  };
  const overGnuTar = ratioOf(measured, ({ gnuTar, ours }) => gnuTar / ours.seconds);
  const overNodeTar = ratioOf(measured, ({ nodeTar, ours }) => nodeTar.seconds / ours.seconds);
  const ofNodeTar = memory.ours / memory.nodeTar;
  const megabytes = (value: number): string => `${value.toFixed(0)} MB`;
  const rows: Row[] = [
    {
      goal: 'P3',
      what: 'speed compared with tar tzf',
      measured: `${overGnuTar.text}, ${seconds.ours.toFixed(2)} s, tar ${seconds.gnuTar.toFixed(2)} s`,
      goalValue: '≥ 3 ×',
      isReached: overGnuTar.median >= 3,
    },
    {
      goal: 'P4',
      what: 'speed with an index of 120,000 records, compared with tar tzf',
      measured: `${overGnuTarRecords.text}, ${megabytes(indexMemory)}`,
      goalValue: '≥ 1.5 ×, ≤ 150 MB',
      isReached: overGnuTarRecords.median >= 1.5 && indexMemory <= 150,
    },
    {
      goal: 'P5',
      what: 'speed compared with node-tar list',
      measured: `${overNodeTar.text}, node-tar ${seconds.nodeTar.toFixed(2)} s`,
      goalValue: '≥ 1 ×',
      isReached: overNodeTar.median >= 1,
    },
    {
      goal: 'P5',
      what: 'memory as a share of node-tar list',
      measured: `${ofNodeTar.toFixed(2)} (${megabytes(memory.ours)}, node-tar ${megabytes(memory.nodeTar)})`,
      goalValue: '≤ 0.5',
      isReached: ofNodeTar <= 0.5,
    },
    {
      goal: 'P9',
      what: 'a bomb of 10 GiB in 10 MB',
      measured: `refused after ${bomb.seconds.toFixed(2)} s, ${megabytes(bomb.peakMegabytes)}`,
      goalValue: '≤ 1 s, ≤ 150 MB',
      isReached: bomb.seconds <= 1 && bomb.peakMegabytes <= 150,
    },
    {
      goal: 'P10',
      what: 'one record from 5 GB, through the index',
      measured: `${indexedMs.toFixed(0)} ms`,
      goalValue: '≤ 100 ms',
      isReached: indexedMs <= 100,
    },
    {
      goal: 'P10',
      what: 'the last record from 5 GB, without an index',
      measured: `${walked.seconds.toFixed(1)} s`,
      goalValue: '≤ 10 s',
      isReached: walked.seconds <= 10,
    },
  ];
  const missed = rows.filter(({ isReached }) => !isReached).length;
  return {
    title: `Inspecting an archive of ${megabytes(statSync(path).size / 1e6)} with 20,000 members`,
    rows,
    verdict: {
      line: missed === 0 ? 'Every goal is reached.' : `${missed} of ${rows.length} goals are missed.`,
      isGood: missed === 0,
    },
    rounds: measured.map(
      ({ ours, nodeTar, gnuTar, oursRecords, gnuTarRecords }) =>
        `Packhorse ${ours.seconds.toFixed(2)} s ${megabytes(ours.peakMegabytes)} · node-tar ${nodeTar.seconds.toFixed(2)} s ` +
        `${megabytes(nodeTar.peakMegabytes)} · tar ${gnuTar.toFixed(2)} s · indexed ${oursRecords.seconds.toFixed(2)} s ` +
        `${megabytes(oursRecords.peakMegabytes)} · tar ${gnuTarRecords.toFixed(2)} s`,
    ),
    versions: [
      `Node ${process.version}`,
      versionOf('tar'),
      versionOf('gzip'),
      `node-tar ${versionOfPackage('tar')}`,
    ],
  };
}
