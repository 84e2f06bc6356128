/**
 * @file The transport of the desktop window: an IPC channel per call, one that cancels a call, and one for the path of
 * a dropped file. They serve our own page only. No other file uses `ipcMain`.
 */
import { ipcMain, type WebContents } from 'electron';
import { callNames, cancelChannel, fileChannel, type EventName } from '../../../src-contract/call-names.ts';
import type { Dispatch } from '../dispatch.ts';
import { isOwnPage } from './electron-sender.ts';
import { GrantedPaths } from '../archives/granted-paths.ts';
import { createWindowCalls, type CallsClock, type SendEvent } from './limits.ts';

/** No system has longer paths. */
const maxPathLength = 32_768;

export type Subscribe = (listener: (name: EventName, payload: unknown) => void) => () => void;

export interface ServedWindow {
  contents: WebContents;
  origin: string;
  dispatch: Dispatch;
  subscribe: Subscribe;
  clock: CallsClock;
}

/**
 * Serves the page of `origin` until its contents are destroyed. Calls in progress are aborted then, when the page
 * reloads, and when its process dies. Returns a function that sends events to the page. Throws if another window is
 * served already.
 */
export function serveWindow({ contents, origin, dispatch, subscribe, clock }: ServedWindow): SendEvent {
  const send: SendEvent = (name, payload) => {
    if (!contents.isDestroyed()) contents.send(name, payload);
  };
  const paths = new GrantedPaths({ mayChooseHooks: true });
  const newCalls = () => createWindowCalls(dispatch, clock, send, paths);
  let calls = newCalls();

  for (const name of callNames) {
    ipcMain.handle(name, (event, request: unknown, id: unknown) => {
      // Any other sender is an intrusion, not a failed call: it gets an exception, not a result.
      if (!isOwnPage(event, contents.id, origin)) throw new Error(`${name} refused: not our page`);
      return calls.call(name, request, id);
    });
  }
  ipcMain.handle(fileChannel, (event, path: unknown) => {
    if (!isOwnPage(event, contents.id, origin)) throw new Error('refused: not our page');
    if (typeof path === 'string' && path.length <= maxPathLength) paths.grant(path, 'file');
  });
  ipcMain.on(cancelChannel, (event, id: unknown) => {
    if (isOwnPage(event, contents.id, origin)) calls.cancel(id);
  });
  const unsubscribe = subscribe(send);

  // The calling page is gone and cannot receive replies.
  const resetCalls = (): void => {
    calls.close();
    calls = newCalls();
  };
  contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) resetCalls();
  });
  contents.on('render-process-gone', resetCalls);
  contents.once('destroyed', () => {
    calls.close();
    unsubscribe();
    for (const name of [...callNames, fileChannel]) ipcMain.removeHandler(name);
    ipcMain.removeAllListeners(cancelChannel);
  });
  return send;
}
