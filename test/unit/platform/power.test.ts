import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sharedPower, systemPower } from '../../../src-main/platform/power.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the machine is kept awake once, from the first who wants it to the last', () => {
  const told: string[] = [];
  const power = sharedPower(() => {
    told.push('start');
    return () => told.push('stop');
  });
  const first = power.keepAwake();
  const second = power.keepAwake();
  first();
  first();
  expect(told).toEqual(['start']);
  second();
  expect(told).toEqual(['start', 'stop']);
  power.keepAwake()();
  expect(told).toEqual(['start', 'stop', 'start', 'stop']);
});

describe.skipIf(process.platform === 'win32')('the command of the system', () => {
  const poll = { interval: 5, timeout: 10_000 };

  /** A folder with a stand-in for the command, which runs what it is told to as the command does. */
  function standIn() {
    const folder = temporaryFolder();
    const program = join(folder, 'systemd-inhibit');
    // It finds no other program.
    writeFileSync(
      program,
      `#!/bin/sh\nprintf '%s\\n' "$@" > ${program}.args\necho "$$" > ${program}.pid\nexec /bin/cat\n`,
    );
    chmodSync(program, 0o700);
    const pid = () => (existsSync(`${program}.pid`) ? readFileSync(`${program}.pid`, 'utf8').trim() : '');
    const runs = () => {
      try {
        return process.kill(Number(pid()), 0);
      } catch {
        return false;
      }
    };
    return { env: { PATH: folder }, program, begun: () => pid() !== '', runs };
  }

  test('runs as long as somebody wants it, with nothing of our environment but where programs are', async () => {
    const { env, program, begun, runs } = standIn();
    const letSleep = systemPower('linux', env).keepAwake();
    await expect.poll(begun, poll).toBe(true);
    expect(runs()).toBe(true);
    expect(readFileSync(`${program}.args`, 'utf8')).toMatch(/^--what=idle:sleep\n[^]*\ncat\n$/);
    letSleep();
    await expect.poll(runs, poll).toBe(false);
  });

  test('ends with the process that wanted it, also when that is killed', async () => {
    const { env, begun, runs } = standIn();
    const power = new URL('../../../src-main/platform/power.ts', import.meta.url).href;
    const script = `const { systemPower } = await import(${JSON.stringify(power)});
      systemPower('linux', ${JSON.stringify(env)}).keepAwake();
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(begun, poll).toBe(true);
    expect(runs()).toBe(true);
    child.kill('SIGKILL');
    await expect.poll(runs, poll).toBe(false);
  });

  test('is done without where there is none', async () => {
    const letSleep = systemPower('linux', { PATH: temporaryFolder() }).keepAwake();
    // The failure of the command comes later than its start.
    await new Promise((resolve) => setImmediate(resolve));
    letSleep();
    systemPower('win32', {}).keepAwake()();
  });
});
