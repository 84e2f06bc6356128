/** @file Makes sentences for people from an error's message and details, and the server's own words. */
import type { ErrorDetails } from './errors.ts';

/** One sentence that says what happened, and one that says what to do. */
export interface ErrorText {
  what: string;
  todo: string;
}

/** `typed` is added where commands are typed, and only there. */
export type Row = (details: ErrorDetails, message: string) => ErrorText & { typed?: string };

/** Returns a detail in the form that it has within a sentence. */
export const detail = (details: ErrorDetails, key: string, otherwise: string): string => {
  const value = details[key];
  return value === undefined || value === null ? otherwise : String(value);
};

/** The server's own words, where it gave some; they often name the exact setting. A web page says nothing to a reader. */
export const serverWords = (details: ErrorDetails): string => {
  const words = details['serverMessage'];
  return typeof words === 'string' && words !== '' && !/^\s*</.test(words)
    ? ` The server said: ${words.trim().replace(/(?<![.!?])$/, '.')}`
    : '';
};

/** Sentences that are the same for every error of the code. */
export const fixed =
  (what: string, todo: string): Row =>
  () => ({ what, todo });

/** A message as a sentence of its own. A path or a file's name at its start keeps its letters. */
export function sentence(message: string): string {
  const first = message.slice(0, 1);
  const begin = /^\S*([/\\]|\.\w)/.test(message) ? first : first.toUpperCase();
  return `${begin}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
}

/** The file or folder in question, where the message does not name it. */
export function place(details: ErrorDetails, message: string): string {
  const path = details['path'];
  return typeof path === 'string' && !message.includes(path) ? ` It is about ${path}.` : '';
}

/** The message itself says what happened (it was written to be shown); the row adds what to do. */
export const messageAsWhat =
  (todo: string, typed?: string): Row =>
  (details, message) => ({
    what: `${sentence(message)}${place(details, message)}${serverWords(details)}`,
    todo,
    ...(typed === undefined ? {} : { typed }),
  });
