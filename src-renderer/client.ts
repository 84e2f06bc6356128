/**
 * @file The only file of the window that touches `window.packhorse`; gives every call its types. Replies were validated
 * on the other side of the bridge and are not looked at again.
 */
import type { CallName, EventName, WindowBridge } from '../src-preload/contract/call-names.ts';
import type { CallReply, CallRequest, EventPayload, Result } from '../src-preload/contract/calls.ts';

declare global {
  interface Window {
    readonly packhorse: WindowBridge;
  }
}

/** Never rejects: also a call that the bridge refused comes back as an error result. */
export async function call<Name extends CallName>(
  name: Name,
  request: CallRequest<Name>,
): Promise<Result<CallReply<Name>>> {
  try {
    return (await window.packhorse.calls[name](request, crypto.randomUUID())) as Result<CallReply<Name>>;
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { ok: false, error: { code: 'internal', message, retry: 'never', details: {} } };
  }
}

/** The returned function ends the subscription. */
export function on<Name extends EventName>(
  name: Name,
  listener: (payload: EventPayload<Name>) => void,
): () => void {
  return window.packhorse.on(name, (payload) => {
    listener(payload as EventPayload<Name>);
  });
}
