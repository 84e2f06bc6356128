/** @file Key combinations, written `mod+shift+k`. `mod` is Command on a Mac and Control elsewhere. */

const onMac = (): boolean => /mac/i.test(navigator.userAgent);

const macNames: Record<string, string> = {
  mod: '⌘',
  shift: '⇧',
  alt: '⌥',
  ctrl: '⌃',
  enter: '↩',
  escape: 'Esc',
};
const otherNames: Record<string, string> = {
  mod: 'Ctrl',
  shift: 'Shift',
  alt: 'Alt',
  ctrl: 'Ctrl',
  enter: 'Enter',
  escape: 'Esc',
};

export function keyNames(keys: string): string[] {
  const names = onMac() ? macNames : otherNames;
  return keys.split('+').map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}

export function matches(keys: string, event: KeyboardEvent): boolean {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const mod = onMac() ? event.metaKey : event.ctrlKey;
  return (
    event.key.toLowerCase() === key &&
    parts.includes('mod') === mod &&
    parts.includes('alt') === event.altKey &&
    // A character such as `?` needs Shift on some keyboards only.
    (parts.includes('shift') === event.shiftKey || (key.length === 1 && !/[a-z0-9]/.test(key)))
  );
}
