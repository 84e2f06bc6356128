// @ts-check
/**
 * @file The measured program of the inspection bench: `read-archive.js SUBJECT FILE` reads one archive and prints
 * seconds and peak memory. Plain JavaScript with the built product, because stripping types would cost time and memory
 * that the installed product does not need.
 */
import { dirname } from 'node:path';
import { load } from './built.js';
import { peakMegabytes } from './peak-memory.js';

/**
 * Each subject loads its modules, which is not measured, and returns the function to measure.
 *
 * @type {Record<string, () => Promise<(path: string) => Promise<void>>>}
 */
const subjects = {
  ours: async () => {
    const { inspectFile } = await load('archive/inspect.js');
    return async (path) => {
      const { verdict } = await inspectFile(path);
      if (verdict !== 'sound') throw new Error(`The archive is ${verdict}`);
    };
  },
  indexed: async () => {
    const { inspectFile } = await load('archive/inspect.js');
    return async (path) => {
      await inspectFile(path, { indexFolder: process.argv[4] ?? '' });
    };
  },
  /** Reads the record in the middle through the index. */
  record: async () => {
    const { openRecordIndex } = await load('archive/records/record-index.js');
    return async (path) => {
      const sha256 = /([0-9a-f]{64})\.records$/.exec(path)?.[1] ?? '';
      const index = await openRecordIndex(dirname(path), sha256);
      const lines = index?.relations().find(({ name }) => name === 'issues')?.lines ?? 0;
      const record = await index?.record('issues', lines >> 1);
      await index?.close();
      const { iid } = /** @type {{ iid?: number }} */ (record?.value ?? {});
      if (iid !== (lines >> 1) + 1) throw new Error('This is another record');
    };
  },
  /** Reads the last record by walking the archive. */
  walked: async () => {
    const { readRecords } = await load('archive/read.js');
    return async (path) => {
      const [record] = await readRecords(path, [{ relation: 'issues', line: Number(process.argv[4]) }]);
      if (record === null) throw new Error('The record was not found');
    };
  },
  'node-tar': async () => {
    const { list } = await import('tar');
    return (file) => list({ file, onReadEntry: () => undefined });
  },
  bomb: async () => {
    const { inspectFile } = await load('archive/inspect.js');
    return async (path) => {
      const refused = await inspectFile(path).then(
        () => false,
        () => true,
      );
      if (!refused) throw new Error('The bomb was not refused');
    };
  },
};

const [subject = '', path = ''] = process.argv.slice(2);
const read = await subjects[subject]?.();
const start = performance.now();
await read?.(path);
const seconds = (performance.now() - start) / 1000;
process.stdout.write(JSON.stringify({ seconds, peakMegabytes: peakMegabytes() }));
