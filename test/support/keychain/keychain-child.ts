/**
 * @file A program for `keychain-session.ts`: handles calls with the real keychain, one line of JSON each way. The
 * program gets no tokens in environment variables, so that only the keychain is used. `keychain-child.ts <speed>`: its
 * clock runs `speed` times faster than the real one.
 */
import { createInterface } from 'node:readline';
import { systemClock } from '../../../src-main/platform/clock.ts';
import type { Clock } from '../../../src-main/platform/clock.ts';
import { createCredentials } from '../../../src-main/platform/credentials.ts';
import { runKeychainCall } from './keychain-calls.ts';
import type { KeychainCall } from './keychain-calls.ts';

const speed = Number(process.argv[2]);
const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / speed, signal) };
const credentials = createCredentials({ env: {}, clock });

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await runKeychainCall(credentials, JSON.parse(line) as KeychainCall);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
