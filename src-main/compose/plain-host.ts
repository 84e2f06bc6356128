/** @file The host port of a host that can only show text. Refuses all other actions. */
import { AppError } from '../../src-contract/errors.ts';
import type { HostPort } from '../bridge/host/host-port.ts';

function cannot(what: string): Promise<never> {
  return Promise.reject(new AppError('host-cannot', `The command line cannot ${what}.`));
}

/** The port of the command line. Hosts with more capabilities pass another port to `composeApp`. */
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
  choosePath: () => cannot('show a file dialog'),
  reveal: () => cannot('open a file manager'),
  openLink: () => cannot('open a page'),
};
