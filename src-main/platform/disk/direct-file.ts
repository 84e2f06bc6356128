/**
 * @file Creates files whose large pieces bypass the system's cache (`O_DIRECT`) if possible, because an archive is
 * written once and rarely read soon afterwards. Other writes use the cache.
 */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { DiskFile } from './disk.ts';
import { errnoOf } from './disk-errors.ts';

/** Direct writes are multiples of this size, which is the largest block of common disks and a memory page. */
const blockBytes = 4096;
/** Minimum size of a direct write. For smaller writes the cache has no measurable cost. */
const minDirectBytes = 1024 * 1024;

/** TypeScript declares WebAssembly fully only in its browser types. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number; shared: true }) => { buffer: SharedArrayBuffer };
};
const wasmPageBytes = 65_536;

/**
 * Allocates page-aligned memory, which direct writes need. WebAssembly memory is always page-aligned. `bytes` is a
 * multiple of 64 KiB.
 */
export function allocateAlignedMemory(bytes: number): SharedArrayBuffer {
  const pages = bytes / wasmPageBytes;
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }).buffer;
  } catch {
    // V8 reserves gigabytes of addresses for each WebAssembly memory, which a machine may refuse.
    return new SharedArrayBuffer(bytes);
  }
}

/** Creates a file that must not exist yet, readable by its owner only. */
export async function createFile(path: string): Promise<DiskFile> {
  const file = await open(path, 'wx', 0o600);
  let at = 0;
  /** A second handle of the same file; null once direct writes are known to fail. */
  let direct: FileHandle | null | undefined;

  const writeDirectly = async (bytes: Uint8Array): Promise<number> => {
    const alignedLength = at % blockBytes === 0 ? bytes.length - (bytes.length % blockBytes) : 0;
    if (alignedLength < minDirectBytes) return 0;
    direct = direct === undefined ? await openDirectly(file) : direct;
    try {
      return direct === null ? 0 : (await direct.write(bytes, 0, alignedLength, at)).bytesWritten;
    } catch (error) {
      // EINVAL means that the file system refuses direct writes, or that the memory is not block-aligned.
      if (errnoOf(error) !== 'EINVAL') throw error;
      const refused = direct;
      direct = null;
      await refused?.close();
      return 0;
    }
  };

  return {
    write: async (bytes) => {
      let written = await writeDirectly(bytes);
      if (written === 0) written = (await file.write(bytes, 0, bytes.length, at)).bytesWritten;
      at += written;
      return written;
    },
    flush: () => file.datasync(),
    close: async () => {
      try {
        await direct?.close();
      } finally {
        await file.close();
      }
    },
  };
}

/** Opens the file by its descriptor, because its path may name another file by now. */
async function openDirectly(file: FileHandle): Promise<FileHandle | null> {
  if (process.platform !== 'linux') return null;
  const flags = constants.O_WRONLY | constants.O_DIRECT;
  return open(`/proc/self/fd/${file.fd}`, flags).catch(() => null);
}
