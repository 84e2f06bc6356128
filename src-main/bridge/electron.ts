/**
 * @file The transport of the desktop window: one IPC channel per call, answered for our own page alone, and events to
 * that page. The only file that uses `ipcMain`; what a call means is decided behind `dispatch`.
 */
import { ipcMain, type WebContents } from 'electron';
import { callNames, type EventName } from '../../src-preload/contract/call-names.ts';
import type { Dispatch } from './dispatch.ts';
import { isOwnPage } from './electron-sender.ts';

/** Calls the listener for every event until the returned function is called. */
export type Subscribe = (listener: (name: EventName, payload: unknown) => void) => () => void;

/**
 * Answers the page of `origin` in `contents`, and nobody else, until those contents are destroyed; calls under way are
 * then aborted. Throws when another window is being answered.
 */
export function answerWindow(
  contents: WebContents,
  origin: string,
  dispatch: Dispatch,
  subscribe: Subscribe,
): void {
  const gone = new AbortController();
  // Calls are short; what takes long is a job, and jobs tell of themselves through `job.changed`.
  const context = { signal: gone.signal, progress: () => undefined };

  for (const name of callNames) {
    ipcMain.handle(name, (event, request: unknown) => {
      // Anything else is not a call that failed but a break-in: it gets an exception, not a result.
      if (!isOwnPage(event, contents.id, origin)) throw new Error(`${name} refused: not our page`);
      return dispatch(name, request, context);
    });
  }
  const unsubscribe = subscribe((name, payload) => {
    contents.send(name, payload);
  });

  contents.once('destroyed', () => {
    gone.abort();
    unsubscribe();
    for (const name of callNames) ipcMain.removeHandler(name);
  });
}
