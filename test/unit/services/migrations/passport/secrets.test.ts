import { expect, it, test } from 'vitest';
import {
  redactRecord,
  withoutSecrets,
} from '../../../../../src-main/services/migrations/passport/secrets.ts';
import { neverExported } from '../../../../../src-main/jobs/migrations/never-exported.ts';
import { registerSecret } from '../../../../../src-main/platform/redact.ts';

/** A token of an instance with its own prefix, so that only the value shows that it is a token. */
const token = 'company-token-7fQ2mZ';
registerSecret(token);
const unknownToken = 'glpat-AbCdEfGhIjKlMnOpQrSt';

const written = [
  'Support for basic authentication is entered by hand; signature: Anna, 2 Nov',
  'authorization, clean-up',
  'Bearer certificates: renewed. password: ask Ben',
  'global-configuration of glassware-production',
  'see ssh://git@gitlab.example/atlas and cookie=none',
  ...neverExported,
];

test.for(written)('"%s" stays as its author wrote it', (text) => {
  const record = JSON.stringify({ iid: 1, title: text, description: `{"password": "${text}"}` });
  const evidence = {
    check: { findings: [{ what: text, overridden: { note: text } }] },
    failures: { records: [{ note: text, text: redactRecord(record), record: { title: text } }] },
    neverCarried: [text],
    // This is a sentence, not the message of a server.
    error: text,
  };
  expect(withoutSecrets(evidence)).toEqual({
    ...evidence,
    failures: { records: [{ note: text, text: record, record: { title: text } }] },
  });
});

it('tokens are removed from all fields, by their value or by the format that GitLab gives them', () => {
  const both = `basic authentication with ${token} and ${unknownToken}, sorry`;
  const clean = 'basic authentication with *** and ***, sorry';
  expect(withoutSecrets({ notes: [{ note: both }], text: both, neverCarried: [both] })).toEqual({
    notes: [{ note: clean }],
    text: clean,
    neverCarried: [clean],
  });
  const encoded = [encodeURIComponent(token), Buffer.from(`x${token}y`).toString('base64')];
  for (const text of encoded) expect(withoutSecrets(text)).not.toBe(text);
});

it('messages of servers and paths of requests are redacted like a log', () => {
  const serverText =
    'refused https://storage.example/x?X-Amz-Signature=abcdef0123 with Authorization: Basic c2VjcmV0';
  const error = { code: 'import-failed', message: serverText, details: { serverMessage: serverText } };
  const shown = JSON.stringify(
    withoutSecrets({
      error,
      jobs: [{ error }],
      requests: [{ path: '/hooks?secret_token=abcdef0123' }],
      failures: { records: [{ exceptionMessage: serverText }] },
    }),
  );
  expect(shown).not.toMatch(/abcdef0123|c2VjcmV0/);
  expect(shown).toContain('refused https://storage.example/x');
});

it('fields of a record that GitLab names as secrets are masked, even if the record is truncated', () => {
  const record = JSON.stringify({ url: 'https://x', runners_token: 'a"b', title: 'token: "x"', token: 'cd' });
  expect(redactRecord(record)).toBe(
    JSON.stringify({ url: 'https://x', runners_token: '***', title: 'token: "x"', token: '***' }),
  );
  expect(redactRecord('{"iid":1,"encrypted_secret":"half of')).toBe('{"iid":1,"encrypted_secret":"***');
});
