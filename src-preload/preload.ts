/**
 * @file Runs in Electron's sandbox between page and main process. Gives the page one function for each call and one
 * function to receive events. The page cannot choose channel names and gets no Electron object. Contains no logic.
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
    if (!eventNames.includes(event)) throw new Error('There is no such event.');
    const forward = (_event: IpcRendererEvent, payload: unknown): void => {
      listener(payload);
    };
    ipcRenderer.on(event, forward);
    return () => {
      ipcRenderer.off(event, forward);
    };
  },
  // Only files that the user gives to the page have a path; a file that the page creates has none. For a value that is
  // no file, the promise rejects and nothing is thrown.
  async fileReference(file) {
    const path = await Promise.resolve(webUtils.getPathForFile(file as File));
    await ipcRenderer.invoke(fileChannel, path);
    return path;
  },
};

contextBridge.exposeInMainWorld('packhorse', Object.freeze(bridge));
