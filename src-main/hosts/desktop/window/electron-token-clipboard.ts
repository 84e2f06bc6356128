/** @file Gives a new token to the user of the desktop app through the clipboard, so that the page never receives it. */
import { clipboard, dialog, type BrowserWindow } from 'electron';
import type { App } from '../../../compose/app.ts';
import { desktopTexts } from '../tray/desktop-texts.ts';

type TokenHandler = Parameters<App['tokenRecipient']['set']>[0];

/** Resolves once the token is on the clipboard. Rejects if the clipboard is not available. */
export function tokenClipboard(getWindow: () => BrowserWindow | null): TokenHandler {
  return async ({ name, token }) => {
    const { newTokenOnce, newTokenOnceDetail, copyToken } = desktopTexts.dialog;
    const options = {
      type: 'info' as const,
      message: newTokenOnce(name),
      detail: newTokenOnceDetail,
      buttons: [copyToken],
    };
    const parent = getWindow();
    await (parent?.isVisible() === true
      ? dialog.showMessageBox(parent, options)
      : dialog.showMessageBox(options));
    await clipboard.writeText(token.reveal());
  };
}
