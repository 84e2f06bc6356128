/** @file A sandbox with a project that real jobs change, and its state afterwards. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeResult } from '../../../src-contract/projects/change.ts';
import { changeResultSchema } from '../../../src-contract/projects/change-schema.ts';
import type { CallRequest } from '../../../src-contract/calls.ts';
import type { StoredJob } from '../../../src-contract/runs/job.ts';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import { projectUrl, SandboxCalls } from '../servers/sandbox-calls.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ended, openTestSandbox, openWorld, register, type World } from '../world.ts';

export type ProjectChange = CallRequest<'project.change'>['change'];

export interface Scene {
  world: World;
  sandbox: Sandbox;
  calls: SandboxCalls;
  /** A project with content. */
  project: string;
  group: string;
}

export async function openScene(options: Parameters<typeof openTestSandbox>[0] = {}): Promise<Scene> {
  const sandbox = await openTestSandbox({ projectCount: 1, ...options });
  const world = await openWorld();
  await register(world, 'work', sandbox, sandbox.tokens.administrator);
  const [project = ''] = sandbox.state.paths;
  const calls = new SandboxCalls(sandbox, sandbox.tokens.administrator);
  return { world, sandbox, calls, project, group: project.slice(0, project.lastIndexOf('/')) };
}

export async function change({ world }: Scene, project: string, change: ProjectChange): Promise<StoredJob> {
  const confirmation =
    change.kind === 'delete'
      ? (await world.client.call('host.confirm', { action: 'project.delete', instance: 'work', project }))
          .confirmation
      : null;
  const { runId } = await world.client.call('project.change', {
    instance: 'work',
    project,
    change,
    confirmation,
  });
  const [job] = await ended(world, runId);
  if (job === undefined) throw new Error('The change has no job.');
  return job;
}

export async function changeSuccessfully(
  scene: Scene,
  project: string,
  wanted: ProjectChange,
): Promise<ChangeResult> {
  const job = await change(scene, project, wanted);
  if (job.state.status !== 'succeeded') throw new Error(JSON.stringify(job.state));
  return changeResultSchema.parse(job.result);
}

/** Returns the number of requests of a kind that reached the sandbox. */
export const requestCount = ({ sandbox }: Scene, method: string, path: RegExp): number =>
  sandbox.requests.filter((request) => request.method === method && path.test(request.path)).length;

export const fork: Extract<ProjectChange, { kind: 'fork' }> = {
  kind: 'fork',
  namespace: null,
  name: null,
  path: 'copy',
  description: null,
  visibility: null,
  branches: null,
  mergeIntoItself: null,
};
export const createChange = (path: string): Extract<ProjectChange, { kind: 'create' }> => ({
  kind: 'create',
  namespace: null,
  forUser: null,
  attributes: { path, name: 'New one', initialize_with_readme: true, visibility: 'internal' },
});

export const writeTestFile = (): string => {
  const path = join(temporaryFolder(), 'notes of today.txt');
  writeFileSync(path, 'twelve bytes');
  return path;
};
export const readProject = async ({ calls }: Scene, project: string): Promise<Record<string, unknown>> =>
  (await calls.get(projectUrl(project))) as Record<string, unknown>;
export const uploads = async ({ calls, project }: Scene): Promise<string[]> =>
  ((await calls.get(`${projectUrl(project)}/uploads`)) as { filename: string }[]).map(
    ({ filename }) => filename,
  );
