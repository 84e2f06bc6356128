/**
 * @file `WindowBridge` over a WebSocket to the origin of the page. Reconnects after a loss, and then notifies every
 * listener that events may have been lost.
 */
import {
  callNames,
  type CallName,
  type EventName,
  type WindowBridge,
} from '../../src-contract/call-names.ts';
import type { Result } from '../../src-contract/calls.ts';
import { AppError } from '../../src-contract/errors.ts';
import { uploadFile } from './upload.ts';

/** `open` if the app can be reached, and while the page connects for the first time. */
export type ConnectionState = 'open' | 'lost';

export interface WebSocketBridge extends WindowBridge {
  /** Calls the listener at once and on every change. Returns a function that unsubscribes. */
  onConnectionState(listener: (connection: ConnectionState) => void): () => void;
  /** Like `fileReference`; aborting `signal` cancels the upload. */
  upload: typeof uploadFile;
}

/** A frame from the host: the reply to a call, an event, or a keep-alive when there is nothing to send. */
type Frame = { id: string; result: unknown } | { event: EventName; payload: unknown } | { beat: true };

const maxFrameBytes = 1_000_000;
/** Delays in milliseconds before each reconnect; the last delay repeats. */
const retryDelays = [500, 1000, 2000, 4000, 8000, 15_000];
/** The host sends something at least every 20 s. */
const maxSilenceMs = 60_000;
/**
 * A reconnect does not notify the listeners of these events, because a missed event of these kinds is useless
 * later.
 */
const transientEvents: readonly EventName[] = ['call.progress', 'host.command'];

/** Connects at once. `pageLocation` is the page's own location. */
export function openWebSocketBridge(pageLocation: { protocol: string; host: string }): WebSocketBridge {
  const url = `${pageLocation.protocol === 'https:' ? 'wss' : 'ws'}://${pageLocation.host}/bridge`;
  const pending = new Map<string, (result: unknown) => void>();
  const listeners = new Map<EventName, Set<(payload: unknown) => void>>();
  const connectionListeners = new Set<(connection: ConnectionState) => void>();
  let connection: ConnectionState = 'open';
  let firstAttemptEnded = false;
  let failureCount = 0;
  let queuedFrames: string[] = [];
  let socket = connect();

  function connect(): WebSocket {
    const newSocket = new WebSocket(url);
    let lastMessageAt = performance.now();
    const silenceTimer = setInterval(() => {
      if (performance.now() - lastMessageAt > maxSilenceMs) onLost();
    }, maxSilenceMs / 4);
    // Closing may take long if the other side does not respond, so the loss is reported before the connection is
    // closed.
    const onLost = (): void => {
      clearInterval(silenceTimer);
      newSocket.onopen = newSocket.onmessage = newSocket.onclose = null;
      newSocket.close();
      handleConnectionLoss();
    };
    newSocket.onopen = () => {
      failureCount = 0;
      for (const frame of queuedFrames) newSocket.send(frame);
      queuedFrames = [];
      const isReconnect = firstAttemptEnded;
      firstAttemptEnded = true;
      setConnection('open');
      if (isReconnect) notifyEventsLost();
    };
    newSocket.onmessage = (message: MessageEvent<string>) => {
      lastMessageAt = performance.now();
      receive(JSON.parse(message.data) as Frame);
    };
    newSocket.onclose = onLost;
    return newSocket;
  }

  function handleConnectionLoss(): void {
    firstAttemptEnded = true;
    queuedFrames = [];
    const resolvers = [...pending.values()];
    pending.clear();
    for (const resolve of resolvers) resolve(disconnectedResult());
    setConnection('lost');
    const delay = retryDelays[Math.min(failureCount, retryDelays.length - 1)];
    failureCount += 1;
    const reconnect = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', reconnect);
      document.removeEventListener('visibilitychange', reconnect);
      socket = connect();
    };
    const timer = setTimeout(reconnect, delay);
    // A page that was hidden, or a machine that slept, reconnects without waiting for its delay.
    window.addEventListener('online', reconnect);
    document.addEventListener('visibilitychange', reconnect);
  }

  function setConnection(next: ConnectionState): void {
    if (connection === next) return;
    connection = next;
    for (const listener of [...connectionListeners]) listener(next);
  }

  function notifyEventsLost(): void {
    for (const [name, eventListeners] of listeners) {
      if (transientEvents.includes(name)) continue;
      for (const listener of [...eventListeners]) listener(null);
    }
  }

  function receive(frame: Frame): void {
    if ('id' in frame) {
      pending.get(frame.id)?.(frame.result);
      pending.delete(frame.id);
    } else if ('event' in frame) {
      for (const listener of [...(listeners.get(frame.event) ?? [])]) listener(frame.payload);
    }
  }

  function send(frame: string): void {
    if (socket.readyState === WebSocket.OPEN) socket.send(frame);
    else if (!firstAttemptEnded) queuedFrames.push(frame);
  }

  function call(name: CallName, request: unknown, id: string): Promise<unknown> {
    const frame = JSON.stringify({ call: name, id, request });
    if (new TextEncoder().encode(frame).byteLength > maxFrameBytes) {
      return Promise.resolve(failure(new AppError('invalid-input', 'The request is too large.')));
    }
    if (firstAttemptEnded && socket.readyState !== WebSocket.OPEN)
      return Promise.resolve(disconnectedResult());
    return new Promise((resolve) => {
      pending.set(id, resolve);
      send(frame);
    });
  }

  return {
    calls: Object.fromEntries(
      callNames.map((name) => [name, (request: unknown, id: string) => call(name, request, id)]),
    ) as WindowBridge['calls'],
    cancel: (id) => {
      if (pending.has(id)) send(JSON.stringify({ cancel: id }));
    },
    on: (event, listener) => {
      const eventListeners = listeners.get(event) ?? new Set();
      listeners.set(event, eventListeners.add(listener));
      return () => {
        eventListeners.delete(listener);
      };
    },
    onConnectionState: (listener) => {
      connectionListeners.add(listener);
      listener(connection);
      return () => {
        connectionListeners.delete(listener);
      };
    },
    fileReference: (file, onProgress) => uploadFile(file as File, onProgress),
    upload: uploadFile,
  };
}

const failure = (error: AppError): Result<never> => ({ ok: false, error: error.toData() });

const disconnectedResult = (): Result<never> =>
  failure(new AppError('page-disconnected', 'The connection to the host is lost.', { retry: 'later' }));
