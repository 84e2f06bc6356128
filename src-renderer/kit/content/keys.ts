/** @file Key combinations, written `mod+shift+k`. `mod` is Command on a Mac and Control elsewhere. */

const isMac = (): boolean => /mac/i.test(navigator.userAgent);

const names: Readonly<Record<string, [mac: string, others: string]>> = {
  mod: ['⌘', 'Ctrl'],
  shift: ['⇧', 'Shift'],
  alt: ['⌥', 'Alt'],
  ctrl: ['⌃', 'Ctrl'],
  enter: ['↩', 'Enter'],
  escape: ['Esc', 'Esc'],
};

/** The names of the keys as this system's keyboards label them. */
export function keyNames(keys: string): string[] {
  const nameOf = (key: string): string | undefined => names[key]?.[isMac() ? 0 : 1];
  return keys.split('+').map((key) => nameOf(key) ?? (key.length === 1 ? key.toUpperCase() : key));
}

export function matchesKeys(keys: string, event: KeyboardEvent): boolean {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const mod = isMac() ? event.metaKey : event.ctrlKey;
  return (
    event.key.toLowerCase() === key &&
    parts.includes('mod') === mod &&
    parts.includes('alt') === event.altKey &&
    // A character such as `?` needs Shift on some keyboards only.
    (parts.includes('shift') === event.shiftKey || (key.length === 1 && !/[a-z0-9]/.test(key)))
  );
}
