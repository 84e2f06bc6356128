/** @file Validates the typed address and name of an instance, and suggests a name. Pure. */
import { instanceNamePattern } from '../../../src-contract/instances/instance.ts';
import { addText } from './instances.text.ts';

export function withScheme(typed: string): string {
  const text = typed.trim();
  return text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
}

function parsed(typed: string): URL | null {
  try {
    const url = new URL(withScheme(typed));
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
}

/** Returns what is wrong with the address; null if nothing is. The app validates the address further. */
export function urlError(typed: string): string | null {
  if (typed.trim() === '') return addText.urlMissing;
  return parsed(typed) === null ? addText.urlWrong : null;
}

/** True if a token would cross a network unencrypted. */
export function isInsecureAddress(typed: string): boolean {
  const url = parsed(typed);
  return url?.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

export function nameError(name: string, known: readonly string[]): string | null {
  if (!instanceNamePattern.test(name)) return addText.nameWrong;
  return known.includes(name) ? addText.nameTaken : null;
}

/** Returns an unused name for the address; empty if there is no address. */
export function proposedName(typed: string, known: readonly string[]): string {
  const host = parsed(typed)?.hostname.replace(/^www\./, '') ?? '';
  const base = host
    .replace(/[^a-z0-9._-]/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 58);
  if (base === '' || !known.includes(base)) return base;
  let number = 2;
  while (known.includes(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}
