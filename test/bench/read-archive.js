/**
 * @file The measured side of the inspection bench: `read-archive.js SUBJECT FILE` reads one archive and prints seconds and
 * peak memory. Plain JavaScript and the built product, because stripping types would cost time and memory that what is
 * installed does not need.
 */
import { peakMegabytes } from './peak-memory.js';

const subjects = {
  ours: async () => {
    const { inspectFile } = await import(new URL('../../out/main/archive/inspect.js', import.meta.url).href);
    return async (path) => {
      const { verdict } = await inspectFile(path);
      if (verdict !== 'sound') throw new Error(`The archive is ${verdict}`);
    };
  },
  'node-tar': async () => {
    const { list } = await import('tar');
    return (file) => list({ file, onReadEntry: () => undefined });
  },
  bomb: async () => {
    const { inspectFile } = await import(new URL('../../out/main/archive/inspect.js', import.meta.url).href);
    return async (path) => {
      const refused = await inspectFile(path).then(
        () => false,
        () => true,
      );
      if (!refused) throw new Error('The bomb was not refused');
    };
  },
};

const [subject, path] = process.argv.slice(2);
const read = await subjects[subject]();
const start = performance.now();
await read(path);
const seconds = (performance.now() - start) / 1000;
process.stdout.write(JSON.stringify({ seconds, peakMegabytes: peakMegabytes() }));
