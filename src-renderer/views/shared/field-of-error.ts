/** @file Finds the form field of an instance or token that an error belongs to. Pure. */
import type { ErrorCode } from '../../../src-contract/errors.ts';

export type Field = 'url' | 'caFile' | 'name' | 'token';

const fields: Partial<Record<ErrorCode, Field>> = {
  'invalid-input': 'url',
  'instance-exists': 'name',
  'address-unknown': 'url',
  'connection-refused': 'url',
  'not-gitlab': 'url',
  'redirect-refused': 'url',
  'certificate-untrusted': 'caFile',
  'ca-file-unusable': 'caFile',
  'token-missing': 'token',
  'token-invalid': 'token',
  'token-expired': 'token',
  'token-revoked': 'token',
  'token-scope': 'token',
  'account-blocked': 'token',
  'account-changed': 'token',
  forbidden: 'token',
};

export const fieldOf = (code: ErrorCode): Field | null => fields[code] ?? null;
