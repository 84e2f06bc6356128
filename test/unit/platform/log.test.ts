import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openLog } from '../../../src-main/platform/log.ts';
import { registerSecret } from '../../../src-main/platform/redact.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
const clock = new SteppedClock(Date.UTC(2026, 10, 20, 12));
beforeEach(() => {
  folder = join(temporaryFolder(), 'logs');
});
const linesOf = (name = 'packhorse.log') =>
  readFileSync(join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('a log line contains the time, the process id, the message and the error with its cause', () => {
  const log = openLog({ folder, clock });
  const cause = new Error('socket hang up');
  log.error(
    { err: new AppError('timeout', 'too slow', { cause, details: { after: 5 } }) },
    'a request failed',
  );
  log.debug('not at this level');
  log.close();
  log.info('after the end');
  expect(linesOf()).toEqual([
    expect.objectContaining({
      time: '2026-11-20T12:00:00.000Z',
      pid: process.pid,
      msg: 'a request failed',
      err: expect.objectContaining({
        code: 'timeout',
        details: { after: 5 },
        stack: expect.stringContaining('socket hang up') as unknown,
      }) as unknown,
    }),
  ]);
  if (process.platform !== 'win32') {
    expect([statSync(folder).mode & 0o777, statSync(join(folder, 'packhorse.log')).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
  }
});

test('no secret is written to the file, whatever part of a line contains it, and every line is still JSON', () => {
  const secret = 'q"w\\e-0123456789';
  registerSecret(secret);
  const log = openLog({ folder, clock });
  log.info(
    {
      headers: { 'PRIVATE-TOKEN': 'unknown-secret' },
      [secret]: secret,
      deep: [{ url: `https://a:${secret}@b/` }],
    },
    secret,
  );
  log.error(new Error(`with ${secret}`, { cause: { secret } }));
  log.close();
  const text = readFileSync(join(folder, 'packhorse.log'), 'utf8');
  expect(text).not.toMatch(/0123456789|unknown-secret/);
  expect(linesOf()).toHaveLength(2);
});

test('full log files are rotated and the oldest is deleted, so that the total size is limited', () => {
  const log = openLog({ folder, clock, maxBytes: 1_000 });
  for (let number = 0; number < 200; number++)
    log.info({ number }, 'a line of some length, to fill the file');
  log.close();
  const names = readdirSync(folder).sort();
  expect(names).toEqual(['packhorse.log', ...[1, 2, 3, 4].map((number) => `packhorse.log.${number}`)]);
  for (const name of names) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1_000);
  expect(linesOf().at(-1)).toMatchObject({ number: 199 });
  const first = Number(linesOf()[0]?.['number']);
  expect(linesOf('packhorse.log.1').at(-1)).toMatchObject({ number: first - 1 });
});

test('a log appends to the file of the last process', () => {
  for (const text of ['first', 'second']) {
    const log = openLog({ folder, clock });
    log.info(text);
    log.close();
  }
  expect(linesOf().map(({ msg }) => msg)).toEqual(['first', 'second']);
});

test('a log folder that cannot be created causes no error, and no log is written', () => {
  writeFileSync(folder, 'a file in its place');
  const log = openLog({ folder, clock });
  log.info('nobody reads this');
  log.close();
  expect(readFileSync(folder, 'utf8')).toBe('a file in its place');
});
