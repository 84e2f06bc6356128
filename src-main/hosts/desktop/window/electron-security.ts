/**
 * @file Denies every permission that a page could request, every request except to our own files, and every way out of
 * the page. Each decision is a function in `guards.ts`; docs/security.md lists them with their tests.
 */
import { app, type Session, type WebContents } from 'electron';
import { mayNavigate, mayRequest } from './guards.ts';

interface Preventable {
  preventDefault(): void;
}
const prevent = (event: Preventable): void => {
  event.preventDefault();
};

/** Call this before the first session and the first window are created, so that it applies to all of them. */
export function denyByDefault(allowDevTools: boolean): void {
  app.on('session-created', (session) => {
    hardenSession(session, allowDevTools);
  });
  app.on('web-contents-created', (_event, contents) => {
    confine(contents);
  });
  // No request leaves a session, so these events never occur. If one did, it would be refused.
  app.on('certificate-error', (event, _contents, _url, _error, _certificate, answer) => {
    event.preventDefault();
    answer(false);
  });
  app.on('login', prevent);
  app.on('select-client-certificate', (event, _contents, _url, _list, choose) => {
    event.preventDefault();
    choose();
  });
}

function hardenSession(session: Session, allowDevTools: boolean): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => {
    answer(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler(null);
  session.setBluetoothPairingHandler((_details, answer) => {
    answer({ confirmed: false });
  });
  session.on('select-hid-device', (event, _details, choose) => {
    event.preventDefault();
    choose(null);
  });
  session.on('select-usb-device', (event, _details, choose) => {
    event.preventDefault();
    choose();
  });
  session.on('select-serial-port', (event, _ports, _contents, choose) => {
    event.preventDefault();
    choose('');
  });
  session.on('will-download', prevent);
  session.setSpellCheckerEnabled(false); // Spell checking would download dictionaries.
  session.allowNTLMCredentialsForDomains('');
  session.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !mayRequest(details.url, allowDevTools) });
  });
}

function confine(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  const blockNavigation = (event: { url: string } & Preventable): void => {
    if (!mayNavigate(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', blockNavigation);
  contents.on('will-frame-navigate', blockNavigation);
  contents.on('will-redirect', blockNavigation);
  contents.on('will-attach-webview', prevent);
  contents.on('select-bluetooth-device', (event, _devices, choose) => {
    event.preventDefault();
    choose('');
  });
}
