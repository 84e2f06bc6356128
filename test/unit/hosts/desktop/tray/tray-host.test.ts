import { describe, expect, test } from 'vitest';
import { awaitTrayHost, hasTrayHost } from '../../../../../src-main/hosts/desktop/tray/tray-host.ts';
import { SteppedClock } from '../../../../support/clocks/stepped-clock.ts';

const never = (): Promise<string> => Promise.reject(new Error('must not be asked'));

test.each(['win32', 'darwin'] as const)('%s always has a place for the tray icon', async (platform) => {
  expect(await hasTrayHost(platform, never)).toBe(true);
});

describe('a Linux desktop', () => {
  /** Simulates programs by their output; other programs are not installed. */
  const bus = (prints: Record<string, string>) => (program: string) => {
    const text = prints[program];
    return text === undefined ? Promise.reject(new Error('ENOENT')) : Promise.resolve(text);
  };
  test.each([
    [{ 'dbus-send': '   boolean true\n' }, true],
    [{ 'dbus-send': '   boolean false\n' }, false],
    [{ gdbus: '(true,)\n' }, true],
    [{ gdbus: '(false,)\n' }, false],
    [{ 'dbus-send': '', gdbus: '(true,)\n' }, false],
    [{}, false],
  ])('whose bus replies %o shows icons: %s', async (prints, expected) => {
    expect(await hasTrayHost('linux', bus(prints))).toBe(expected);
  });

  test('without a session bus shows no icons', async () => {
    const before = process.env['DBUS_SESSION_BUS_ADDRESS'];
    process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent';
    try {
      expect(await hasTrayHost('linux')).toBe(false);
    } finally {
      if (before === undefined) delete process.env['DBUS_SESSION_BUS_ADDRESS'];
      else process.env['DBUS_SESSION_BUS_ADDRESS'] = before;
    }
  });
});

describe('waiting for the panel', () => {
  test('ends when it appears', async () => {
    const clock = new SteppedClock();
    let checks = 0;
    const found = awaitTrayHost(clock, new AbortController().signal, () => {
      checks += 1;
      return Promise.resolve(checks === 3);
    });
    await clock.advance(4_000);
    expect(await found).toBe(true);
    expect(checks).toBe(3);
  });

  test('ends after half a minute, or when the program ends', async () => {
    const clock = new SteppedClock();
    const no = () => Promise.resolve(false);
    const waited = awaitTrayHost(clock, new AbortController().signal, no);
    await clock.advance(30_000);
    expect(await waited).toBe(false);

    const stop = new AbortController();
    const stopped = awaitTrayHost(clock, stop.signal, no);
    stop.abort();
    expect(await stopped).toBe(false);
  });
});
