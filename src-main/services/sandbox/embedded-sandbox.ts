/**
 * @file Starts the embedded sandbox with the system clock. Hosts use this module, because they must not import the
 * sandbox’s own modules.
 */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../../src-contract/errors.ts';
import { systemClock } from '../../platform/clock.ts';
import { sandboxSeeds } from './sandbox-token.ts';
import { parseFaultText, type Fault } from '../../sandbox/faults/fault-kinds.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts';

export type { Sandbox };

export function openSandbox(options: Omit<SandboxOptions, 'clock'>): Promise<Sandbox> {
  return startSandbox({ ...options, clock: systemClock });
}

/** Throws `invalid-input` for an unreadable file, or with the name of an invalid entry. */
export async function readFaults(path: string): Promise<Fault[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new AppError('invalid-input', `The fault file ${path} cannot be read.`, { cause: error });
  });
  return parseFaultText(text);
}

/**
 * Starts a sandbox server. A source contains one record that cannot be imported. Throws `internal` for a source without
 * a project that has milestones.
 */
export async function startSandboxServer(options: {
  role: 'source' | 'target';
  port: number;
  projects: number;
}): Promise<Sandbox> {
  const { role, port } = options;
  const projects = role === 'source' ? options.projects : 0;
  const sandbox = await openSandbox({ port, projectCount: projects, seed: sandboxSeeds[role] });
  if (role === 'source') await addUnimportableRecord(sandbox);
  return sandbox;
}

/** Adds a milestone without a title, as in old databases: GitLab exports it and refuses to import it. */
export async function addUnimportableRecord(sandbox: Sandbox): Promise<void> {
  const projects = await Promise.all(sandbox.state.paths.map((path) => sandbox.state.project(path)));
  const projectWithMilestones = projects.find(({ relations }) => (relations['milestones']?.length ?? 0) > 0);
  if (projectWithMilestones === undefined)
    throw new AppError('internal', 'The sandbox has no project with milestones.');
  sandbox.state.append(projectWithMilestones.fullPath, 'milestones', {
    title: null,
    iid: 999,
    state: 'active',
    description: 'Written by hand into the database years ago.',
    due_date: null,
    created_at: '2019-03-14T09:26:53.000Z',
    updated_at: '2019-03-14T09:26:53.000Z',
  });
}
