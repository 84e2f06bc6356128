/** @file Checks the sender of calls over Electron's IPC: our own page, in the main frame of our window. Needs no Electron. */

/** The part of Electron's `IpcMainInvokeEvent` that shows the origin of a message. */
export interface SenderEvent {
  readonly sender: { readonly id: number };
  /** Null after the frame navigated away or was destroyed, so read it at once. */
  readonly senderFrame: {
    readonly origin: string;
    readonly parent: unknown;
    readonly detached: boolean;
  } | null;
}

/**
 * Returns whether the message comes from the page of `origin` in the web contents `contentsId`, and not from a frame
 * inside it.
 */
export function isOwnPage(event: SenderEvent, contentsId: number, origin: string): boolean {
  try {
    const frame = event.senderFrame;
    return (
      frame !== null &&
      !frame.detached &&
      frame.parent === null &&
      frame.origin === origin &&
      event.sender.id === contentsId
    );
  } catch {
    return false; // a destroyed frame throws when it is read
  }
}
