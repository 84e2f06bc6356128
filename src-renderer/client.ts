/**
 * @file The only connection from the window to the app: `window.packhorse` where a preload created it, else a WebSocket
 * to the origin of the page. Types every call. Replies were validated on the other side of the bridge and are not
 * validated again.
 */
import type { CallName, EventName, WindowBridge } from '../src-contract/call-names.ts';
import type { CallReply, CallRequest, EventPayload, Result } from '../src-contract/calls.ts';
import { AppError } from '../src-contract/errors.ts';
import type { Progress } from '../src-contract/runs/job.ts';
import { openWebSocketBridge, type Connection, type WebSocketBridge } from './bridge/websocket-bridge.ts';

declare global {
  interface Window {
    readonly packhorse?: WindowBridge;
  }
}

export interface CallOptions {
  /** Receives the progress of the call. Most calls are short and report none. */
  onProgress?: (progress: Progress) => void;
  /** Aborting cancels the call, which then returns the error `cancelled`. */
  signal?: AbortSignal;
}

/**
 * The payload that a listener receives. Only change events can be null: the connection was lost, events may be missing,
 * and everything shown of their kind must be requested again.
 */
export type ReceivedPayload<Name extends EventName> = Name extends 'call.progress' | 'host.command'
  ? EventPayload<Name>
  : EventPayload<Name> | null;

/** Never rejects: a call that the bridge refused returns an error result, too. */
export async function call<Name extends CallName>(
  name: Name,
  request: CallRequest<Name>,
  options: CallOptions = {},
): Promise<Result<CallReply<Name>>> {
  const { onProgress, signal } = options;
  if (signal?.aborted === true) return failure(new AppError('cancelled', 'Given up before it was sent.'));
  const to = bridge();
  const id = String(++lastId);
  const giveUp = (): void => {
    to.cancel(id);
  };
  signal?.addEventListener('abort', giveUp, { once: true });
  const endProgress =
    onProgress === undefined
      ? null
      : to.on('call.progress', (payload) => {
          const heard = payload as EventPayload<'call.progress'>;
          if (heard.id === id) onProgress(heard.progress);
        });
  try {
    return (await to.calls[name](request, id)) as Result<CallReply<Name>>;
  } catch (thrown) {
    return failure(thrown);
  } finally {
    endProgress?.();
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Returns a function that unsubscribes. */
export function on<Name extends EventName>(
  name: Name,
  listener: (payload: ReceivedPayload<Name>) => void,
): () => void {
  return bridge().on(name, (payload) => {
    listener(payload as ReceivedPayload<Name>);
  });
}

/**
 * Returns what calls about archives accept for a file that was dropped or chosen in the page. Where the app runs
 * elsewhere, the file is uploaded first: `onProgress` receives bytes, and aborting `signal` cancels the upload. Never
 * rejects.
 */
export async function fileReference(
  file: File,
  options: { onProgress?: (done: number, total: number) => void; signal?: AbortSignal } = {},
): Promise<Result<string>> {
  const { onProgress = () => undefined, signal } = options;
  try {
    const own = window.packhorse;
    const value =
      own === undefined
        ? await remote().upload(file, onProgress, signal)
        : await own.fileReference(file, onProgress);
    // A file that was dragged out of another page has no path.
    if (value === '') throw new AppError('archive-missing', `${file.name} is not a file on this machine.`);
    return { ok: true, value };
  } catch (thrown) {
    return failure(thrown);
  }
}

/**
 * Calls the listener at once and on every change of the connection. While it is `lost`, calls return the error
 * `page-disconnected`, and the bridge reconnects automatically. Always `open` in the desktop window. Returns a function
 * that unsubscribes.
 */
export function onConnection(listener: (connection: Connection) => void): () => void {
  if (window.packhorse === undefined) return remote().onConnection(listener);
  listener('open');
  return () => undefined;
}

let lastId = 0;
let opened: WebSocketBridge | null = null;

function remote(): WebSocketBridge {
  opened ??= openWebSocketBridge(window.location);
  return opened;
}

function bridge(): WindowBridge {
  return window.packhorse ?? remote();
}

function failure(thrown: unknown): { ok: false; error: ReturnType<AppError['toData']> } {
  return { ok: false, error: AppError.from(thrown).toData() };
}
