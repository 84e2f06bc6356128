/**
 * @file A sandbox with a project and its archive, for transfers that bypass this machine, and every place where their
 * secrets could appear.
 */
import { expect } from 'vitest';
import { type Job } from '../../../src-contract/runs/job.ts';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import { MemoryKeychain } from '../keychain/memory-keychain.ts';
import { openOrigin } from './origin.ts';
import { SandboxCalls } from './sandbox-calls.ts';
import { filesContaining, encodingsOf } from '../secret-search.ts';
import { ended, openTestSandbox, openWorld, register, type World } from '../world.ts';
import { jobFilter } from '../requests.ts';

export const signature = 'f00dfeedsignature0123456789abcdef';
export const secretKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
export const poll = { interval: 2, timeout: 10_000 };

export interface Scene {
  world: World;
  sandbox: Sandbox;
  project: string;
  group: string;
  /** The archive of the project, as the sandbox exported it. */
  content: Buffer;
  keychain: MemoryKeychain;
  /** All events, as text. */
  events: string[];
}

export async function openScene(options: Parameters<typeof openTestSandbox>[0] = {}): Promise<Scene> {
  const sandbox = await openTestSandbox({ projectCount: 1, ...options });
  const keychain = new MemoryKeychain();
  const world = await openWorld({ keychain });
  await register(world, 'work', sandbox);
  const [project = ''] = sandbox.state.paths;
  const events: string[] = [];
  world.app.subscribe((...event) => {
    events.push(JSON.stringify(event));
  });
  const content = await new SandboxCalls(sandbox).exportArchive(project);
  return {
    world,
    sandbox,
    project,
    group: project.slice(0, project.lastIndexOf('/')),
    content,
    keychain,
    events,
  };
}

/** Returns object storage with the archive at every path; uploads are recorded with their requests. */
export const storageWith = (content: Buffer) =>
  openOrigin(({ method }, reply) => {
    const headers = { 'content-type': 'application/gzip', 'content-length': content.length };
    reply.writeHead(200, headers).end(method === 'GET' ? content : undefined);
  });

export async function onlyJob(world: World, runId: string): Promise<Job> {
  const [job] = await ended(world, runId);
  if (job === undefined) throw new Error('There is no job.');
  return job;
}

/** Resolves with all replies and events that a window could receive about the transfer. */
async function visibleTexts({ world, events }: Scene): Promise<string> {
  const { client } = world;
  const { jobs } = await client.call('job.list', jobFilter());
  const replies: unknown[] = [jobs, await client.call('run.list', { before: null, limit: 100 })];
  for (const { id } of jobs) {
    replies.push(await client.call('job.show', { job: id }), await client.call('job.steps', { job: id }));
    replies.push(await client.call('job.log', { job: id, afterId: 0, limit: 500 }));
  }
  replies.push(await client.call('storage.list', {}), await client.call('settings.show', {}));
  return [...events, JSON.stringify(replies)].join('\n');
}

export async function expectHidden(scene: Scene, secret: string): Promise<void> {
  const text = (await visibleTexts(scene)).toLowerCase();
  for (const spelling of encodingsOf(secret)) expect(text).not.toContain(spelling.toLowerCase());
  await scene.world.app.close();
  expect(filesContaining(scene.world.dataDir, encodingsOf(secret))).toEqual([]);
}

export const postCount = ({ sandbox }: Scene, path: RegExp): number =>
  sandbox.requests.filter((request) => request.method === 'POST' && path.test(request.path)).length;

export const target = (group: string, path = 'copy') => ({
  namespace: group,
  path,
  name: null,
  overrideParams: {},
  archive: null,
});
