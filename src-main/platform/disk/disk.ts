/** @file Every call that changes a disk, behind one small interface, so that tests can make each of them fail. */
import { AppError } from '../../../src-contract/errors.ts';

export interface DiskFile {
  /** Writes some of the bytes and returns how many. Fewer than requested is not an error. */
  write(bytes: Uint8Array): Promise<number>;
  /** Resolves once the content is on the medium. After a failure the file must be discarded and never flushed again. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** The calls reject with the error of the file system; `disk-errors.ts` translates it. */
export interface Disk {
  /** Creates a file that must not exist yet, readable by its owner only. */
  create(path: string): Promise<DiskFile>;
  /** Creates one folder that only its owner can access. Returns false if the folder already existed. */
  makeFolder(path: string): Promise<boolean>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file. A missing file is no error. */
  remove(path: string): Promise<void>;
  /** Resolves once the folder's entries are on the medium. */
  flushFolder(path: string): Promise<void>;
  freeBytes(path: string): Promise<number>;
}

/** Writes all of the bytes, even if the disk accepts only a few at a time. */
export async function writeAll(file: DiskFile, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    const written = await file.write(bytes.subarray(offset));
    if (written <= 0)
      throw new AppError('disk-failed', 'The disk accepts no more bytes.', { retry: 'later' });
    offset += written;
  }
}
