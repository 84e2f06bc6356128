/**
 * @file Runs in Electron's sandbox between page and main process. Gives the page one function per call and one way to
 * receive events; never a channel name of the page's choice, never an Electron object. No logic.
 */
import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron';
import {
  callNames,
  cancelChannel,
  eventNames,
  fileChannel,
  type WindowBridge,
} from '../src-contract/call-names.ts';

const calls = Object.fromEntries(
  callNames.map((name) => [
    name,
    (request: unknown, id: string): Promise<unknown> => ipcRenderer.invoke(name, request, id),
  ]),
) as WindowBridge['calls'];

const bridge: WindowBridge = {
  calls: Object.freeze(calls),
  cancel(id) {
    ipcRenderer.send(cancelChannel, id);
  },
  on(event, listener) {
    if (!eventNames.includes(event)) throw new Error('no such event');
    const forward = (_event: IpcRendererEvent, payload: unknown): void => {
      listener(payload);
    };
    ipcRenderer.on(event, forward);
    return () => {
      ipcRenderer.off(event, forward);
    };
  },
  // A page can create files, but none with a path: only the user can give it those. Anything but a file rejects instead
  // of throwing.
  async fileReference(file) {
    const path = await Promise.resolve(webUtils.getPathForFile(file as File));
    await ipcRenderer.invoke(fileChannel, path);
    return path;
  },
};

contextBridge.exposeInMainWorld('packhorse', Object.freeze(bridge));
