/**
 * @file Kills the processes of backups and imports, and starts them again.
 *
 * Slow, because a kill ends a real process and the next one loads the product again, some forty times. Only a real
 * process shows the state of the disk and of the server after a kill.
 */
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src-main/services/sandbox/embedded-sandbox.ts';
import { CliProcess } from '../support/processes/cli-process.ts';
import { seeded } from '../support/archives/archive-builder.ts';
import { BackupLedger } from '../support/jobs/backup-ledger.ts';
import { restartUntilDone } from '../support/faults/restart-until-done.ts';
import { filesBelow } from '../support/files-below.ts';
import { registerInstance } from '../support/servers/known-instance.ts';
import { readStoredState } from '../support/faults/stored-truth.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { backUp, openTestSandbox, openWorld } from '../support/world.ts';
import { verifyImports } from '../verifier/verify-imports.ts';

const poll = { interval: 5, timeout: 20_000 };

/** A data folder with registered instances, and the command line that works on it. */
class Site {
  readonly dataDir = temporaryFolder();
  readonly tokens: Record<string, string> = {};

  async register(name: string, sandbox: Sandbox): Promise<void> {
    const token = sandbox.tokens.maintainer;
    await registerInstance(this.dataDir, { name, url: sandbox.url, token });
    this.tokens[name] = token;
  }

  cli(...args: string[]): CliProcess {
    return new CliProcess(this.dataDir, this.tokens, ...args);
  }

  /** Runs a command to its end, asserts that it succeeds, and verifies imports. */
  async runSuccessfully(...args: string[]): Promise<unknown> {
    const { code, stdout, stderr } = await this.cli(...args).ended;
    expect(code, stderr).toBe(0);
    await verifyImports(this.dataDir);
    return JSON.parse(stdout) as unknown;
  }

  get parts(): string[] {
    return filesBelow(`${this.dataDir}/archives`).filter((file) => file.endsWith('.part'));
  }
}

const countRequests = (sandbox: Sandbox, method: string, path: RegExp): number =>
  sandbox.requests.filter((request) => request.method === method && path.test(request.path)).length;

const exportPosts = (sandbox: Sandbox): number => countRequests(sandbox, 'POST', /\/export$/);
const importPosts = (sandbox: Sandbox): number => countRequests(sandbox, 'POST', /\/projects\/import$/);

async function backupSite(options: Parameters<typeof openTestSandbox>[0] = {}) {
  const source = await openTestSandbox({ projectCount: 1, ...options });
  const site = new Site();
  await site.register('source', source);
  const project = source.state.paths[0] ?? '';
  return { source, site, project, backup: ['backup', '--instance', 'source', project] };
}

async function importSite(options: Parameters<typeof openTestSandbox>[0] = {}) {
  const { source, site, project } = await backupSite();
  const world = await openWorld({
    dataDir: site.dataDir,
    env: { PACKHORSE_TOKEN_SOURCE: source.tokens.maintainer },
  });
  await backUp(world, 'source', [project]);
  await world.app.close();
  const target = await openTestSandbox(options);
  await site.register('target', target);
  const [archive = ''] = readStoredState(site.dataDir).archives;
  const namespace = project.split('/').slice(0, -1).join('/');
  const destination = ['--instance', 'target', '--namespace', namespace, '--path', 'copy'];
  return { target, site, copy: `${namespace}/copy`, command: ['import', 'file', archive, ...destination] };
}

describe('a backup that is killed', () => {
  it('during the download leaves nothing under the final name and resumes when it is started again', async () => {
    const { source, site, backup } = await backupSite();
    source.faults.add({
      match: { path: 'export/download', nth: 1 },
      action: { kind: 'stall', afterBytes: 2_000 },
    });
    const first = site.cli(...backup);
    await expect.poll(() => site.parts, poll).toHaveLength(1);
    await first.kill();
    const interrupted = readStoredState(site.dataDir);
    expect(interrupted).toMatchObject({
      archives: [],
      jobs: [{ step: 'store', state: { status: 'running' } }],
    });
    expect(interrupted.parts).toHaveLength(1);

    await site.runSuccessfully(...backup);
    const completed = readStoredState(site.dataDir);
    expect(completed).toMatchObject({ parts: [], trash: [], jobs: [{ state: { status: 'succeeded' } }] });
    expect(completed.archives).toHaveLength(1);
    expect(exportPosts(source)).toBe(1);
  });

  it('between the arrival of its export request and the reply does not request another export', async () => {
    const { source, site, backup } = await backupSite();
    source.faults.add({
      match: { method: 'POST', path: '/export$', nth: 1 },
      action: { kind: 'stall', afterBytes: 0 },
    });
    const first = site.cli(...backup);
    await expect.poll(() => exportPosts(source), poll).toBe(1);
    await first.kill();
    await site.runSuccessfully(...backup);
    expect(exportPosts(source)).toBe(1);
    expect(readStoredState(site.dataDir)).toMatchObject({ jobs: [{ state: { status: 'succeeded' } }] });
  });

  it('before its export request arrives sends the request again exactly once', async () => {
    const { source, site, backup } = await backupSite();
    source.faults.add({
      match: { method: 'POST', path: '/export$', nth: 1 },
      action: { kind: 'delay', ms: 300 },
    });
    const first = site.cli(...backup);
    await expect.poll(() => exportPosts(source), poll).toBe(1);
    await first.kill();
    await site.runSuccessfully(...backup);
    expect(exportPosts(source)).toBe(2);
    expect(readStoredState(site.dataDir).archives).toHaveLength(1);
  });
});

