import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sharedPower, systemPower } from '../../../src-main/platform/power.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the machine is kept awake once, from the first request until ten seconds after the last one has ended', async () => {
  const clock = new SteppedClock();
  const calls: string[] = [];
  const power = sharedPower(() => {
    calls.push('start');
    return () => calls.push('stop');
  }, clock);
  const first = power.keepAwake();
  const second = power.keepAwake();
  first();
  first();
  await clock.advance(60_000);
  expect(calls).toEqual(['start']);

  second();
  await clock.advance(9_999);
  const third = power.keepAwake();
  await clock.advance(60_000);
  expect(calls).toEqual(['start']);

  third();
  await clock.advance(10_000);
  expect(calls).toEqual(['start', 'stop']);
  power.keepAwake()();
  await clock.advance(10_000);
  expect(calls).toEqual(['start', 'stop', 'start', 'stop']);
});

describe.skipIf(process.platform === 'win32').each([
  {
    platform: 'linux',
    program: 'systemd-inhibit',
    expectedArgs: () => [
      '--what=idle:sleep',
      '--who=Packhorse',
      '--why=Archives are being transferred',
      'cat',
    ],
    // Runs its arguments, like the real command.
    body: 'exec /bin/cat',
  },
  {
    platform: 'darwin',
    program: 'caffeinate',
    expectedArgs: (pid: number) => ['-i', '-w', String(pid)],
    // Runs as long as the given process, like the real command.
    body: 'while kill -0 "$3"; do /bin/sleep 0.02; done',
  },
] as const)('$program', ({ platform, program: name, expectedArgs, body }) => {
  const poll = { interval: 5, timeout: 10_000 };

  /** Creates a folder with a replacement of the command. The replacement records its arguments, environment and process id. */
  function standIn() {
    const folder = temporaryFolder();
    const program = join(folder, name);
    const recorded = (what: string) =>
      existsSync(`${program}.${what}`) ? readFileSync(`${program}.${what}`, 'utf8').trim() : '';
    writeFileSync(
      program,
      `#!/bin/sh\nprintf '%s\\n' "$@" > ${program}.args\n/usr/bin/env > ${program}.env\n` +
        `echo "$$" >> ${program}.pid\n${body}\n`,
    );
    chmodSync(program, 0o700);
    const isRunning = () => {
      try {
        return process.kill(Number(recorded('pid')), 0);
      } catch {
        return false;
      }
    };
    return { env: { PATH: folder, PACKHORSE_TOKEN_GL: 'glpat-secret' }, recorded, isRunning };
  }

  const hasStarted = (recorded: (what: string) => string) =>
    expect.poll(() => recorded('pid'), poll).not.toBe('');

  test('runs with its exact arguments while it is requested, and gets only the PATH of our environment', async () => {
    const { env, recorded, isRunning } = standIn();
    const clock = new SteppedClock();
    const letSleep = systemPower(platform, env, clock).keepAwake();
    await hasStarted(recorded);
    expect(recorded('args').split('\n')).toEqual(expectedArgs(process.pid));
    // The shell of the replacement and macOS add variables of their own.
    const added = /^(PWD|OLDPWD|SHLVL|_|__CF_USER_TEXT_ENCODING)=/;
    const given = recorded('env').split('\n');
    expect(given.filter((line) => !added.test(line))).toEqual([`PATH=${env.PATH}`]);
    expect(isRunning()).toBe(true);
    letSleep();
    await clock.advance(10_000);
    await expect.poll(isRunning, poll).toBe(false);
  });

  /** Starts a process that keeps the machine awake and then runs `then`. */
  function startRequester(env: Record<string, string>, then: string) {
    const power = new URL('../../../src-main/platform/power.ts', import.meta.url).href;
    const script = `const { systemPower } = await import(${JSON.stringify(power)});
      // A timer that never fires keeps the machine awake for ever.
      const clock = { timer: () => () => undefined };
      const letSleep = systemPower('${platform}', ${JSON.stringify(env)}, clock).keepAwake();
      ${then}`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  test('ends with the process that requested it, even if that process is killed', async () => {
    const { env, recorded, isRunning } = standIn();
    const child = startRequester(env, 'setInterval(() => undefined, 1000);');
    await hasStarted(recorded);
    expect(recorded('args').split('\n')).toEqual(expectedArgs(child.pid ?? 0));
    expect(isRunning()).toBe(true);
    child.kill('SIGKILL');
    await expect.poll(isRunning, poll).toBe(false);
  });

  test('does not keep the process that requested it from ending', async () => {
    const { env, recorded, isRunning } = standIn();
    const child = startRequester(
      env,
      `const { existsSync } = await import('node:fs');
       while (!existsSync(${JSON.stringify(`${join(env.PATH, name)}.pid`)})) await new Promise((look) => setTimeout(look, 5));
       letSleep();`,
    );
    await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    expect(recorded('pid')).not.toBe('');
    await expect.poll(isRunning, poll).toBe(false);
  });
});

test('a missing command is tried only once and causes no error', async () => {
  const clock = new SteppedClock();
  const folder = temporaryFolder();
  const power = systemPower('linux', { PATH: folder }, clock);
  const letSleep = power.keepAwake();
  // The error of the missing command arrives later.
  await new Promise((resolve) => setImmediate(resolve));
  letSleep();
  await clock.advance(10_000);
  for (const name of ['systemd-inhibit', 'caffeinate']) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho tried > ${join(folder, name)}.tried\n`);
    chmodSync(join(folder, name), 0o700);
  }
  power.keepAwake();
  systemPower('darwin', { PATH: folder }, clock).keepAwake();
  const tried = () => readdirSync(folder).filter((name) => name.endsWith('.tried'));
  await expect.poll(tried, { interval: 5, timeout: 10_000 }).toEqual(['caffeinate.tried']);
  systemPower('win32', {}).keepAwake()();
});
