/** @file The options of every window there is: sandboxed, isolated, without Node. Needs no Electron. */

/** Frozen through and through; nobody adds an option to one window. `developer`: whether developer tools may be opened. */
export function windowOptions(preload: string, developer: boolean) {
  return Object.freeze({
    width: 1100,
    height: 760,
    minWidth: 640,
    minHeight: 480,
    show: false,
    title: 'Packhorse',
    webPreferences: Object.freeze({
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: developer,
    }),
  });
}
