/**
 * @file A connection to a server that a test can cut: data in transit is lost, and nothing passes until it is restored.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Relay {
  url: string;
  /** Sets the target from now on: a port of this machine. */
  setTarget(port: number): void;
  /** How often bytes were passed to the server so far. */
  readonly sent: number;
  cut(): void;
  restore(): void;
}

/** Runs until the test ends. */
export async function openRelay(): Promise<Relay> {
  const sockets = new Set<Socket>();
  const state = { port: 0, isCut: false, sent: 0 };
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (state.isCut) {
      near.destroy();
      return;
    }
    const far = keep(connect(state.port, '127.0.0.1'));
    near.on('data', () => (state.sent += 1));
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const cut = (): void => {
    state.isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    cut();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setTarget: (port) => {
      state.port = port;
    },
    get sent() {
      return state.sent;
    },
    cut,
    restore: () => {
      state.isCut = false;
    },
  };
}
