/** @file Runs the operations with python-gitlab, an independent client; the sandbox's own log shows which were requested. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { KnownOperation } from '../../../src-contract/operations.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox } from '../../../src-main/sandbox/sandbox.ts';
import { operations } from '../../support/operations/operations.ts';
import { requirement } from '../../support/requirement.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const python = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import gitlab']).status === 0,
);
const script = join(import.meta.dirname, '../../support/servers/python_gitlab_walk.py');

/** Operations that the script makes fail on purpose. */
const refused = ['import-remote-file', 'import-from-s3'];

function isOf({ method, path }: KnownOperation, entry: { method: string; path: string }): boolean {
  const pattern = path.replace(/:\w+/g, '(?!self(?:/|$))[^/]+');
  return entry.method === method && new RegExp(`^/api/v4${pattern}$`).test(entry.path.split('?')[0] ?? '');
}

test.skipIf(requirement('python-gitlab', python !== undefined, 'apt-get install python3-gitlab'))(
  'python-gitlab runs every operation: imports, exports, tokens, uploads, pages and sudo',
  async () => {
    const sandbox = await startSandbox({ clock: systemClock, projectCount: 7 });
    onTestFinished(() => sandbox.close());
    const args = [script, sandbox.url, sandbox.tokens.administrator, temporaryFolder()];
    const walk = spawn(python ?? '', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let errorOutput = '';
    walk.stderr.on('data', (text: Buffer) => (errorOutput += text.toString()));
    const [code] = (await once(walk, 'close')) as [number | null];

    expect({ code, errorOutput }).toEqual({
      code: 0,
      errorOutput: expect.not.stringContaining('Error') as unknown,
    });
    const missed = operations.filter(
      (operation) =>
        !sandbox.requests.some(
          (entry) =>
            isOf(operation, entry) &&
            (refused.includes(operation.id) ||
              operation.successStatuses.some((status) => status === entry.status)),
        ),
    );
    expect(missed.map(({ id }) => id)).toEqual([]);
  },
);
