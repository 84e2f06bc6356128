/**
 * @file Creates a folder that all tests of one run share, and removes it at the end; vitest calls this once per
 * project.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildCommandLine } from './processes/command-line-build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Absolute path of a folder that all tests of this run share. */
    runFolder: string;
  }
}

/** The projects whose tests start commands. */
const startCommands = ['integration', 'fault'];

export async function setup(project: TestProject): Promise<() => void> {
  const folder = join(tmpdir(), `packhorse-run-${process.pid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  project.provide('runFolder', folder);
  if (startCommands.includes(project.name)) {
    project.onTestsRerun(await buildCommandLine(join(folder, 'command-line')));
  }
  return () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
