/** @file Validates the typed address and name of an instance, and suggests a name. Pure. */
import { instanceNamePattern } from '../../../src-contract/instances/instance.ts';
import { addText } from './instances.text.ts';

export function addScheme(input: string): string {
  const text = input.trim();
  return text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
}

function parseUrl(input: string): URL | null {
  try {
    const url = new URL(addScheme(input));
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
}

/** Returns an error message; null if the address looks valid. The app validates the address further. */
export function urlError(input: string): string | null {
  if (input.trim() === '') return addText.urlMissing;
  return parseUrl(input) === null ? addText.urlWrong : null;
}

/** True if a token would cross a network unencrypted. */
export function isInsecureAddress(input: string): boolean {
  const url = parseUrl(input);
  return url?.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

export function nameError(name: string, names: readonly string[]): string | null {
  if (!instanceNamePattern.test(name)) return addText.nameWrong;
  return names.includes(name) ? addText.nameTaken : null;
}

/** Returns an unused name for the address; empty if there is no address. */
export function proposeName(input: string, names: readonly string[]): string {
  const host = parseUrl(input)?.hostname.replace(/^www\./, '') ?? '';
  const base = host
    .replace(/[^a-z0-9._-]/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 58);
  if (base === '' || !names.includes(base)) return base;
  let number = 2;
  while (names.includes(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}
