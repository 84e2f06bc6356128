/**
 * @file Stands in for the child process that asks keytar: the account `hang` is never answered, `crash` ends the process,
 * `start` tells how the process was started, any other gives the id of the process.
 */
import type { KeychainRequest } from '../../../src-main/platform/keychain-child-process.ts';

process.on('message', ({ id, account: [, account] }: KeychainRequest) => {
  if (account === 'crash') process.exit(1);
  if (account === 'hang') return;
  const value = account === 'start' ? JSON.stringify([process.argv, process.env]) : String(process.pid);
  process.send?.({ id, value });
});
