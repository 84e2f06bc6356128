/** @file The systemd unit in docs/daemon.md: its verification by systemd, and the use of the token by its command. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import { readStoredState } from '../../support/faults/stored-truth.ts';
import { Cli } from '../../support/processes/cli.ts';
import { compileCache } from '../../support/processes/compile-cache.ts';
import { requirement } from '../../support/requirement.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openTestSandbox } from '../../support/world.ts';

const repository = join(import.meta.dirname, '../../..');
const unit = /```ini\n(.*?)```/s.exec(readFileSync(join(repository, 'docs/daemon.md'), 'utf8'))?.[1] ?? '';
const analyze = '/usr/bin/systemd-analyze';
const noSystemd = requirement('systemd-analyze', existsSync(analyze), 'install systemd (Debian: systemd)');

/** Returns the values of a setting of the unit. */
const settings = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

test.skipIf(noSystemd)(
  'the unit passes the verification of systemd without a message, and confines the service',
  async () => {
    const file = join(temporaryFolder(), 'packhorse.service');
    writeFileSync(file, unit);
    const { stdout, stderr } = await promisify(execFile)(analyze, ['verify', '--man=no', file]);
    expect(stdout + stderr).toBe('');
    // The threshold is in tenths. From 20, systemd rates a service as MEDIUM or worse instead of OK.
    const threshold = ['security', '--offline=true', '--threshold=20', file];
    await expect(promisify(execFile)(analyze, threshold)).resolves.toMatchObject({ stderr: '' });
  },
);

const noProcesses = requirement('/proc', existsSync('/proc/self/cmdline'), 'run the tests on Linux');

test.skipIf(noProcesses)(
  'the service backs up with the token of the credential, which is in no argument and no output',
  async () => {
    const sandbox = await openTestSandbox({ projectCount: 1 });
    const cli = new Cli();
    await cli.add('work', sandbox);
    await cli.run(['plan', 'add', '--instance', 'work', '--daily', '02:30']);
    const stored = new SettingsStore(join(cli.dataDir, 'settings.json'), systemClock);
    await stored.change((before) => ({
      ...before,
      plans: before.plans.map((plan) => ({ ...plan, activeSince: '2020-01-01T00:00:00.000Z' })),
    }));
    const credentials = temporaryFolder();
    const token = sandbox.tokens.maintainer;
    writeFileSync(join(credentials, 'work'), `${token}\n`, { mode: 0o600 });
    expect(settings('LoadCredential')).toEqual(['work:/etc/packhorse/work.token']);
    expect(settings('Environment')).toEqual(['PACKHORSE_DATA_DIR=/var/lib/packhorse']);
    const command = /^\/bin\/sh -c '(.*)'$/.exec(settings('ExecStart')[0] ?? '')?.[1] ?? '';
    const daemon = spawn('/bin/sh', ['-c', command.replaceAll('/opt/packhorse', repository)], {
      env: {
        PATH: '/usr/bin:/bin',
        HOME: cli.home,
        CREDENTIALS_DIRECTORY: credentials,
        PACKHORSE_DATA_DIR: cli.dataDir,
        NODE_COMPILE_CACHE: compileCache,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => {
      daemon.kill('SIGKILL');
    });
    let output = '';
    for (const stream of [daemon.stdout, daemon.stderr])
      stream.on('data', (text: Buffer) => (output += String(text)));

    // The missed run of the plan takes place, which requires that token.
    await expect.poll(() => readStoredState(cli.dataDir).archives).toHaveLength(1);
    const called = readFileSync(`/proc/${daemon.pid ?? ''}/cmdline`, 'utf8').split('\0');
    expect(called).toContain('daemon');
    expect(called.join(' ')).not.toContain(token);

    daemon.kill('SIGTERM');
    const [code] = (await once(daemon, 'close')) as [number | null];
    expect(code).toBe(0);
    expect(output).not.toContain(token);
  },
);
