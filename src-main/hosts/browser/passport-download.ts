/** @file Saved passports as one file, for a browser that may be on another machine, at the end of a tunnel. */
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { create } from 'tar';

export interface PassportDownload {
  headers: Readonly<Record<string, string>>;
  /** A `.tar.gz` that holds the folder; ends with an error where a file of it cannot be read. */
  body: Readable;
}

/** @param folder that of the reply of `migration.passport`. */
export function passportDownload(folder: string): PassportDownload {
  const name = basename(folder);
  return {
    headers: {
      'Content-Type': 'application/gzip',
      'Content-Disposition': `attachment; filename*=UTF-8''${headerText(`${name}.tar.gz`)}`,
    },
    body: Readable.from(create({ cwd: dirname(folder), gzip: true, portable: true }, [`./${name}`])),
  };
}

/** RFC 8187, section 3.2: what `encodeURIComponent` leaves as it is and this form does not. */
const headerText = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
