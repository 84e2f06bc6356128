/** @file The real disk with a record of every changing call. Each call can be made to fail. */
import { basename } from 'node:path';
import type { Disk, DiskFile } from '../../../src-main/platform/disk/disk.ts';
import { realDisk } from '../../../src-main/platform/disk/real-disk.ts';

/** `crash` and `crash after`: the process ends before or after the call took effect; nothing reaches the disk any more. */
export type Fault = 'ENOSPC' | 'EIO' | 'EACCES' | 'short write' | 'crash' | 'crash after';

/** Returns the name of a call in tests: its own name and the file name without the random part. */
export const callName = (name: string, path: string): string =>
  `${name} ${basename(path).replace(/\.[0-9a-f]{12}\.part$/, '.part')}`;

export class FaultyDisk implements Disk {
  /** For example `rename a_export.tar.gz`; file calls name their file, without the random part. */
  readonly calls: string[] = [];
  freeBytesOverride: number | null = null;
  readonly #fault: Fault | null;
  readonly #at: number;
  readonly #files: DiskFile[] = [];
  #dead = false;

  /** The call with index `at` fails with the fault; null fails nothing. */
  constructor(fault: Fault | null = null, at = -1) {
    this.#fault = fault;
    this.#at = at;
  }

  async create(path: string): Promise<DiskFile> {
    const file = await this.#call('create', path, async () => {
      const created = await realDisk.create(path);
      this.#files.push(created);
      return created;
    });
    return {
      write: (bytes) => {
        const short = this.#fault === 'short write' && this.calls.length === this.#at;
        const taken = short ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes;
        return this.#call('write', path, () => file.write(taken));
      },
      flush: () => this.#call('flush', path, () => file.flush()),
      // The descriptor itself is always closed, like by the system.
      close: () => this.#call('close', path, () => Promise.resolve()).finally(() => file.close()),
    };
  }

  makeFolder(path: string): Promise<boolean> {
    return this.#call('makeFolder', path, () => realDisk.makeFolder(path));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#call('rename', to, () => realDisk.rename(from, to));
  }

  remove(path: string): Promise<void> {
    return this.#call('remove', path, () => realDisk.remove(path));
  }

  flushFolder(path: string): Promise<void> {
    return this.#call('flushFolder', path, () => realDisk.flushFolder(path));
  }

  freeBytes(path: string): Promise<number> {
    return this.#call('freeBytes', path, () =>
      this.freeBytesOverride === null ? realDisk.freeBytes(path) : Promise.resolve(this.freeBytesOverride),
    );
  }

  async #call<T>(name: string, path: string, work: () => Promise<T>): Promise<T> {
    if (this.#dead) throw new Error('The process has ended');
    const hit = this.calls.push(callName(name, path)) - 1 === this.#at;
    if (!hit || this.#fault === null || this.#fault === 'short write') return work();
    if (this.#fault === 'crash' || this.#fault === 'crash after') {
      this.#dead = true;
      if (this.#fault === 'crash after') await work();
      if (name !== 'close') await Promise.all(this.#files.map((file) => file.close().catch(() => undefined)));
      throw new Error('The process ends');
    }
    throw Object.assign(new Error(`${this.#fault}: injected`), { code: this.#fault });
  }
}
