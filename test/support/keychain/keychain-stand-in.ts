/**
 * @file Replaces the child process that calls keytar: the account `hang` never gets a reply, `crash` ends the process,
 * `start` returns how the process was started, any other returns the id of the process.
 */
import type { KeychainRequest } from '../../../src-main/platform/keychain-child-process.ts';

process.on('message', ({ id, account: [, account] }: KeychainRequest) => {
  if (account === 'crash') process.exit(1);
  if (account === 'hang') return;
  const value = account === 'start' ? JSON.stringify([process.argv, process.env]) : String(process.pid);
  process.send?.({ id, value });
});
