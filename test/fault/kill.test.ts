/**
 * @file Backups and imports whose process is killed, and started again.
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
import { makeKnown } from '../support/servers/known-instance.ts';
import { storedTruth } from '../support/faults/stored-truth.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTestSandbox } from '../support/world.ts';

const poll = { interval: 5, timeout: 20_000 };

/** A data folder that knows its instances, and the command line working on it. */
class Site {
  readonly dataDir = temporaryFolder();
  readonly tokens: Record<string, string> = {};

  async know(name: string, sandbox: Sandbox): Promise<void> {
    const token = sandbox.tokens.maintainer;
    await makeKnown(this.dataDir, { name, url: sandbox.url, token });
    this.tokens[name] = token;
  }

  cli(...args: string[]): CliProcess {
    return new CliProcess(this.dataDir, this.tokens, ...args);
  }

  /** Runs a command to its end; it must succeed. */
  async succeed(...args: string[]): Promise<unknown> {
    const { code, stdout, stderr } = await this.cli(...args).ended;
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as unknown;
  }

  get parts(): string[] {
    return filesBelow(`${this.dataDir}/archives`).filter((file) => file.endsWith('.part'));
  }
}

const asked = (sandbox: Sandbox, method: string, path: RegExp): number =>
  sandbox.requests.filter((request) => request.method === method && path.test(request.path)).length;

const exportPosts = (sandbox: Sandbox): number => asked(sandbox, 'POST', /\/export$/);
const importPosts = (sandbox: Sandbox): number => asked(sandbox, 'POST', /\/projects\/import$/);

async function backupSite(options: Parameters<typeof openTestSandbox>[0] = {}) {
  const source = await openTestSandbox({ projectCount: 1, ...options });
  const site = new Site();
  await site.know('source', source);
  const project = source.state.paths[0] ?? '';
  return { source, site, project, backup: ['backup', '--instance', 'source', project] };
}

async function importSite(options: Parameters<typeof openTestSandbox>[0] = {}) {
  const { site, backup, project } = await backupSite();
  await site.succeed(...backup);
  const target = await openTestSandbox(options);
  await site.know('target', target);
  const [archive = ''] = storedTruth(site.dataDir).archives;
  const namespace = project.split('/').slice(0, -1).join('/');
  const where = ['--instance', 'target', '--namespace', namespace, '--path', 'copy'];
  return { target, site, copy: `${namespace}/copy`, command: ['import', 'file', archive, ...where] };
}

describe('a backup that is killed', () => {
  it('in the middle of the download leaves nothing under the final name and goes on when started again', async () => {
    const { source, site, backup } = await backupSite();
    source.faults.add({
      match: { path: 'export/download', nth: 1 },
      action: { kind: 'stall', afterBytes: 2_000 },
    });
    const first = site.cli(...backup);
    await expect.poll(() => site.parts, poll).toHaveLength(1);
    await first.kill();
    const torn = storedTruth(site.dataDir);
    expect(torn).toMatchObject({ archives: [], jobs: [{ step: 'store', state: { status: 'running' } }] });
    expect(torn.parts).toHaveLength(1);

    await site.succeed(...backup);
    const whole = storedTruth(site.dataDir);
    expect(whole).toMatchObject({ parts: [], trash: [], jobs: [{ state: { status: 'succeeded' } }] });
    expect(whole.archives).toHaveLength(1);
    expect(exportPosts(source)).toBe(1);
  });

  it('after the request arrived and before its answer did does not ask for another export', async () => {
    const { source, site, backup } = await backupSite();
    source.faults.add({
      match: { method: 'POST', path: '/export$', nth: 1 },
      action: { kind: 'stall', afterBytes: 0 },
    });
    const first = site.cli(...backup);
    await expect.poll(() => exportPosts(source), poll).toBe(1);
    await first.kill();
    await site.succeed(...backup);
    expect(exportPosts(source)).toBe(1);
    expect(storedTruth(site.dataDir)).toMatchObject({ jobs: [{ state: { status: 'succeeded' } }] });
  });

  it('before the request arrived asks for the export again, once', async () => {
    const { source, site, backup } = await backupSite();
    source.faults.add({
      match: { method: 'POST', path: '/export$', nth: 1 },
      action: { kind: 'delay', ms: 300 },
    });
    const first = site.cli(...backup);
    await expect.poll(() => exportPosts(source), poll).toBe(1);
    await first.kill();
    await site.succeed(...backup);
    expect(exportPosts(source)).toBe(2);
    expect(storedTruth(site.dataDir).archives).toHaveLength(1);
  });
});

