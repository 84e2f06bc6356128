/**
 * @file The transport of a page in a browser: JSON over one WebSocket. The reply to `{call, id, request}` is `{id,
 * result}`; `{cancel: id}` gets no reply. `{event, payload}` and `{beat}` are sent without a request. The server
 * decides who may connect.
 */
import type { Dispatch } from '../dispatch.ts';
import type { PathGrants } from '../archives/granted-paths.ts';
import { createWindowCalls, type CallsClock, type SendEvent } from './limits.ts';
import type { SharedLimits } from './shared-limits.ts';

/** The owner of the socket must refuse larger frames; a request of `maxRequestBytes` fits in one. */
export const maxFrameBytes = 1 << 20;

/** The interval of heartbeats. A page that sends no pong between two heartbeats is disconnected. */
const heartbeatIntervalMs = 20_000;
/** The limit for one page. A page that does not read its messages is disconnected at this size. */
const maxUnsentBytes = 8 << 20;
const frameCostBytes = 1024;
/** Close codes of RFC 6455. */
const policyViolationCode = 1008;
const goingAwayCode = 1001;

export interface PageSocket {
  /** `onSent` is called when the text has left this process, or when it can no longer be sent. */
  send(text: string, onSent: () => void): void;
  ping(): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: 'message', listener: (frame: unknown, isBinary: boolean) => void): unknown;
  on(event: 'pong' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/**
 * Serves one page until its socket closes; calls in progress are then aborted. The returned function closes the socket.
 */
export function servePage(
  socket: PageSocket,
  dispatch: Dispatch,
  subscribe: (listener: SendEvent) => () => void,
  clock: CallsClock,
  paths: PathGrants,
  shared: SharedLimits,
): () => void {
  let open = true;
  let hasPong = true;
  let unsentBytes = 0;

  /** A page that has read all earlier messages receives a reply of any size. */
  const sendFrame = (frame: unknown): void => {
    if (!open) return;
    const text = JSON.stringify(frame);
    const cost = text.length + frameCostBytes;
    const hasRoom = unsentBytes === 0 || unsentBytes + cost <= maxUnsentBytes;
    if (!hasRoom || (!shared.addUnsent(cost) && unsentBytes > 0)) {
      if (hasRoom) shared.addUnsent(-cost);
      disconnect();
      return;
    }
    unsentBytes += cost;
    socket.send(text, () => {
      unsentBytes -= cost;
      shared.addUnsent(-cost);
    });
  };
  /** Disconnects the page: its calls are aborted, and its further messages are ignored. */
  const disconnect = (): void => {
    end();
    socket.terminate();
  };
  const sendEvent: SendEvent = (event, payload) => {
    sendFrame({ event, payload });
  };
  const calls = createWindowCalls(dispatch, clock, sendEvent, paths, shared);
  const unsubscribe = subscribe(sendEvent);

  let stopHeartbeat = (): void => undefined;
  const scheduleHeartbeat = (): void => {
    stopHeartbeat = clock.timer(heartbeatIntervalMs, () => {
      if (!hasPong) {
        socket.terminate();
        return;
      }
      hasPong = false;
      socket.ping();
      sendFrame({ beat: true });
      scheduleHeartbeat();
    });
  };
  scheduleHeartbeat();

  const end = (): void => {
    open = false;
    stopHeartbeat();
    unsubscribe();
    calls.close();
  };
  socket.on('pong', () => {
    hasPong = true;
  });
  socket.on('close', end);
  // A `close` event follows every error, and is handled above.
  socket.on('error', () => undefined);
  socket.on('message', (data, isBinary) => {
    if (!open) return;
    const frame = isBinary ? null : parseFrame(String(data));
    if (frame === null) socket.close(policyViolationCode, 'This frame is not understood.');
    else if ('cancel' in frame) calls.cancel(frame.cancel);
    else {
      void calls.call(frame.call, frame.request, frame.id).then((result) => {
        sendFrame({ id: frame.id, result });
      });
    }
  });

  return () => {
    if (open) socket.close(goingAwayCode, 'Packhorse is stopping.');
    end();
  };
}

type Frame = { cancel: unknown } | { call: unknown; id: string; request: unknown };

/** Returns null for a frame that our page never sends. The dispatch validates the request of a call. */
function parseFrame(text: string): Frame | null {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof frame !== 'object' || frame === null) return null;
  if (Object.hasOwn(frame, 'cancel')) return { cancel: (frame as { cancel: unknown }).cancel };
  if (!Object.hasOwn(frame, 'call')) return null;
  const { call, id, request } = frame as { call: unknown; id: unknown; request: unknown };
  return typeof id === 'string' ? { call, id, request } : null;
}
