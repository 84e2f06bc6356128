/** @file The host port of a host that can only show text: every action beyond that is refused. */
import { AppError } from '../../src-contract/errors.ts';
import type { HostPort } from '../bridge/host/host-port.ts';

function cannot(what: string): Promise<never> {
  return Promise.reject(new AppError('host-cannot', `The command line cannot ${what}.`));
}

/** For the command line; hosts that can do more pass another port to `composeApp`. */
export const plainHost: HostPort = {
  capabilities: {
    host: 'command-line',
    choosePath: false,
    reveal: false,
    openLink: false,
    tray: false,
    notify: false,
    startAtLogin: false,
  },
  choosePath: () => cannot('ask for a file'),
  reveal: () => cannot('show a file manager'),
  openLink: () => cannot('open a page'),
};
