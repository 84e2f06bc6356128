/** @file One process of the independent verifier, which all tests of a worker share. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Difference } from './disagreements.ts';

const script = join(import.meta.dirname, 'verify.py');

interface Verifier {
  child: ChildProcessByStdio<Writable, Readable, null>;
  replies: Interface;
  /** Resolves with null when the process has ended. */
  ended: Promise<null>;
}

let verifier: Verifier | null = null;
let lastReply: Promise<unknown> = Promise.resolve();

/** Sends the request, which contains tokens, to the standard input. Throws if the verifier fails. */
export function runVerifier(request: object): Promise<Difference[][]> {
  const reply = lastReply.then(async () => {
    const { child, replies, ended } = (verifier ??= startVerifier());
    keepAlive(child, true);
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const line = await Promise.race([once(replies, 'line') as Promise<[string]>, ended]);
    keepAlive(child, false);
    if (line !== null) return JSON.parse(line[0]) as Difference[][];
    verifier = null;
    throw new Error('The verifier ended without a reply. Its standard error has the cause.');
  });
  lastReply = reply.catch(() => undefined);
  return reply;
}

function startVerifier(): Verifier {
  const child = spawn('python3', ['-B', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(() => null);
  return { child, replies: createInterface(child.stdout), ended };
}

/** A verifier without a request must not keep the process of the tests alive. */
function keepAlive(child: Verifier['child'], isNeeded: boolean): void {
  for (const handle of [child, child.stdin as Socket, child.stdout as Socket])
    if (isNeeded) handle.ref();
    else handle.unref();
}
