import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isAlive, ownIdentity } from '../../../src-main/platform/process-identity.ts';
import { newId } from '../../../src-main/platform/ids.ts';

test('the own process always has the same identity, and is never reported as ended', () => {
  const self = ownIdentity();
  expect(self).toEqual(ownIdentity());
  expect(self).toMatchObject({ pid: process.pid, bootId: expect.stringMatching(/.{5}/) as unknown });
  expect(isAlive(self.pid, self.startedAt)).not.toBe(false);
});

test('a process that ended is not alive', async () => {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  await once(child, 'exit');
  expect(isAlive(pid, '1')).toBe(false);
  expect(isAlive(pid, '')).toBe(false);
});

test.skipIf(process.platform !== 'linux')('a process with a reused id is not the earlier process', () => {
  const { pid, startedAt } = ownIdentity();
  expect(startedAt).toMatch(/^\d+$/);
  expect(isAlive(pid, startedAt)).toBe(true);
  expect(isAlive(pid, String(Number(startedAt) - 1))).toBe(false);
});

test.skipIf(process.platform !== 'linux')(
  'a process that ended is not alive, even if its parent has not yet read its exit status',
  async () => {
    // `exec` replaces the shell by a program that does not know the shell's children.
    const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      parent.kill('SIGKILL');
    });
    const pid = Number(String(((await once(parent.stdout, 'data')) as [Buffer])[0]));
    const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
    await vi.waitUntil(() => stat()[2] === 'Z');
    expect(isAlive(pid, stat()[21] ?? '')).toBe(false);
  },
);

test('a process id without a start time does not show whether the id was reused', () => {
  expect(isAlive(process.pid, '')).toBeNull();
});

test('ids sort by time, and always increase, even if the clock is set back', () => {
  const at = Date.UTC(2090, 0);
  const ids = [newId(at), newId(at), newId(at + 1), newId(at - 3_600_000)];
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[0-9a-v]{16}$/);
});