describe('an import that is killed', () => {
  it('while the instance imports continues to wait for the same project', async () => {
    const { target, site, copy, command } = await importSite({ speed: { importStartedMs: 1_500 } });
    const first = site.cli(...command);
    await expect
      .poll(() => countRequests(target, 'GET', /\/projects\/\d+\/import$/), poll)
      .toBeGreaterThan(1);
    await first.kill();
    await site.runSuccessfully(...command);
    expect(importPosts(target)).toBe(1);
    expect(target.state.paths).toEqual([copy]);
    expect(await target.state.project(copy)).toMatchObject({ importStatus: 'finished' });
  });

  it('after the upload and before the project is created adopts the project', async () => {
    const { target, site, copy, command } = await importSite();
    target.faults.add({ match: { method: 'POST', nth: 1 }, action: { kind: 'delay-import', ms: 300 } });
    const first = site.cli(...command);
    await expect.poll(() => importPosts(target), poll).toBe(1);
    await first.kill();
    await site.runSuccessfully(...command);
    expect(target.state.paths).toEqual([copy]);
  });

  it('after the project is created and before the reply arrives adopts the project', async () => {
    const { target, site, copy, command } = await importSite();
    target.faults.add({ match: { method: 'POST', nth: 1 }, action: { kind: 'stall', afterBytes: 0 } });
    const first = site.cli(...command);
    await expect.poll(() => target.state.paths, poll).toEqual([copy]);
    await first.kill();
    await site.runSuccessfully(...command);
    expect(importPosts(target)).toBe(1);
    expect(target.state.paths).toEqual([copy]);
  });

  it('before the instance accepts the upload sends it again', async () => {
    const { target, site, copy, command } = await importSite();
    target.faults.add({ match: { method: 'POST', nth: 1 }, action: { kind: 'reset' } });
    const first = site.cli(...command);
    await expect.poll(() => importPosts(target), poll).toBe(1);
    await first.kill();
    await site.runSuccessfully(...command);
    expect(importPosts(target)).toBe(2);
    expect(target.state.paths).toEqual([copy]);
  });
});

it('backups and imports of three projects that are killed repeatedly at random moments lose, duplicate and damage nothing', async () => {
  const seed = Number(process.env['PACKHORSE_SEED'] ?? 1);
  const pick = seeded(seed);
  const source = await openTestSandbox({ projectCount: 3, seed: 3 });
  const target = await openTestSandbox({ speed: { importStartedMs: 60 } });
  const site = new Site();
  await site.register('source', source);
  await site.register('target', target);
  const seedText = `seed ${seed} (PACKHORSE_SEED)`;

  let killed = 0;
  const ledger = new BackupLedger(site.dataDir);
  /** Kills the command `kills` times, each time after some more requests; then lets it end. */
  const runWithKills = (sandbox: Sandbox, kills: number, maxRequests: number, ...args: string[]) =>
    restartUntilDone({
      start: () => site.cli(...args),
      kills,
      async waitForKill(process) {
        const requestGoal = sandbox.requests.length + 1 + pick(maxRequests);
        await expect.poll(() => sandbox.requests.length >= requestGoal || !process.running, poll).toBe(true);
      },
      onKill() {
        killed += 1;
        ledger.recordArchives();
      },
    });

  const projects = source.state.paths;
  // At most four kills, because a step that is killed five times in a row waits before it is retried.
  for (let round = 0; round < 2; round += 1) {
    expect(await runWithKills(source, 4, 40, 'backup', '--instance', 'source', ...projects), seedText).toBe(
      0,
    );
    // A project without an earlier export has its export requested only once.
    const { jobs, manifests } = readStoredState(site.dataDir);
    for (const { project } of manifests) {
      if (jobs.filter((job) => job.project === project.fullPath).length > 1) continue;
      expect(countRequests(source, 'POST', new RegExp(`/projects/${project.id}/export$`)), seedText).toBe(1);
    }
  }
  const stored = readStoredState(site.dataDir);
  expect(stored.parts, seedText).toEqual([]);
  expect(
    stored.jobs.map((job) => job.state).filter((state) => state.status !== 'succeeded'),
    seedText,
  ).toEqual([]);
  expect(stored.archives.length, seedText).toBe(stored.jobs.length);
  expect(new Set(stored.manifests.map((manifest) => manifest.jobId)).size, seedText).toBe(stored.jobs.length);

  for (const project of projects) {
    const at = stored.manifests.findIndex((manifest) => manifest.project.fullPath === project);
    const [, ...path] = project.split('/');
    const namespace = project.slice(0, project.lastIndexOf('/'));
    const destination = ['--instance', 'target', '--namespace', namespace, '--path', path.at(-1) ?? ''];
    await runWithKills(target, 4, 12, 'import', 'file', stored.archives[at] ?? '', ...destination);
    await verifyImports(site.dataDir);
    expect(
      target.state.paths.filter((path) => path === project),
      seedText,
    ).toHaveLength(1);
    expect(await target.state.project(project), seedText).toMatchObject({ importStatus: 'finished' });
  }
  expect(target.state.paths.toSorted(), seedText).toEqual(projects.toSorted());
  const imports = readStoredState(site.dataDir).jobs.filter((job) => job.kind === 'import');
  for (const project of projects) {
    const statuses = imports.filter((job) => job.project === project).map((job) => job.state.status);
    expect(
      statuses.filter((status) => status === 'succeeded'),
      seedText,
    ).toHaveLength(1);
  }
  expect(ledger.findViolations(), seedText).toEqual({ lost: [], doubled: [], orphaned: [] });
  expect(killed, seedText).toBeGreaterThan(8);
});
