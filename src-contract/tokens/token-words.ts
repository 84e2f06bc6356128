/** @file Sentences about the token of an instance that the command line and the window share. */
import type { tokenRefusals } from '../instances/instance.ts';

export const tokenRefusalText: Record<(typeof tokenRefusals)[number], string> = {
  'token-invalid': 'The instance does not know the token',
  'token-expired': 'The token has expired',
  'token-revoked': 'The token was revoked',
  'account-blocked': 'The account behind the token is blocked',
};
