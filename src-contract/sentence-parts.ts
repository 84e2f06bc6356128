/** @file Builds sentences for users from an error's message, its details and the server's message. */
import type { ErrorDetails } from './errors.ts';

/** `what` says what happened, `todo` what the user can do. */
export interface ErrorText {
  what: string;
  todo: string;
}

/** Builds the text of an error. Only the command line adds `commandHint`. */
export type ErrorTextBuilder = (
  details: ErrorDetails,
  message: string,
) => ErrorText & { commandHint?: string };

/** Returns a detail as text for a sentence; `fallback` if it is missing. */
export const detail = (details: ErrorDetails, key: string, fallback: string): string => {
  const value = details[key];
  return value === undefined || value === null ? fallback : String(value);
};

/** Returns the server's message, if there is one; it often names the exact setting. Leaves out web pages. */
export const serverSentence = (details: ErrorDetails): string => {
  const words = details['serverMessage'];
  return typeof words === 'string' && words !== '' && !/^\s*</.test(words)
    ? ` The server said: ${words.trim().replace(/(?<![.!?])$/, '.')}`
    : '';
};

/** Returns a builder whose sentences do not depend on the error. */
export const fixedText =
  (what: string, todo: string): ErrorTextBuilder =>
  () => ({ what, todo });

/** Returns a message as a sentence. A path or a file name at its start keeps its case. */
export function toSentence(message: string): string {
  const first = message.slice(0, 1);
  const initial = /^\S*([/\\]|\.\w)/.test(message) ? first : first.toUpperCase();
  return `${initial}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
}

/** Returns a sentence with the path of the error; empty if the message names it, or there is none. */
export function pathSentence(details: ErrorDetails, message: string): string {
  const path = details['path'];
  return typeof path === 'string' && !message.includes(path) ? ` The path is ${path}.` : '';
}

/** Returns a builder that shows the message itself, and adds the given advice. */
export const messageWithAdvice =
  (todo: string, commandHint?: string): ErrorTextBuilder =>
  (details, message) => ({
    what: `${toSentence(message)}${pathSentence(details, message)}${serverSentence(details)}`,
    todo,
    ...(commandHint === undefined ? {} : { commandHint }),
  });
