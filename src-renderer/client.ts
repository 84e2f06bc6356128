/**
 * @file The only connection from the window to the app: `window.packhorse` of a preload, else a WebSocket to the
 * origin of the page. The app has validated the replies.
 */
import type { CallName, EventName, WindowBridge } from '../src-contract/call-names.ts';
import type { CallReply, CallRequest, EventPayload, Result } from '../src-contract/calls.ts';
import { AppError } from '../src-contract/errors.ts';
import type { Progress } from '../src-contract/runs/job.ts';
import {
  openWebSocketBridge,
  type ConnectionState,
  type WebSocketBridge,
} from './bridge/websocket-bridge.ts';

declare global {
  interface Window {
    readonly packhorse?: WindowBridge;
  }
}

export interface CallOptions {
  onProgress?: (progress: Progress) => void;
  /** Aborting cancels the call, which then returns the error `cancelled`. */
  signal?: AbortSignal;
}

/**
 * A change event with the payload null means that events may have been lost: all data of its kind must be requested
 * again.
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
  if (signal?.aborted === true)
    return failure(new AppError('cancelled', 'The call was cancelled before it was sent.'));
  const target = bridge();
  const id = String(++lastId);
  const cancelCall = (): void => {
    target.cancel(id);
  };
  signal?.addEventListener('abort', cancelCall, { once: true });
  const endProgress =
    onProgress === undefined
      ? null
      : target.on('call.progress', (payload) => {
          const event = payload as EventPayload<'call.progress'>;
          if (event.id === id) onProgress(event.progress);
        });
  try {
    return (await target.calls[name](request, id)) as Result<CallReply<Name>>;
  } catch (thrown) {
    return failure(thrown);
  } finally {
    endProgress?.();
    signal?.removeEventListener('abort', cancelCall);
  }
}

export function on<Name extends EventName>(
  name: Name,
  listener: (payload: ReceivedPayload<Name>) => void,
): () => void {
  return bridge().on(name, (payload) => {
    listener(payload as ReceivedPayload<Name>);
  });
}

/**
 * Returns the reference of a file for calls about archives. If the app runs on another machine, the file is uploaded
 * first: `onProgress` receives bytes, and aborting `signal` cancels the upload. Never rejects.
 */
export async function createFileReference(
  file: File,
  options: { onProgress?: (done: number, total: number) => void; signal?: AbortSignal } = {},
): Promise<Result<string>> {
  const { onProgress = () => undefined, signal } = options;
  try {
    const preload = window.packhorse;
    const value =
      preload === undefined
        ? await remote().upload(file, onProgress, signal)
        : await preload.fileReference(file, onProgress);
    // A file that was dragged out of another page has no path.
    if (value === '') throw new AppError('archive-missing', `${file.name} is not a file on this machine.`);
    return { ok: true, value };
  } catch (thrown) {
    return failure(thrown);
  }
}

/**
 * Calls the listener at once and on every change; always `open` in the desktop window. While the connection is
 * `lost`, calls return `page-disconnected`. Returns a function that unsubscribes.
 */
export function onConnection(listener: (connection: ConnectionState) => void): () => void {
  if (window.packhorse === undefined) return remote().onConnectionState(listener);
  listener('open');
  return () => undefined;
}

let lastId = 0;
let opened: WebSocketBridge | null = null;

function remote(): WebSocketBridge {
  opened ??= openWebSocketBridge(window.location);
  return opened;
}

const bridge = (): WindowBridge => window.packhorse ?? remote();

function failure(thrown: unknown): { ok: false; error: ReturnType<AppError['toData']> } {
  return { ok: false, error: AppError.from(thrown).toData() };
}
