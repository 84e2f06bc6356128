/** @file Programs of the user: how they end, which part of their output is kept, and that no process remains. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { runProgram, type ProgramEnd } from '../../../src-main/platform/program.ts';
import { registerSecret } from '../../../src-main/platform/redact.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Runs a script with the shell. */
function shell(
  script: string,
  { timeLimitMs = 20_000, signal = new AbortController().signal, env = {} } = {},
): Promise<ProgramEnd> {
  const program = join(folder, 'hook.sh');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o700);
  const environment = { PATH: '/usr/bin:/bin', ...env };
  return runProgram(
    { program, arguments: ['one two', '$HOME; `id`'], environment, timeLimitMs },
    systemClock,
    signal,
  );
}

/** Returns whether the process with that id is still active. */
function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
}

async function fileOf(name: string): Promise<string> {
  const path = join(folder, name);
  while (!existsSync(path) || readFileSync(path, 'utf8').trim() === '') await systemClock.sleep(20);
  return readFileSync(path, 'utf8').trim();
}

describe('a program', () => {
  test.each([
    ['exit 0', { kind: 'exited', code: 0 }],
    ['exit 3', { kind: 'exited', code: 3 }],
    ['kill -9 $$', { kind: 'killed', signal: 'SIGKILL' }],
  ])('that runs "%s" is reported with its exit code or signal', async (script, end) => {
    expect(await shell(script)).toMatchObject(end);
  });

  test('gets its arguments unchanged, an empty input, and only the environment of the call', async () => {
    const { output } = await shell(
      'printf "%s|" "$@"; echo; cat; env | grep -v -E "^(PWD|SHLVL|_|OLDPWD)=" | sort',
      {
        env: { PACKHORSE_RUN: 'r1' },
      },
    );
    expect(output).toBe('one two|$HOME; `id`|\nPACKHORSE_RUN=r1\nPATH=/usr/bin:/bin\n');
  });

  test.each([
    ['/no/such/program', 'ENOENT'],
    ['/etc/passwd', 'EACCES'],
    ['/bin/sh\0x', 'invalid'],
  ])('that cannot be started, %j, is reported as such, and not as failed', async (program, code) => {
    const call = { program, arguments: [], environment: {}, timeLimitMs: 1_000 };
    const end = await runProgram(call, systemClock, new AbortController().signal);
    expect(end).toMatchObject({ kind: 'failed-to-start', code });
  });

  test('that leaves a process with open outputs is reported without waiting for that process', async () => {
    const end = await shell(`sleep 30 & echo $! > ${folder}/left; echo there`);
    expect(end).toMatchObject({ kind: 'exited', code: 0, output: 'there\n' });
    process.kill(Number(await fileOf('left')), 'SIGKILL');
  }, 10_000);
});

describe('stopping a program', () => {
  test('at its time limit kills the whole process group, even a process that ignores SIGTERM', async () => {
    const end = await shell(
      `(trap '' TERM; echo $$ > ${folder}/x; sh -c 'trap "" TERM; echo $$ > ${folder}/grandchild; while :; do sleep 1; done') &\n` +
        `echo begun; wait; sleep 60`,
      { timeLimitMs: 800 },
    );
    expect(end).toMatchObject({ kind: 'timed-out', output: 'begun\n' });
    expect(isRunning(Number(await fileOf('grandchild')))).toBe(false);
  }, 20_000);

  test('by a cancel kills the process group too, and rejects with the reason of the cancel', async () => {
    const cancel = new AbortController();
    const running = shell(
      `echo $$ > ${folder}/program; (sleep 60 & echo $! > ${folder}/grandchild; wait) & echo $! > ${folder}/child; wait`,
      { signal: cancel.signal },
    );
    const group = await Promise.all(['program', 'child', 'grandchild'].map(fileOf));
    const runs = () => group.map((pid) => isRunning(Number(pid)));
    expect(runs()).toEqual([true, true, true]);
    cancel.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    expect(runs()).toEqual([false, false, false]);
  }, 20_000);
});

describe('the output', () => {
  test('contains the last 4 KiB of each stream', async () => {
    const { output } = await shell(
      'i=0; while [ $i -lt 3000 ]; do echo "line $i"; echo "fault $i" >&2; i=$((i+1)); done',
    );
    const [, lines = '', faults = ''] = /^… ([^]*line 2999\n)… ([^]*fault 2999\n)$/.exec(output) ?? [];
    expect([lines.length, faults.length]).toEqual([4_096, 4_096]);
  });

  test('hides secrets, even one that the beginning of the output cuts in two', async () => {
    const secret = `s3cr3t${'q'.repeat(40)}wxyz`;
    registerSecret(secret);
    expect(
      (await shell(`echo ${secret} glpat-abcdefghijklmnop; printf '\\033[31mred\\033[0m\\n'`)).output,
    ).toBe('*** ***\nred\n');
    for (let before = 5_070; before < 5_120; before += 7) {
      const filler = 'a b '.repeat(2_000).slice(0, before);
      const { output } = await shell(`printf '%s' '${secret} ${filler}'`);
      expect(output).not.toMatch(/q{3}|wxyz/);
    }
  });
});
