/** @file Inspects bytes in memory in this thread, for tests with many small archives. */
import type { Inspection } from '../../../src-contract/archives/archive.ts';
import { defaultReadLimits, type ReadLimits } from '../../../src-main/archive/limits.ts';
import { Inflater } from '../../../src-main/archive/reader/inflater.ts';
import { Inspector } from '../../../src-main/archive/reader/inspector.ts';

export async function inspectBytes(
  bytes: Buffer,
  options: { pieceBytes?: number; limits?: Partial<ReadLimits> } = {},
): Promise<Omit<Inspection, 'sha256' | 'sizeBytes'>> {
  const limits = { ...defaultReadLimits, ...options.limits };
  const inspector = new Inspector(limits);
  const inflater = new Inflater(limits, (unpacked) => {
    inspector.write(unpacked);
  });
  try {
    const step = options.pieceBytes ?? 65_536;
    for (let at = 0; at < bytes.length; at += step) await inflater.write(bytes.subarray(at, at + step));
    return inspector.finish(await inflater.finish());
  } finally {
    inflater.destroy();
  }
}
