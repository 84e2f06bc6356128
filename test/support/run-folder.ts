/** @file A folder for what all tests of one run share, removed at its end; vitest calls this once per project. */
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Absolute path of a folder that all tests of this run share. */
    runFolder: string;
  }
}

export function setup(project: TestProject): () => void {
  const folder = join(tmpdir(), `packhorse-run-${process.pid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  project.provide('runFolder', folder);
  return () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
