/** @file Makes the name of an uploaded file safe for every file system, while people still recognise it. Pure. */

const maxBytes = 150;
const fallback = 'archive.tar.gz';
/* Control characters, invisible ones that change the text direction or end a line, and those that Windows forbids. */
// eslint-disable-next-line no-control-regex -- control characters must be removed
const forbidden = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069<>:"|?*]/g;
const reservedName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Returns the end of the name as one path segment: at most 150 bytes, without a leading dot. */
export function uploadName(original: string): string {
  const last = original.slice(-1000).toWellFormed().split(/[/\\]/).at(-1) ?? '';
  let name = last.replace(forbidden, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  // Removes whole characters, never half of one.
  while (Buffer.byteLength(name) > maxBytes) name = name.replace(/^./su, '').replace(/^[.\s]+/, '');
  if (reservedName.test(name)) name = `_${name}`;
  return name === '' ? fallback : name;
}
