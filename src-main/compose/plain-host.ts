/** @file The actions of a host that can only show text. Refuses all of them. */
import { AppError } from '../../src-contract/errors.ts';
import type { HostActions } from '../bridge/host/host-port.ts';

function refuse(action: string): Promise<never> {
  return Promise.reject(new AppError('host-cannot', `The command line cannot ${action}.`));
}

/** The host actions of the command line. Hosts with more capabilities pass their own to `composeApp`. */
export const plainHost: HostActions = {
  capabilities: {
    host: 'command-line',
    choosePath: false,
    reveal: false,
    openLink: false,
    tray: false,
    notify: false,
    startAtLogin: false,
  },
  choosePath: () => refuse('show a file dialog'),
  reveal: () => refuse('open a file manager'),
  openLink: () => refuse('open a page'),
};
