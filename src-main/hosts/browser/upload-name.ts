/** @file The name of an uploaded file: what people see of it, made harmless for every file system. Pure. */

const maxBytes = 150;
const fallback = 'archive.tar.gz';
/* Control characters, those that turn the direction of text or end a line unseen, and what Windows refuses. */
// eslint-disable-next-line no-control-regex -- these are what must go
const harmful = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069<>:"|?*]/g;
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** One part of a path, never empty, `.` or `..`, without a leading dot, at most 150 bytes; the end of the name is kept. */
export function uploadName(wanted: string): string {
  const last = wanted.slice(-1000).toWellFormed().split(/[/\\]/).at(-1) ?? '';
  let name = last.replace(harmful, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  // One character less each time, not half of one.
  while (Buffer.byteLength(name) > maxBytes) name = name.replace(/^./su, '').replace(/^[.\s]+/, '');
  if (reserved.test(name)) name = `_${name}`;
  return name === '' ? fallback : name;
}
