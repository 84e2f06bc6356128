/**
 * @file The only way from the window to the app: over `window.packhorse` where a preload made it, else over a WebSocket to
 * where the page came from. Gives every call its types. Replies were validated on the other side of the bridge and are not
 * looked at again.
 */
import type { CallName, EventName, WindowBridge } from '../src-contract/call-names.ts';
import type { CallReply, CallRequest, EventPayload, Result } from '../src-contract/calls.ts';
import { AppError } from '../src-contract/errors.ts';
import type { Progress } from '../src-contract/job.ts';
import { openWebSocketBridge, type Connection, type WebSocketBridge } from './bridge/websocket-bridge.ts';

declare global {
  interface Window {
    readonly packhorse?: WindowBridge;
  }
}

export interface CallOptions {
  /** Hears how far the call is; most calls are short and tell nothing. */
  onProgress?: (progress: Progress) => void;
  /** Aborting gives the call up: it answers with the error `cancelled`. */
  signal?: AbortSignal;
}

/**
 * What a listener hears. Null, which only changes can be: events may have been lost while the connection was, so whatever
 * is shown of their kind must be asked for again.
 */
export type Heard<Name extends EventName> = Name extends 'call.progress' | 'host.command'
  ? EventPayload<Name>
  : EventPayload<Name> | null;

/** Never rejects: also a call that the bridge refused comes back as an error result. */
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

/** The returned function ends the subscription. */
export function on<Name extends EventName>(name: Name, listener: (payload: Heard<Name>) => void): () => void {
  return bridge().on(name, (payload) => {
    listener(payload as Heard<Name>);
  });
}

/**
 * What calls about archives take for a file that was dropped or chosen in the page. Where the app runs elsewhere the file is
 * sent there first: `onProgress` hears bytes, and aborting `signal` gives that up. Never rejects.
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
    // As for what was dragged out of another page: it has no path.
    if (value === '') throw new AppError('archive-missing', `${file.name} is not a file on this machine.`);
    return { ok: true, value };
  } catch (thrown) {
    return failure(thrown);
  }
}

/**
 * Hears at once, and whenever it changes, whether the app can be reached. While it is `lost` calls answer with the error
 * `page-disconnected`; the connection is tried again by itself. Always `open` in the desktop window. The returned function
 * ends the subscription.
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
