/**
 * @file Replaces the child process that calls keytar. The account `hang` never gets a reply, and `crash` ends the
 * process. The account `start` returns how the process was started, and any other account returns the process ID.
 */
import type { KeychainRequest } from '../../../src-main/platform/keychain-child-process.ts';

process.on('message', ({ id, entry: [, account] }: KeychainRequest) => {
  if (account === 'crash') process.exit(1);
  if (account === 'hang') return;
  const value = account === 'start' ? JSON.stringify([process.argv, process.env]) : String(process.pid);
  process.send?.({ id, value });
});
