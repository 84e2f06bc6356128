/** @file Listens for the Enter key while a command keeps running. */
import { readFileSync } from 'node:fs';

/** Calls back for every line until the signal is aborted. @returns true in the foreground of a terminal. */
export function onEnter(signal: AbortSignal, onPress: () => void): boolean {
  const { stdin } = process;
  if (!stdin.isTTY) return false;
  const listen = (): void => {
    if (signal.aborted || !isInForeground()) stdin.pause();
    else stdin.resume();
  };
  const handleData = (text: string): void => {
    if (text.includes('\n')) onPress();
  };
  stdin.setEncoding('utf8').on('data', handleData);
  // The process was sent to the background and back.
  process.on('SIGCONT', listen);
  signal.addEventListener('abort', () => {
    process.off('SIGCONT', listen);
    stdin.off('data', handleData);
    stdin.pause();
  });
  listen();
  return isInForeground();
}

/**
 * The system stops a background process that reads from the terminal. The foreground is detected on Linux, and assumed
 * elsewhere.
 */
function isInForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // After the name in brackets: state, parent, process group, session, terminal, process group in its foreground.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foreground;
  } catch {
    return true;
  }
}
