/** @file Handles every way of closing the window and ending the program, and shows the dialogs for it. */
import { app, clipboard, dialog, powerMonitor } from 'electron';
import type { App } from '../../../compose/app.ts';
import type { Clock } from '../../../platform/clock.ts';
import { closingAction } from './closing.ts';
import type { DesktopWindow } from '../window/electron-window.ts';
import type { PreferencesWatch } from '../preferences.ts';
import { createQuitHandler } from './quitting.ts';
import { desktopTexts } from '../tray/desktop-texts.ts';

export interface ShutdownDeps {
  clock: Clock;
  preferences: PreferencesWatch;
  getWindow: () => DesktopWindow | null;
  /** Returns true if the user can show a hidden window again. */
  canReopenWindow: () => Promise<boolean>;
  isBusy: () => boolean;
  newTokens: App['newTokens'];
  suspendWork: () => Promise<void>;
  runJobs: () => void;
  closeApp: () => Promise<void>;
}

export interface Shutdown {
  quit: () => void;
  closeWindow: () => void;
  /** Handles a new token that the keychain does not store: the user may copy it. */
  offerToken: () => void;
}

/** Also registers handlers for the system's requests to end the program. */
export function createShutdown({
  preferences,
  getWindow,
  canReopenWindow,
  runJobs,
  ...deps
}: ShutdownDeps): Shutdown {
  /** Returns true if the user presses the first button. The keys Enter and Escape press the button `safeButton`. */
  const confirm = async (message: string, detail: string, buttons: [string, string], safeButton: 0 | 1) => {
    const options = {
      type: 'question' as const,
      message,
      detail,
      buttons,
      defaultId: safeButton,
      cancelId: safeButton,
    };
    const window = getWindow()?.window;
    // A dialog that belongs to a hidden window is invisible.
    const { response } = await (window?.isVisible() === true
      ? dialog.showMessageBox(window, options)
      : dialog.showMessageBox(options));
    return response === 0;
  };

  const { newTokens } = deps;
  /** Copies the token, so that the page never has it. Returns whether the user then wants to quit. */
  const askToCopy = async (): Promise<boolean> => {
    const instances = newTokens.unstored.map(({ instance }) => `“${instance}”`).join(', ');
    const {
      unstoredToken,
      unstoredTokenDetail,
      copyToken,
      waitForKeychain,
      copied,
      copiedDetail,
      quitYes,
      quitNo,
    } = desktopTexts.dialog;
    if (!(await confirm(unstoredToken(instances), unstoredTokenDetail, [copyToken, waitForKeychain], 1)))
      return false;
    try {
      const wereHandedOver = await newTokens.handOver(async (tokens) => {
        const lines = tokens.map(({ instance, token }) =>
          tokens.length > 1 ? `${instance} ${token.reveal()}` : token.reveal(),
        );
        await clipboard.writeText(lines.join('\n'));
      });
      // The keychain may have stored it in the meantime.
      return wereHandedOver && (await confirm(copied, copiedDetail, [quitYes, quitNo], 1));
    } catch {
      dialog.showErrorBox(desktopTexts.dialog.notCopied, desktopTexts.dialog.notCopiedDetail);
      return false;
    }
  };
  const offerToken = shareOpenDialog(askToCopy);
  const quit = createQuitHandler({
    ...deps,
    resolveUnstoredToken: offerToken,
    confirmQuit: () =>
      confirm(
        desktopTexts.dialog.quit,
        desktopTexts.dialog.quitDetail,
        [desktopTexts.dialog.quitYes, desktopTexts.dialog.quitNo],
        1,
      ),
    hide: () => getWindow()?.hideForQuit(),
    resume() {
      runJobs();
      getWindow()?.show();
    },
    exit: () => {
      app.exit(0);
    },
  });

  const explain = async (): Promise<void> => {
    const { closing: closingMessage, closingDetail, closingKeep, closingQuit } = desktopTexts.dialog;
    const keepsRunning = await confirm(closingMessage, closingDetail, [closingKeep, closingQuit], 0);
    await preferences.change({ closeExplained: true, closeBehaviour: keepsRunning ? 'tray' : 'quit' });
    if (keepsRunning) getWindow()?.hide();
    else await quit('person');
  };
  const close = shareOpenDialog(async () => {
    await preferences.refresh();
    const action = closingAction(preferences.current, await canReopenWindow());
    if (action === 'hide') getWindow()?.hide();
    else if (action === 'explain') await explain();
    else await quit('person');
  });

  app.on('before-quit', (event) => {
    event.preventDefault();
    void quit('person');
  });
  getWindow()?.window.on('session-end', () => void quit('system'));
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault(); // The session ends after the jobs are stored.
    void quit('system');
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => void quit('system'));
  }

  return {
    quit: () => void quit('person'),
    offerToken: () => void offerToken().then((wantsToQuit) => (wantsToQuit ? quit('person') : undefined)),
    closeWindow: () => void close(),
  };
}

/** Returns the function with its concurrent calls joined, so that several callers share one open dialog. */
function shareOpenDialog<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let asking: Promise<Result> | null = null;
  return () =>
    (asking ??= ask().finally(() => {
      asking = null;
    }));
}
