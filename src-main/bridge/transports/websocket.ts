/**
 * @file The transport of a page in a browser: text frames of JSON over one WebSocket. `{call, id, request}` is answered
 * with `{id, result}`, `{cancel: id}` with nothing; `{event, payload}` and `{beat}` come by themselves. Who may connect is
 * decided before; what a call means is decided behind `dispatch`.
 */
import type { Dispatch } from '../dispatch.ts';
import type { PathHolder } from '../archives/given-paths.ts';
import { createWindowCalls, type CallsClock, type SendEvent } from './limits.ts';

/** Larger frames must be refused by whoever makes the socket; a request of `maxRequestBytes` fits in one. */
export const maxFrameBytes = 1 << 20;

/** Pages take this for "still there"; whoever answered no ping between two of them is gone. */
const beatEveryMs = 20_000;
/** A page that does not read what it is sent is given up before it costs more memory. */
const maxUnsentBytes = 32 << 20;
/** Close codes of RFC 6455. */
const notUnderstood = 1008;
const goingAway = 1001;

/** The part of a socket of the package `ws` that is needed here. */
export interface PageSocket {
  readonly bufferedAmount: number;
  send(text: string): void;
  ping(): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: 'message', listener: (frame: unknown, isBinary: boolean) => void): unknown;
  on(event: 'pong' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Answers one page until its socket closes; calls under way are then aborted. The returned function says goodbye. */
export function answerPage(
  socket: PageSocket,
  dispatch: Dispatch,
  subscribe: (listener: SendEvent) => () => void,
  clock: CallsClock,
  paths: PathHolder,
): () => void {
  let open = true;
  let answersPings = true;

  const sendFrame = (frame: unknown): void => {
    if (!open) return;
    if (socket.bufferedAmount > maxUnsentBytes) socket.terminate();
    else socket.send(JSON.stringify(frame));
  };
  const sendEvent: SendEvent = (event, payload) => {
    sendFrame({ event, payload });
  };
  const calls = createWindowCalls(dispatch, clock, sendEvent, paths);
  const unsubscribe = subscribe(sendEvent);

  let stopBeat = (): void => undefined;
  const beat = (): void => {
    stopBeat = clock.timer(beatEveryMs, () => {
      if (!answersPings) {
        socket.terminate();
        return;
      }
      answersPings = false;
      socket.ping();
      sendFrame({ beat: true });
      beat();
    });
  };
  beat();

  const end = (): void => {
    open = false;
    stopBeat();
    unsubscribe();
    calls.close();
  };
  socket.on('pong', () => {
    answersPings = true;
  });
  socket.on('close', end);
  // The close that follows says all there is to say.
  socket.on('error', () => undefined);
  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? null : understood(String(data));
    if (frame === null) socket.close(notUnderstood, 'This frame is not understood.');
    else if ('cancel' in frame) calls.cancel(frame.cancel);
    else {
      void calls.call(frame.call, frame.request, frame.id).then((result) => {
        sendFrame({ id: frame.id, result });
      });
    }
  });

  return () => {
    if (open) socket.close(goingAway, 'Packhorse is stopping.');
    end();
  };
}

type Frame = { cancel: unknown } | { call: unknown; id: string; request: unknown };

/** Null for anything that no page of ours sends. What a call asks for is checked with the call. */
function understood(text: string): Frame | null {
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
