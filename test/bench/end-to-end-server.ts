/**
 * @file The instance of the end-to-end bench, in its own process. The program `end-to-end-server.ts FOLDER` seeds a
 * sandbox with the archives in that folder, and prints its URL and token as JSON. The program exits at the end of its
 * input.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../../src-main/sandbox/sandbox.ts';
import { systemClock } from '../../src-main/platform/clock.ts';

const folder = process.argv[2] ?? '';
const sandbox = await startSandbox({
  clock: systemClock,
  seedArchives: readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name)),
  // On a real server, a small export takes seconds. Five rounds of scripts that wait for each export would take an hour.
  speed: { exportPendingMs: 50, exportQueuedMs: 100, exportStartedMs: 300, exportClosingMs: 50 },
});
if (sandbox.skippedArchives.length > 0)
  throw new Error(`Not seeded: ${JSON.stringify(sandbox.skippedArchives)}`);
process.stdout.write(`${JSON.stringify({ url: sandbox.url, token: sandbox.tokens.maintainer })}\n`);
process.stdin.resume();
process.stdin.once('end', () => void sandbox.close());
