/** @file Saved passports as one file, for a browser that may be on another machine, behind a tunnel. */
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { create } from 'tar';

/**
 * Returns a `.tar.gz` of the folder. The stream ends with an error if a file of the folder cannot be read.
 *
 * @param folder the folder from the reply of `migration.passport`.
 */
export function passportDownload(folder: string) {
  const name = basename(folder);
  return {
    headers: {
      'Content-Type': 'application/gzip',
      'Content-Disposition': `attachment; filename*=UTF-8''${headerText(`${name}.tar.gz`)}`,
    },
    body: Readable.from(create({ cwd: dirname(folder), gzip: true, portable: true }, [`./${name}`])),
  };
}

/** Also encodes the characters that `encodeURIComponent` leaves unchanged but RFC 8187, section 3.2, forbids. */
const headerText = (text: string): string =>
  encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
