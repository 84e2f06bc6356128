/** @file The log: redacted lines of JSON, at most 50 MB in five files. A line that cannot be written is dropped. */
import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Clock } from './clock.ts';
import { isoTime } from './clock.ts';
import { makePrivateFolder } from './private-folder.ts';
import { redact } from './redact.ts';

const maxFiles = 5;
const bytesPerFile = 10_000_000;

export interface Log extends Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'> {
  close(): void;
}

/** Opens the log in `folder`, which is created if missing (mode 0700, files 0600). */
export function openLog(options: {
  folder: string;
  clock: Clock;
  level?: 'debug' | 'info';
  maxBytes?: number;
}): Log {
  const { folder, clock, level = 'info', maxBytes = bytesPerFile } = options;
  const file = new LogFile(folder, maxBytes);
  const log = pino(
    { level, base: { pid: process.pid }, timestamp: () => `,"time":"${isoTime(clock.now())}"` },
    {
      write: (line: string) => {
        file.append(redact(line));
      },
    },
  );
  return Object.assign(log, {
    close: () => {
      file.close();
    },
  });
}

/**
 * Several processes may append. The process that fills the file rotates it. The others continue to write to the rotated
 * file.
 */
class LogFile {
  readonly #path: string;
  readonly #maxBytes: number;
  #file: number | null = null;
  #size = 0;

  constructor(folder: string, maxBytes: number) {
    this.#path = join(folder, 'packhorse.log');
    this.#maxBytes = maxBytes;
    try {
      makePrivateFolder(folder);
      this.#open();
    } catch {
      this.#file = null;
    }
  }

  append(line: string): void {
    try {
      if (this.#file === null) return;
      const bytes = Buffer.from(line);
      if (this.#size > 0 && this.#size + bytes.length > this.#maxBytes) this.#rotate();
      writeSync(this.#file, bytes);
      this.#size += bytes.length;
    } catch {
      // Ignores, for example, a full disk, which jobs report themselves.
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #open(): void {
    this.#file = openSync(this.#path, 'a', 0o600);
    this.#size = fstatSync(this.#file).size;
  }

  /** packhorse.log becomes .1, .1 becomes .2, and so on; the oldest is dropped. */
  #rotate(): void {
    this.close();
    const numbered = (number: number) => (number === 0 ? this.#path : `${this.#path}.${number}`);
    rmSync(numbered(maxFiles - 1), { force: true });
    for (let number = maxFiles - 2; number >= 0; number--) {
      try {
        renameSync(numbered(number), numbered(number + 1));
      } catch {
        // Fewer rotated files exist so far.
      }
    }
    this.#open();
  }
}
