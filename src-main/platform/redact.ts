/** @file Removes secrets from finished text before it is logged or put into a passport. */

const mask = '***';
/** Minimum length of a secret. A shorter secret would hide ordinary words. */
const minSecretLength = 8;
const secrets = new Map<string, RegExp>();

/** Makes `redact` hide this value, whether plain, quoted, URL-encoded, in hexadecimal or in base64. */
export function registerSecret(value: string): void {
  if (value.length < minSecretLength || secrets.has(value)) return;
  const bytes = Buffer.from(value);
  const spellings = [value.replaceAll(/[^]/g, anySpelling), bytes.toString('hex')];
  for (const offset of [0, 1, 2] as const) spellings.push(base64Core(bytes, offset));
  secrets.set(value, new RegExp(spellings.join('|'), 'gi'));
}

/**
 * Returns a pattern for one character of a secret: the character itself, with any backslashes of quoting before it, or
 * percent-encoded.
 */
function anySpelling(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character;
  const percent = `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return character === '\\' ? `(?:\\\\+|${percent})` : `(?:\\\\*${quote(character)}|${percent})`;
}

/** Returns the base64 digits that depend only on `bytes`, if `offset` other bytes (modulo 3) precede them. */
function base64Core(bytes: Buffer, offset: 0 | 1 | 2): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const core = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  return quote(core).replaceAll('\\+', '[+-]').replaceAll('/', '[/_]');
}

function quote(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9/]/g, '\\$&');
}

const names = [
  ...[
    'private-token',
    'job-token',
    'deploy-token',
    '(?:proxy-)?authorization',
    '(?:set-)?cookie',
    'x-amz-[a-z0-9-]+',
  ],
  ...['[a-z_]{0,40}(?:access_key|_token|secret|password)', 'signature'],
].join('|');

/** Matches `name: value`, `name=value`, `"name":"value"`, `['name', 'value']`; the quotes stay, so JSON stays JSON. */
const namedSecret = new RegExp(
  `((?<![a-z0-9])(?:${names})\\\\*["']?\\s*[:=,]\\s*\\[?\\s*)(?:` +
    [
      `(?<open>["'])(?:(?!\\k<open>)[^\\\\]|\\\\[^])*(?<close>\\k<open>)`,
      `(?<open>\\\\+["'])[^]*?(?<close>(?<!\\\\)\\k<open>)`,
      `(?!(?:null|undefined|true|false)\\b)(?:(?:bearer|basic)\\s+)?[^\\s,;&"'\\\\}\\]]+`,
    ].join('|') +
    ')',
  'gi',
);
const secretShapes: [pattern: RegExp, replacement: string][] = [
  // The prefixes of GitLab's own tokens: glpat-, glrt-, gldt-, glptt- and so on.
  [/\bgl[a-z]{2,8}-[\w.=-]{8,}/g, mask],
  [/\b(bearer|basic)\s+[\w+/.~=-]{8,}/gi, `$1 ${mask}`],
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@"'\\]+@/gi, `$1${mask}@`],
];

/** A token in GitLab's own form: the prefix and at least 20 characters. Ordinary text never has that form. */
const tokenForm = /\bgl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|wt|soat|ffct)-[\w.=-]{20,}/g;

/** Replaces registered secrets, and tokens in GitLab's own form, by `***`. */
export function redactTokens(text: string): string {
  return redactRegistered(text).replaceAll(tokenForm, mask);
}

function redactRegistered(text: string): string {
  let clean = text;
  // Replaces long secrets first, because a short one may be a prefix of a long one, whose rest would stay visible.
  const byLength = [...secrets].sort(([a], [b]) => b.length - a.length);
  for (const [, pattern] of byLength) clean = clean.replaceAll(pattern, mask);
  return clean;
}

/** Returns `text` with every registered secret, and everything that looks like a secret, replaced by `***`. */
export function redact(text: string): string {
  let clean = redactRegistered(text);
  for (const [pattern, replacement] of secretShapes) clean = clean.replaceAll(pattern, replacement);
  return clean.replaceAll(namedSecret, `$1$<open>${mask}$<close>`);
}