describe('an import that is killed', () => {
  it('while the instance imports goes on waiting for the same project', async () => {
    const { target, site, copy, command } = await importSite({ speed: { importStartedMs: 1_500 } });
    const first = site.cli(...command);
    await expect.poll(() => asked(target, 'GET', /\/projects\/\d+\/import$/), poll).toBeGreaterThan(1);
    await first.kill();
    await site.succeed(...command);
    expect(importPosts(target)).toBe(1);
    expect(target.state.paths).toEqual([copy]);
    expect(await target.state.project(copy)).toMatchObject({ importStatus: 'finished' });
  });

  it('after the upload and before the project is made adopts the project', async () => {
    const { target, site, copy, command } = await importSite();
    target.faults.add({ match: { method: 'POST', nth: 1 }, action: { kind: 'delay-import', ms: 300 } });
    const first = site.cli(...command);
    await expect.poll(() => importPosts(target), poll).toBe(1);
    await first.kill();
    await site.succeed(...command);
    expect(target.state.paths).toEqual([copy]);
  });

  it('after the project was made and before the answer came adopts the project', async () => {
    const { target, site, copy, command } = await importSite();
    target.faults.add({ match: { method: 'POST', nth: 1 }, action: { kind: 'stall', afterBytes: 0 } });
    const first = site.cli(...command);
    await expect.poll(() => target.state.paths, poll).toEqual([copy]);
    await first.kill();
    await site.succeed(...command);
    expect(importPosts(target)).toBe(1);
    expect(target.state.paths).toEqual([copy]);
  });

  it('before the instance took the upload sends it again', async () => {
    const { target, site, copy, command } = await importSite();
    target.faults.add({ match: { method: 'POST', nth: 1 }, action: { kind: 'reset' } });
    const first = site.cli(...command);
    await expect.poll(() => importPosts(target), poll).toBe(1);
    await first.kill();
    await site.succeed(...command);
    expect(importPosts(target)).toBe(2);
    expect(target.state.paths).toEqual([copy]);
  });
});

it('killed again and again at any moment, a move of three projects loses, doubles and breaks nothing', async () => {
  const seed = Number(process.env['PACKHORSE_SEED'] ?? 1);
  const pick = seeded(seed);
  const source = await openTestSandbox({ projectCount: 3, seed: 3 });
  const target = await openTestSandbox({ speed: { importStartedMs: 60 } });
  const site = new Site();
  await site.know('source', source);
  await site.know('target', target);
  const told = `seed ${seed} (PACKHORSE_SEED)`;

  let killed = 0;
  const ledger = new BackupLedger(site.dataDir);
  /** Kills the command `kills` times, each time after some more requests; then lets it end. */
  const survive = (sandbox: Sandbox, kills: number, most: number, ...args: string[]) =>
    restartUntilDone({
      start: () => site.cli(...args),
      kills,
      async moment(process) {
        const enough = sandbox.requests.length + 1 + pick(most);
        await expect.poll(() => sandbox.requests.length >= enough || !process.running, poll).toBe(true);
      },
      killed() {
        killed += 1;
        ledger.look();
      },
    });

  const projects = source.state.paths;
  // Four times at most: a step that is killed five times in a row waits before it is tried again.
  for (let round = 0; round < 2; round += 1) {
    expect(await survive(source, 4, 40, 'backup', '--instance', 'source', ...projects), told).toBe(0);
    // If nothing had been exported before, nothing was requested twice.
    const { jobs, manifests } = storedTruth(site.dataDir);
    for (const { project } of manifests) {
      if (jobs.filter((job) => job.project === project.fullPath).length > 1) continue;
      expect(asked(source, 'POST', new RegExp(`/projects/${project.id}/export$`)), told).toBe(1);
    }
  }
  const stored = storedTruth(site.dataDir);
  expect(stored.parts, told).toEqual([]);
  expect(
    stored.jobs.map((job) => job.state).filter((state) => state.status !== 'succeeded'),
    told,
  ).toEqual([]);
  expect(stored.archives.length, told).toBe(stored.jobs.length);
  expect(new Set(stored.manifests.map((manifest) => manifest.jobId)).size, told).toBe(stored.jobs.length);

  for (const project of projects) {
    const at = stored.manifests.findIndex((manifest) => manifest.project.fullPath === project);
    const [, ...path] = project.split('/');
    const namespace = project.slice(0, project.lastIndexOf('/'));
    const where = ['--instance', 'target', '--namespace', namespace, '--path', path.at(-1) ?? ''];
    await survive(target, 4, 12, 'import', 'file', stored.archives[at] ?? '', ...where);
    expect(
      target.state.paths.filter((path) => path === project),
      told,
    ).toHaveLength(1);
    expect(await target.state.project(project), told).toMatchObject({ importStatus: 'finished' });
  }
  expect(target.state.paths.toSorted(), told).toEqual(projects.toSorted());
  const imports = storedTruth(site.dataDir).jobs.filter((job) => job.kind === 'import');
  for (const project of projects) {
    const ends = imports.filter((job) => job.project === project).map((job) => job.state.status);
    expect(
      ends.filter((status) => status === 'succeeded'),
      told,
    ).toHaveLength(1);
  }
  expect(ledger.settle(), told).toEqual({ lost: [], doubled: [], orphaned: [] });
  expect(killed, told).toBeGreaterThan(8);
});
