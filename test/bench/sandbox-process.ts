/** @file A sandbox of the built product in its own process, so that the measured code does not share its event loop. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { commandLine } from './measuring.ts';

export interface SandboxProcess {
  url: string;
  /** The token of a user who is Maintainer everywhere and no administrator. */
  token: string;
  tokens: { administrator: string };
}

/**
 * @param options Options of `packhorse sandbox`.
 * @param collector Options of Node for the server's garbage collector. By default, V8 marks the whole heap again for
 * every 64 MB of a body, on the same processors as the client.
 */
export async function withSandbox<T>(
  options: string[],
  measure: (sandbox: SandboxProcess) => T | Promise<T>,
  collector: string[] = [],
): Promise<T> {
  const server = spawn(process.execPath, [...collector, commandLine, 'sandbox', '--json', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const { url, tokens } = JSON.parse(line) as {
      url: string;
      tokens: { administrator: string; maintainer: string };
    };
    return await measure({ url, token: tokens.maintainer, tokens });
  } finally {
    server.kill();
    await once(server, 'close');
  }
}
