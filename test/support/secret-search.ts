/** @file Searches for a secret in every likely encoding. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the text unchanged, in base64 at every offset, in hexadecimal, and escaped for a URL. */
export function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(4, -4);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [secret, encodeURIComponent(secret), bytes.toString('hex'), ...base64];
}

/** Returns the names of all files of a folder that contain one of the texts. */
export function filesContaining(folder: string, texts: string[]): string[] {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const content = readFileSync(path, 'latin1');
      return texts.some((text) => content.toLowerCase().includes(text.toLowerCase()));
    });
}
